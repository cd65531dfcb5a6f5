/** How long what happens is to be seen, in milliseconds of relaxed play. */
import type { Pace } from "../game";

export const CRY = 1900;

export const RAIN = 1400;

/** A call is told before the hands are shown, one after the other, and celebrated if it has won. There is a beat before
 * others discard, and the end of a deal is looked at before what follows. */
export const PACE: Readonly<Record<string, Pace>> = {
  drop: { before: 0 },
  new_deal: { before: 0 },
  over: { before: 0 },
  caramba: { before: CRY },
  shown: { after: 200 },
  won: { before: RAIN },
};

/** How long what happens is to be seen, in milliseconds of relaxed play. */
import type { Pace } from "../game";

export const CRY = 1900;

/** A call is celebrated before the hands are shown, one after the other. */
export const PACE: Readonly<Record<string, Pace>> = {
  caramba: { before: CRY },
  shown: { after: 200 },
};

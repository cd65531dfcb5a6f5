/** The sombreros in the order in which they come to their turns. */
import type { RaceView } from "./view";

/** Its turn, still to come, over for this round, or in the mine; before the race: still to be placed, or placed. */
export type Stage = "now" | "next" | "done" | "mine";

export interface Standing {
  hat: number;
  stage: Stage;
}

export function lineUp(view: RaceView): Standing[] {
  const due = view.order.map((hat, at): Standing => ({ hat, stage: at === 0 && hasTurn(view) ? "now" : "next" }));
  const others = view.hats.map((_, hat) => hat).filter((hat) => !view.order.includes(hat));
  const done = others
    .filter((hat) => view.hats[hat]!.arrival === null)
    .sort((one, other) => (view.hats[one]!.rank ?? 0) - (view.hats[other]!.rank ?? 0));
  const mine = others
    .filter((hat) => view.hats[hat]!.arrival !== null)
    .sort((one, other) => view.hats[one]!.arrival! - view.hats[other]!.arrival!);
  return [
    ...due,
    ...done.map((hat): Standing => ({ hat, stage: "done" })),
    ...mine.map((hat): Standing => ({ hat, stage: "mine" })),
  ];
}

/** As a round begins everybody is asked for ambushes, and it is no sombrero's turn yet. */
function hasTurn(view: RaceView): boolean {
  return view.phase !== "round_ambush";
}

/** The seat whose sombrero is in turn. */
export function moverSeat(view: RaceView): number | null {
  const hat = view.order[0];
  return hat === undefined ? null : (view.hats[hat]?.seat ?? null);
}

/** R10: what it costs to roll so many dice instead of those that are due. */
export function priceOf(view: RaceView, dice: number): number {
  const off = (view.hats[view.order[0] ?? 0]?.rank ?? 1) - dice;
  return ((off * (off + 1)) / 2) * view.race;
}

/** R13: the ambush token that a player would lay now: one in hand, else the passed one farthest back. */
export function tokenToLay(view: RaceView, seat: number): number | null {
  const own = view.ambushes.map((token, at) => ({ ...token, at })).filter((token) => token.seat === seat);
  const held = own.find((token) => token.space === null);
  const passed = own.filter((token) => token.passed).sort((one, other) => one.space! - other.space!);
  return (held ?? passed[0])?.at ?? null;
}

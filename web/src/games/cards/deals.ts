/** What the log tells of each deal: who called, what was shown, who scored what. */
import type { News, Told } from "../../wire";
import { cardsIn } from "./cards";

export interface Shown {
  cards: string[];
  points: number;
}

export interface Deal {
  number: number;
  /** Who called Caramba; null if nobody has (yet). */
  caller: number | null;
  /** Whether the call succeeded; null while there is none. */
  won: boolean | null;
  /** Whether it ended without a call. */
  isVoid: boolean;
  /** Whether all is told of it. */
  isClosed: boolean;
  /** By seat. */
  hands: Map<number, Shown>;
  scored: Map<number, number>;
  /** Who stood at exactly the limit, and fell. */
  fell: Set<number>;
  out: Set<number>;
  /** To whom a card was dealt, one after the other. */
  dealt: number[];
  drops: Drop[];
}

export interface Drop {
  seat: number;
  cards: string[];
}

function fresh(number: number): Deal {
  return {
    number,
    caller: null,
    won: null,
    isVoid: false,
    isClosed: false,
    hands: new Map(),
    scored: new Map(),
    fell: new Set(),
    out: new Set(),
    dealt: [],
    drops: [],
  };
}

/** Every deal that the log tells of, the present one last. The log may begin in the middle of a game. */
export function dealsOf(log: readonly Told[], present: number): Deal[] {
  const next = log.find((told) => told.kind === "new_deal");
  const deals = [fresh(next ? Number(next.facts.deal) - 1 : present)];
  for (const told of log) {
    note(deals.at(-1)!, told);
    if (told.kind === "new_deal") deals.push(fresh(Number(told.facts.deal)));
  }
  return deals;
}

function note(deal: Deal, { kind, seat, facts }: Told): void {
  if (kind === "void") deal.isVoid = true;
  if (kind === "new_deal" || kind === "over") deal.isClosed = true;
  if (seat === null) return;
  switch (kind) {
    case "deal":
      deal.dealt.push(seat);
      break;
    case "drop":
      deal.drops.push({ seat, cards: cardsIn(facts.cards) });
      break;
    case "caramba":
      deal.caller = seat;
      break;
    case "won":
    case "failed":
      deal.won = kind === "won";
      break;
    case "shown":
      deal.hands.set(seat, { cards: cardsIn(facts.cards), points: Number(facts.points) });
      break;
    case "scores":
      deal.scored.set(seat, Number(facts.points));
      break;
    case "drops":
      deal.fell.add(seat);
      break;
    case "out":
      deal.out.add(seat);
      break;
  }
}

export function isOver(deal: Deal): boolean {
  return deal.isClosed && (deal.won !== null || deal.isVoid);
}

/** Whether somebody has called, and the next deal has not begun: of all that was just told, up to what is coming. */
export function isCalled(just: readonly Told[], coming: Pick<News, "events"> | null): boolean {
  const begun = just.findLast((told) => told.kind === "new_deal" && !coming?.events.includes(told));
  return begun === undefined && just.some((told) => told.kind === "caramba");
}

/** The last thing each seat has discarded in a deal. */
export function lastDrops(deal: Deal): Map<number, string[]> {
  return new Map(deal.drops.map(({ seat, cards }) => [seat, cards]));
}

/** Cards in the order in which they were discarded, the newest last. */
export function byAge(cards: readonly string[], deal: Deal): string[] {
  const order = new Map(deal.drops.flatMap((drop) => drop.cards).map((card, at) => [card, at]));
  return [...cards].sort((one, other) => (order.get(one) ?? -1) - (order.get(other) ?? -1));
}

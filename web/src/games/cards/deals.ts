/** What the log tells of each deal: who called, what was shown, who scored what. */
import type { Told } from "../../wire";
import type { CardsView } from "./view";
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
  /** By seat. */
  hands: Map<number, Shown>;
  scored: Map<number, number>;
  /** Who stood at exactly the limit, and fell. */
  fell: Set<number>;
  out: Set<number>;
  /** After it, by seat. */
  totals: number[];
  drops: Drop[];
}

export interface Drop {
  seat: number;
  cards: string[];
}

function fresh(number: number, totals: readonly number[]): Deal {
  return {
    number,
    caller: null,
    won: null,
    isVoid: false,
    hands: new Map(),
    scored: new Map(),
    fell: new Set(),
    out: new Set(),
    totals: [...totals],
    drops: [],
  };
}

/** Every deal that the log tells of, the present one last. The log may begin in the middle of a game. */
export function dealsOf(log: readonly Told[], view: Pick<CardsView, "deal" | "players">): Deal[] {
  const next = log.find((told) => told.kind === "new_deal");
  const deals = [fresh(next ? Number(next.facts.deal) - 1 : view.deal, totalsBefore(log, view))];
  for (const told of log) {
    const deal = deals.at(-1)!;
    if (told.kind === "new_deal") deals.push(fresh(Number(told.facts.deal), deal.totals));
    else note(deal, told);
  }
  return deals;
}

/** What everybody had where the log begins: before they first score in it, or now if they never do. */
function totalsBefore(log: readonly Told[], view: Pick<CardsView, "players">): number[] {
  return view.players.map(({ score }, seat) => {
    const first = log.find((told) => told.kind === "scores" && told.seat === seat);
    return first ? Number(first.facts.total) - Number(first.facts.points) : score;
  });
}

function note(deal: Deal, { kind, seat, facts }: Told): void {
  if (kind === "void") deal.isVoid = true;
  if (seat === null) return;
  switch (kind) {
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
      deal.totals[seat] = Number(facts.total);
      break;
    case "drops":
      deal.fell.add(seat);
      deal.totals[seat] = Number(facts.total);
      break;
    case "out":
      deal.out.add(seat);
      break;
  }
}

export function isOver(deal: Deal): boolean {
  return deal.won !== null || deal.isVoid;
}

/** The last thing each seat has discarded in a deal. */
export function lastDrops(deal: Deal): Map<number, string[]> {
  return new Map(deal.drops.map(({ seat, cards }) => [seat, cards]));
}

/** Who laid what lies on the table: this turn's set, and the one before. */
export function owners(deal: Deal, isLaid: boolean): { laid: number | null; previous: number | null } {
  const last = deal.drops.at(-1)?.seat ?? null;
  return isLaid ? { laid: last, previous: deal.drops.at(-2)?.seat ?? null } : { laid: null, previous: last };
}

/** Cards in the order in which they were discarded, the newest last. */
export function byAge(cards: readonly string[], deal: Deal): string[] {
  const order = new Map(deal.drops.flatMap((drop) => drop.cards).map((card, at) => [card, at]));
  return [...cards].sort((one, other) => (order.get(one) ?? -1) - (order.get(other) ?? -1));
}

/** Which card is which from one view to the next, where it comes from, and how long it waits. */
import { Memory, UNKNOWN, type Place } from "../../lib/pieces";
import type { CardsView } from "./view";

export interface Card {
  /** Its identity on the screen. */
  id: string;
  code: string;
  /** Milliseconds that it waits before it travels. */
  delay: number;
  /** Whether it is turned over on its way. */
  isTurned: boolean;
}

/** What lies on the table. */
export type Layout = Pick<CardsView, "deal" | "laid" | "previous" | "older"> & {
  hands: readonly (readonly string[])[];
  /** The seats that were dealt a card in this deal, one after the other, as far as it is told. */
  dealt: readonly number[];
  /** The step in which the pile was last made anew, as far as it is told. */
  shuffled: number;
};

/** The old cards are gathered before new ones come from the pile. */
const GATHERING = 420;
/** Between one dealt card and the next; all of them take no longer than the second number. */
const BEAT = 75;
const DEALING = 1700;

export const handOf = (seat: number): string => `hand ${seat}`;

export class Course {
  private memory = new Memory();
  private before: Layout | null = null;
  private cards = new Map<string, Card>();
  private zones = new Map<string, Card[]>();

  /** The cards by zone, as the table is now; the same as before if none of them has changed. */
  follow(now: Layout): Map<string, Card[]> {
    const { before } = this;
    const isNewDeal = before !== null && before.deal !== now.deal;
    const isShuffled = before !== null && before.shuffled < now.shuffled;
    if (isNewDeal) this.memory = new Memory();
    // What is shuffled into the pile is not what comes from it.
    else if (isShuffled) this.memory.follow(handsAndLaid(before));
    const gathering = isNewDeal || isShuffled ? GATHERING : 0;
    const isDealt = before !== null && (isNewDeal || before.dealt.length < now.dealt.length);
    const found = new Map<string, Card>();
    const zones = new Map<string, Card[]>();
    for (const [zone, pieces] of this.memory.follow(places(now))) {
      const cards = pieces.map((piece, at) => {
        const id = `${now.deal}-${piece.id}`;
        const was = this.cards.get(id);
        const delay = was ? 0 : gathering + (isDealt ? dealtAfter(now, zone, at) : 0);
        const isTurned = before !== null && (was?.code ?? UNKNOWN) === UNKNOWN && piece.kind !== UNKNOWN;
        const card = kept(was, { id, code: piece.kind, delay, isTurned });
        found.set(id, card);
        return card;
      });
      zones.set(zone, cards);
    }
    this.cards = found;
    this.before = now;
    return (this.zones = keptZones(this.zones, zones));
  }
}

/** A zone in which nothing has changed is the same list, and so are all of them together. */
function keptZones(was: Map<string, Card[]>, now: Map<string, Card[]>): Map<string, Card[]> {
  const zones = [...now].map(([zone, cards]) => [zone, keptCards(was.get(zone), cards)] as const);
  const isSame = was.size === now.size && zones.every(([zone, cards]) => was.get(zone) === cards);
  return isSame ? was : new Map(zones);
}

function keptCards(was: Card[] | undefined, now: Card[]): Card[] {
  return was?.length === now.length && now.every((card, at) => card === was[at]) ? was : now;
}

/** A card of which nothing has changed is the same object, so that it is not drawn again. */
function kept(was: Card | undefined, now: Card): Card {
  const isSame = was?.code === now.code && was.delay === now.delay && was.isTurned === now.isTurned;
  return isSame ? was : now;
}

function handsAndLaid({ hands, laid }: Layout): Place[] {
  return [
    ...hands.flatMap((cards, seat) => cards.map((kind) => ({ zone: handOf(seat), kind }))),
    ...laid.map((kind) => ({ zone: "laid", kind })),
  ];
}

function places(now: Layout): Place[] {
  return [
    ...handsAndLaid(now),
    ...now.previous.map((kind) => ({ zone: "previous", kind })),
    ...now.older.map((kind) => ({ zone: "older", kind })),
  ];
}

/** One at a time, in the order in which they were dealt. */
function dealtAfter({ dealt }: Layout, zone: string, at: number): number {
  const turns = [...dealt.keys()].filter((turn) => handOf(dealt[turn]!) === zone);
  return (turns[at] ?? 0) * Math.min(BEAT, DEALING / dealt.length);
}

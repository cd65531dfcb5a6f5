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
  private codes = new Map<string, string>();

  /** The cards by zone, as the table is now. */
  follow(now: Layout): Map<string, Card[]> {
    const { before } = this;
    const isNewDeal = before !== null && before.deal !== now.deal;
    const isShuffled = before !== null && before.shuffled < now.shuffled;
    if (isNewDeal) this.memory = new Memory();
    // What is shuffled into the pile is not what comes from it.
    else if (isShuffled) this.memory.follow(handsAndLaid(before));
    const gathering = isNewDeal || isShuffled ? GATHERING : 0;
    const isDealt = before !== null && (isNewDeal || before.dealt.length < now.dealt.length);
    const codes = new Map<string, string>();
    const zones = new Map<string, Card[]>();
    for (const [zone, pieces] of this.memory.follow(places(now))) {
      const cards = pieces.map((piece, at) => {
        const id = `${now.deal}-${piece.id}`;
        codes.set(id, piece.kind);
        const isNew = !this.codes.has(id);
        const delay = isNew ? gathering + (isDealt ? dealtAfter(now, zone, at) : 0) : 0;
        const wasBack = (this.codes.get(id) ?? UNKNOWN) === UNKNOWN;
        return { id, code: piece.kind, delay, isTurned: before !== null && wasBack && piece.kind !== UNKNOWN };
      });
      zones.set(zone, cards);
    }
    this.codes = codes;
    this.before = now;
    return zones;
  }
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

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

/** What lies on the table; `hands` may show more than the view does, when they are laid open. */
export type Layout = Pick<CardsView, "deal" | "pile" | "first" | "laid" | "previous" | "older"> & {
  hands: readonly (readonly string[])[];
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
    const isDealt = before !== null && before.deal !== now.deal;
    const isShuffled = before !== null && !isDealt && now.pile > before.pile;
    if (isDealt) this.memory = new Memory();
    // What is shuffled into the pile is not what comes from it.
    if (isShuffled) this.memory.follow(handsAndLaid(before));
    const codes = new Map<string, string>();
    const zones = new Map<string, Card[]>();
    for (const [zone, pieces] of this.memory.follow(places(now))) {
      const cards = pieces.map((piece, at) => {
        const id = `${now.deal}-${piece.id}`;
        codes.set(id, piece.kind);
        const isNew = !this.codes.has(id);
        const delay = !isNew ? 0 : isDealt ? dealtAfter(now, zone, at) : isShuffled ? GATHERING * 1.6 : 0;
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

/** One at a time, beginning with the player who begins, five times round. */
function dealtAfter({ hands, first }: Layout, zone: string, at: number): number {
  const playing = hands.flatMap((cards, seat) => (cards.length ? [seat] : []));
  const begins = Math.max(0, playing.indexOf(first ?? 0));
  const seat = playing.findIndex((seat) => handOf(seat) === zone);
  const turn = (seat - begins + playing.length) % playing.length;
  const beat = Math.min(BEAT, DEALING / (playing.length * 5));
  return GATHERING + beat * (at * playing.length + turn);
}

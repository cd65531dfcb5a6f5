/** Choosing cards of the hand: which may be discarded together. */
import type { Choice } from "../../lib/legal";
import { cardsIn } from "./cards";

const cardsOf = (drop: Choice): string[] => cardsIn(drop.form.cards);

/** The discard of just these cards, if it is legal. */
export function dropOf(drops: readonly Choice[], raised: readonly string[]): Choice | undefined {
  return drops.find((drop) => {
    const cards = cardsOf(drop);
    return cards.length === raised.length && cards.every((card) => raised.includes(card));
  });
}

/** Whether a card belongs to some set that holds all cards raised so far. */
export function goesWith(drops: readonly Choice[], raised: readonly string[], card: string): boolean {
  return drops.some((drop) => {
    const cards = cardsOf(drop);
    return cards.includes(card) && raised.every((other) => cards.includes(other));
  });
}

/** The cards that are raised after a touch: one that does not go with the others begins anew. */
export function touched(drops: readonly Choice[], raised: readonly string[], card: string): string[] {
  if (raised.includes(card)) return raised.filter((other) => other !== card);
  return goesWith(drops, raised, card) ? [...raised, card] : [card];
}

/** Whether some set of several cards may be discarded. */
export function hasSet(drops: readonly Choice[]): boolean {
  return drops.some((drop) => cardsOf(drop).length > 1);
}

/** What the cards are: their names in words, and short names for sets of them. */
import { language, say } from "../../lib/words.svelte";
import { face } from "./art/codes";

export const BACK = "??";
const SYMBOLS = { s: "♠", h: "♥", d: "♦", c: "♣" };

/** Cards that stand in one text, as in "5s 6c 7s". */
export function cardsIn(text: unknown): string[] {
  return String(text ?? "")
    .split(" ")
    .filter(Boolean);
}

/** What stands for Jack, Knight, Queen and King where the page is read. */
export function courtLetters(): string {
  return language() === "fr" ? "VCDR" : "JNQK";
}

export function isRed(code: string): boolean {
  const card = face(code);
  return card.kind !== "back" && card.red;
}

/** A rank as it is printed: a number or a letter. */
export function printed(rank: string, letters: string): string {
  return letters["JCQK".indexOf(rank)] ?? rank;
}

/** A card as it is written among players: "5♠", "K♥". */
export function brief(code: string, letters: string): string {
  const card = face(code);
  if (card.kind === "joker") return "★";
  return card.kind === "card" ? printed(card.rank, letters) + SYMBOLS[card.suit] : "?";
}

/** A whole set in a few signs: "5♠", "7♠♥", "3–6♠♣", a star for each joker. */
export function briefSet(codes: readonly string[], letters: string): string {
  const faces = codes.map(face).filter((card) => card.kind === "card");
  const jokers = "★".repeat(codes.length - faces.length);
  const [first, last] = [faces[0], faces.at(-1)];
  if (!first || !last) return jokers;
  const suits = [...new Set(faces.map((card) => SYMBOLS[card.suit]))].join("");
  const low = printed(first.rank, letters);
  return (first.rank === last.rank ? low : `${low}–${printed(last.rank, letters)}`) + suits + jokers;
}

/** A card in words. */
export function inWords(code: string): string {
  const card = face(code);
  if (card.kind === "back") return say("a hidden card");
  if (card.kind === "joker") return card.red ? say("the red joker") : say("the black joker");
  const courts: Record<string, string> = { J: say("jack"), C: say("knight"), Q: say("queen"), K: say("king") };
  return say("{rank} of {suit}", { rank: courts[card.rank] ?? card.rank, suit: suitNames()[card.suit] });
}

function suitNames() {
  return { s: say("spades"), h: say("hearts"), d: say("diamonds"), c: say("clubs") };
}

/** A sentence without the signs of suits, which are read out as shapes or not at all. */
export function spoken(text: string): string {
  const names = suitNames();
  const suits = Object.keys(names) as (keyof typeof names)[];
  return text.replace(/(\p{L}+|\d+)([♠♥♦♣])/gu, (_, rank: string, sign: string) => {
    const suit = suits.find((suit) => SYMBOLS[suit] === sign)!;
    return say("{rank} of {suit}", { rank, suit: names[suit] });
  });
}

/** Some cards in words, one after the other. */
export function allInWords(codes: readonly string[]): string {
  return codes.map(inWords).join(", ");
}

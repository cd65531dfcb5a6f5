/** Pieces as the notation names them. */

export type GoodLetter = "g" | "a" | "d";
export type Special = "manos" | "vuelta" | "fuera" | "seguridad";

export interface End {
  good: GoodLetter;
  value: number;
}

export const GOOD_COLOUR: Record<GoodLetter, string> = {
  g: "var(--gold)",
  a: "var(--ammunition)",
  d: "var(--dynamite)",
};

/** What to print on a good's colour. */
export const ON_GOOD: Record<GoodLetter, string> = { g: "var(--key)", a: "var(--cream)", d: "var(--cream)" };

/** Read a bid card or a crate: "g3a4" has two ends, "g7" one; a back ("??") has none. */
export function ends(code: string): End[] {
  return [...code.matchAll(/([gad])(\d)/g)].map(([, good, value]) => ({
    good: good as GoodLetter,
    value: Number(value),
  }));
}

export type Suit = "s" | "h" | "d" | "c";

export type Face =
  | { kind: "back" }
  | { kind: "joker"; red: boolean }
  | { kind: "card"; rank: string; suit: Suit; red: boolean };

/** Read a playing card: "10h", "Cc", a joker "Xb", a back "??". */
export function face(code: string): Face {
  if (code.startsWith("X")) return { kind: "joker", red: code === "Xr" };
  const read = /^(10|[1-9]|[JCQK])([shdc])$/.exec(code);
  if (!read) return { kind: "back" };
  const suit = read[2] as Suit;
  return { kind: "card", rank: read[1]!, suit, red: suit === "h" || suit === "d" };
}

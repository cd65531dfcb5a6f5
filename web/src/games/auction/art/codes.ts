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

const read = new Map<string, readonly End[]>();

/** Read a bid card or a crate: "g3a4" has two ends, "g7" one; a back ("??") has none. The same answer each time, so
 * that a card is not drawn again for what it shows already. */
export function ends(code: string): readonly End[] {
  const known = read.get(code) ?? parse(code);
  read.set(code, known);
  return known;
}

function parse(code: string): End[] {
  return [...code.matchAll(/([gad])(\d)/g)].map(([, good, value]) => ({
    good: good as GoodLetter,
    value: Number(value),
  }));
}

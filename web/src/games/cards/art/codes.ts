/** Cards as the notation names them. */

export type Suit = "s" | "h" | "d" | "c";

export type Face =
  { kind: "back" } | { kind: "joker"; red: boolean } | { kind: "card"; rank: string; suit: Suit; red: boolean };

const known = new Map<string, Face>();

/** Read a playing card: "10h", "Cc", a joker "Xb", a back "??". The same answer each time, so that a card is not drawn
 * again for what it shows already. */
export function face(code: string): Face {
  const found = known.get(code) ?? parse(code);
  known.set(code, found);
  return found;
}

function parse(code: string): Face {
  if (code.startsWith("X")) return { kind: "joker", red: code === "Xr" };
  const read = /^(10|[1-9]|[JCQK])([shdc])$/.exec(code);
  if (!read) return { kind: "back" };
  const suit = read[2] as Suit;
  return { kind: "card", rank: read[1]!, suit, red: suit === "h" || suit === "d" };
}

/** Which piece is which: views tell what lies where, not where it was before.
 *
 * A piece keeps its identity as long as it stays in its zone; one that has gone from a zone is
 * taken for one of the same kind that has come to another. So things can travel on the screen.
 */

export interface Place {
  /** Where it lies, such as "centre" or "hand 2". */
  zone: string;
  /** What it is, such as "g3"; "??" for a back. */
  kind: string;
}

export interface Piece extends Place {
  id: number;
}

export const UNKNOWN = "??";

/** Give each place an identity, by where things were before. */
export function identify(before: readonly Piece[], now: readonly Place[], next: () => number): Piece[] {
  const left = new Map<string, Piece[]>();
  for (const piece of before) push(left, `${piece.zone}|${piece.kind}`, piece);
  // What stays is the same object, so that nothing of it is drawn again.
  const result: (Piece | null)[] = now.map((place) => left.get(`${place.zone}|${place.kind}`)?.shift() ?? null);
  const gone = new Map<string, Piece[]>();
  for (const pieces of left.values()) for (const piece of pieces) push(gone, piece.kind, piece);
  return now.map((place, at) => {
    const known = result[at];
    if (known) return known;
    const came = gone.get(place.kind)?.shift() ?? (place.kind === UNKNOWN ? any(gone) : gone.get(UNKNOWN)?.shift());
    return { ...place, id: came?.id ?? next() };
  });
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Anything that is left: something was turned over. */
function any(gone: Map<string, Piece[]>): Piece | undefined {
  for (const pieces of gone.values()) {
    const piece = pieces.shift();
    if (piece) return piece;
  }
  return undefined;
}

/** Remembers where everything was, and hands out the pieces of each zone in their order. */
export class Memory {
  private pieces: Piece[] = [];
  private last = 0;

  /** The pieces by zone, as the table is now. */
  follow(places: readonly Place[]): Map<string, Piece[]> {
    this.pieces = identify(this.pieces, places, () => ++this.last);
    const zones = new Map<string, Piece[]>();
    for (const piece of this.pieces) push(zones, piece.zone, piece);
    return zones;
  }
}

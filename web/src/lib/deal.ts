/** The part of this device in a deal: it promises its share, and shows it when all have promised.
 *
 * The share is made once for a table and seat, and kept with the fingerprint of the server's seed as
 * it was then: a reload or a second tab has the same, and can tell whether anything was changed.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, randomBytes } from "@noble/hashes/utils.js";
import type { Seat, Table } from "../wire";
import type { Wish } from "./line";

interface Share {
  /** What is mixed in. */
  entropy: string;
  /** The fingerprint of the server's seed before anything was promised. */
  commitment: string;
  /** What everybody had promised when this was revealed; null before. */
  promises: (string | null)[] | null;
}

type Part = Extract<Wish, { type: "promise" | "reveal" }>;

/** What keeps this device from taking part: something was changed, or another device has promised. */
export type Obstacle = "changed" | "elsewhere";

/** The answers to "was it dealt fairly?"; null for what this device cannot know. */
export interface Findings {
  /** The seed fits the fingerprint. */
  seed: boolean;
  /** Everybody mixed in what they had promised; null where nobody mixed anything in. */
  promises: boolean | null;
  /** The fingerprint is the one that this device saw first. */
  fingerprint: boolean | null;
  /** What this device mixed in was used. */
  share: boolean | null;
}

const PLACE = "caramba-deals";
const BYTES = 32;
/** So many tables are remembered. */
const KEPT = 200;

/** Where a browser keeps nothing, the page does, until it is left. */
let memory: Record<string, Share> = {};

function shares(): Record<string, Share> {
  try {
    return { ...memory, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Record<string, Share>) };
  } catch {
    return memory;
  }
}

function keep(table: Table, seat: number, share: Share): Share {
  memory = Object.fromEntries(Object.entries({ ...shares(), [place(table, seat)]: share }).slice(-KEPT));
  try {
    localStorage.setItem(PLACE, JSON.stringify(memory));
  } catch {
    /* private browsing */
  }
  return share;
}

const place = (table: Table, seat: number): string => `${table.id}/${seat}`;
const remembered = (table: Table, seat: number): Share | undefined => shares()[place(table, seat)];

/** What this device mixes in, made when it is first asked for. */
function shareOf(table: Table, seat: number): Share {
  const made = () => ({ entropy: bytesToHex(randomBytes(BYTES)), commitment: table.commitment, promises: null });
  return remembered(table, seat) ?? keep(table, seat, made());
}

/** The SHA-256 of bytes that are written as hexadecimal digits. */
export const fingerprint = (hex: string): string => bytesToHex(sha256(hexToBytes(hex)));

/** Whether something that the server shows has this fingerprint; what is not hexadecimal has none. */
function has(hex: string, print: string): boolean {
  try {
    return fingerprint(hex) === print;
  } catch {
    return false;
  }
}

const promised = (seat: Seat): boolean => !seat.mixes || seat.promise !== null;
export const allPromised = (table: Table): boolean => table.seats.every(promised);

const promisesOf = (table: Table): (string | null)[] => table.seats.map((seat) => seat.promise);

/** Whether something is not as it was when this device promised, or revealed. */
function isChanged(table: Table, share: Share): boolean {
  const { commitment, promises } = share;
  return commitment !== table.commitment || (promises !== null && String(promises) !== String(promisesOf(table)));
}

/** What this device has to say in a deal now, if it has not said it on this line. */
export function part(table: Table, seat: number, said: Pick<ReadonlySet<string>, "has">): Part | null {
  if (table.status !== "dealing" || !table.seats[seat]?.mixes) return null;
  const share = shareOf(table, seat);
  if (isChanged(table, share)) return null;
  const commitment = fingerprint(share.entropy);
  const mine = table.seats[seat].promise === commitment;
  if (!allPromised(table)) return mine || said.has("promise") ? null : { type: "promise", commitment };
  if (!mine || !table.awaited.includes(seat) || said.has("reveal")) return null;
  keep(table, seat, { ...share, promises: promisesOf(table) });
  return { type: "reveal", entropy: share.entropy };
}

/** Why this device takes no part in a deal, though its seat should. */
export function obstacle(table: Table, seat: number): Obstacle | null {
  const share = remembered(table, seat);
  if (table.status !== "dealing" || !share || !table.awaited.includes(seat)) return null;
  if (isChanged(table, share)) return "changed";
  const mine = table.seats[seat]?.promise === fingerprint(share.entropy);
  return allPromised(table) && !mine ? "elsewhere" : null;
}

/** After the game: what can be checked on this device. */
export function check(table: Table, seed: string, seat: number | null): Findings {
  const share = seat === null ? undefined : remembered(table, seat);
  const known = share?.promises ?? null;
  const fits = (entropy: string | null, at: number): boolean => {
    const promise = (known ?? promisesOf(table))[at] ?? null;
    if (promise === null) return entropy === null || known === null;
    return entropy !== null && has(entropy, promise);
  };
  return {
    seed: has(seed, table.commitment),
    promises: [...table.entropy, ...(known ?? [])].some(Boolean) ? table.entropy.every(fits) : null,
    fingerprint: share ? share.commitment === table.commitment : null,
    share: share && known && seat !== null ? table.entropy[seat] === share.entropy : null,
  };
}

/** What is told: which events are worth a line, and which words of it are pieces. */
import type { Told } from "../wire";
import { UNKNOWN } from "./pieces";

/** Whether one learns something: not from what somebody else got unseen. */
export function isNews(told: Told): boolean {
  return !Object.values(told.facts).includes(UNKNOWN);
}

/** So many sentences are said aloud at most. */
const MOST = 4;

/** What is said aloud when it is my turn again: the newest of what matters, without what I did myself, and what it
 * brought me. */
export function newsSince(
  log: readonly Told[],
  step: number,
  you: number | null,
  kinds: readonly string[] | null,
  brought: readonly string[] = [],
): string[] {
  const isMine = ({ kind, seat }: Told): boolean => seat === you && brought.includes(kind);
  const all = log
    .filter((told) => told.step >= step && isNews(told))
    .filter(
      (told) => isMine(told) || ((kinds?.includes(told.kind) ?? true) && (told.step > step || told.seat !== you)),
    );
  return all.filter((told, at) => at >= all.length - MOST || isMine(told)).map(({ text }) => text);
}

export interface Spelled {
  text: string;
  isPiece: boolean;
}

/** A sentence in parts. Whoever has the name of a piece is a player all the same. */
export function spelled(text: string, code: RegExp, names: readonly string[]): Spelled[] {
  const alike = names.filter((name) => code.test(name)).map((name) => name.replace(/[^\p{L}\p{N}\s]/gu, "\\$&"));
  const byName = alike.length
    ? text.split(new RegExp(`(?<![\\p{L}\\p{N}])(${alike.join("|")})(?![\\p{L}\\p{N}])`, "u"))
    : [text];
  return byName.flatMap((part, at) =>
    at % 2 ? [{ text: part, isPiece: false }] : part.split(code).map((text, odd) => ({ text, isPiece: odd % 2 === 1 })),
  );
}

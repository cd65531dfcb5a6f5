/** What happened, thing by thing, each with the table right after it: how every table is played. */
import type { News, Told, View } from "../wire";

export interface Moment {
  told: Told;
  /** The view right after it. */
  view: View;
}

/** The moments of news. What has no table of its own, such as a card of a deal, has the next one's. */
export function moments(news: Pick<News, "events" | "view">): Moment[] {
  const found: Moment[] = [];
  let view = news.view;
  for (const told of [...news.events].reverse()) {
    for (const [path, value] of told.then ?? []) view = changed(view, path, value) as View;
    found.unshift({ told, view });
  }
  return found;
}

/** News in parts, to be played one after the other. What is of one kind and has one table, such as a
 * deal, is one part; only the last says what may be done, and how the table is. */
export function parts(news: News): News[] {
  const found: News[] = [];
  for (const { told, view } of moments(news)) {
    const last = found.at(-1);
    if (last?.view === view && last.events[0]?.kind === told.kind) last.events.push(told);
    else found.push({ ...news, events: [told], view, phrases: [], brings: [], table: null });
  }
  return [...found.slice(0, -1), { ...news, events: found.at(-1)?.events ?? [] }];
}

/** The same, but whatever is as it was is the very same object as before, so that nothing of it is drawn again. */
export function kept<T>(was: unknown, now: T): T {
  if (was === now || !isHeld(was) || !isHeld(now) || Array.isArray(was) !== Array.isArray(now)) return now;
  const names = Object.keys(now);
  const parts = names.map((name) => kept(was[name], now[name]));
  const isSame =
    names.length === Object.keys(was).length && names.every((name, at) => name in was && was[name] === parts[at]);
  if (isSame) return was as T;
  return (Array.isArray(now) ? parts : Object.fromEntries(names.map((name, at) => [name, parts[at]]))) as T;
}

const isHeld = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** A copy with another value at that place; all the rest is shared. */
function changed(whole: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(whole)) {
    return whole.with(Number(first), changed(whole[Number(first)], rest, value));
  }
  const parts = whole as Record<string, unknown>;
  return { ...parts, [first]: changed(parts[first], rest, value) };
}

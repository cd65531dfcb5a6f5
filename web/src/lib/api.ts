/** What is asked of the server over HTTP. */
import { say, sentence } from "./words.svelte";
import type {
  Again,
  Chapter,
  Filling,
  Found,
  GameInfo,
  LevelInfo,
  Listed,
  LogPart,
  NewTable,
  Problem,
  Reached,
  Replayed,
  Seated,
  Sitting,
  Table,
  Token,
  TurnOdds,
} from "../wire";

export type { Chapter, GameInfo, LevelInfo, Listed, NewTable, Replayed, Seated } from "../wire";

/** A request that was refused: the reason is fit to be shown. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    reason: string,
  ) {
    super(reason);
  }
}

/** Why a name was refused where nothing else could be wrong; empty if it was not that. */
export const nameRefused = (error: unknown): string =>
  error instanceof Refusal && error.code === "invalid" ? error.message : "";

async function ask<T, B = never>(method: string, path: string, body?: B): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  const answer = await fetch(`/api${path}`, init).catch(() => null);
  if (!answer) throw new Refusal("offline", say("The server cannot be reached."));
  const content = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) {
    const { code = "unknown", reason = answer.statusText } = (content ?? {}) as Partial<Problem>;
    throw new Refusal(code, sentence(reason));
  }
  return content as T;
}

export const address = () => ask<Reached>("GET", "/address");
export const languages = () => ask<string[]>("GET", "/languages");
export const games = (lang: string) => ask<GameInfo[]>("GET", `/games?lang=${lang}`);
export const levels = (lang: string) => ask<LevelInfo[]>("GET", `/levels?lang=${lang}`);
export const tables = () => ask<Listed[]>("GET", "/tables");
export const table = (id: string) => ask<Table>("GET", `/tables/${id}`);
export const find = (code: string) => ask<Found>("GET", `/codes/${encodeURIComponent(code)}`);
export const make = (wanted: NewTable) => ask<Seated, NewTable>("POST", "/tables", { ...wanted, mixes: true });
export const sit = (id: string, name: string, seat?: number) =>
  ask<Seated, Sitting>("POST", `/tables/${id}/seats`, { name, mixes: true, ...(seat === undefined ? {} : { seat }) });
export const getUp = (id: string) => ask<null>("DELETE", `/tables/${id}/seats/mine`);
export const session = (id: string, token: string) => ask<Seated, Token>("POST", `/tables/${id}/session`, { token });
export const start = (id: string, level: string) => ask<null, Filling>("POST", `/tables/${id}/start`, { level });
export const rematch = (id: string) => ask<Seated, Again>("POST", `/tables/${id}/rematch`, { mixes: true });
export const replay = (id: string, step: number, who: string, lang: string) =>
  ask<Replayed>("GET", `/tables/${id}/replay?step=${step}&${who}&lang=${lang}`);
export const log = (id: string, until: number, lang: string) =>
  ask<LogPart>("GET", `/tables/${id}/log?until=${until}&lang=${lang}`);
export const odds = (id: string) => ask<TurnOdds>("GET", `/tables/${id}/odds`);
export const story = (id: string, lang: string) => ask<Chapter[]>("GET", `/tables/${id}/story?lang=${lang}`);

export async function rules(game: string, lang: string): Promise<string> {
  const answer = await fetch(`/api/games/${encodeURIComponent(game)}/rules?lang=${lang}&format=html`);
  if (!answer.ok) throw new Refusal("missing", answer.statusText);
  return answer.text();
}

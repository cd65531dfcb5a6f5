/** The games that the page can draw: every folder beside this file. Nothing else names them. */
import type { Component } from "svelte";
import type { Scene } from "../lib/scene";
import { count, say } from "../lib/words.svelte";
import type { Game, Unit } from "./game";

const found = import.meta.glob<Game>("./*/index.ts", { eager: true, import: "default" });
const games = new Map(Object.entries(found).map(([path, game]) => [nameIn(path), game]));
const drawers = import.meta.glob<Component>("./*/Gallery.svelte", { import: "default" });

/** What the server calls them, as they stand on the home page. */
export const GAMES: readonly string[] = [...games.keys()].sort((one, other) => gameOf(one).place - gameOf(other).place);

/** What the page knows of a game. One that has no folder is played at the plain table. */
export function gameOf(name: string): Game {
  return games.get(name) ?? { ...STRANGER, title: () => name };
}

const POINTS: Unit = { name: () => say("points"), amount: (n) => count("{n} point", "{n} points", n) };

/** What a game counts. */
export function unitOf(name: string): Unit {
  return gameOf(name).unit ?? POINTS;
}

const STRANGER: Omit<Game, "title"> = {
  teaser: () => "",
  author: () => "",
  place: Infinity,
  table: () => import("../parts/PlainTable.svelte"),
  primer: null,
  picture: null,
  sounds: {},
  turns: [],
  chapters: () => say("turns"),
  aloud: null,
  inText: null,
};

type Table = Component<{ scene: Scene }>;
const tables = new Map<string, Promise<Table>>();

/** The table of a game, fetched once; what could not be fetched is tried again when it is next asked for. */
export function tableOf(name: string): Promise<Table> {
  const fetched = tables.get(name) ?? fetchTable(name);
  tables.set(name, fetched);
  return fetched;
}

async function fetchTable(name: string): Promise<Table> {
  try {
    return (await gameOf(name).table()).default;
  } catch (error) {
    tables.delete(name);
    throw error;
  }
}

/** All pieces of a game, drawn beside each other for whoever changes them. */
export async function galleryOf(name: string): Promise<Component | null> {
  return (await drawers[`./${name}/Gallery.svelte`]?.()) ?? null;
}

function nameIn(path: string): string {
  return path.split("/")[1]!;
}

/** The games that the page can draw: every folder beside this file. Nothing else names them. */
import type { Component } from "svelte";
import PlainTable from "../parts/PlainTable.svelte";
import type { Game } from "./game";

const found = import.meta.glob<Game>("./*/index.ts", { eager: true, import: "default" });
const games = new Map(Object.entries(found).map(([path, game]) => [nameIn(path), game]));
const drawers = import.meta.glob<Component>("./*/Gallery.svelte", { import: "default" });

/** What the server calls them, as they stand on the home page. */
export const GAMES: readonly string[] = [...games.keys()].sort((one, other) => gameOf(one).place - gameOf(other).place);

/** What the page knows of a game. One that has no folder is played at the plain table. */
export function gameOf(name: string): Game {
  return games.get(name) ?? { ...STRANGER, title: () => name };
}

const STRANGER: Omit<Game, "title"> = {
  teaser: () => "",
  author: () => "",
  place: Infinity,
  table: PlainTable,
  primer: null,
  picture: null,
  sounds: {},
  inText: null,
};

/** All pieces of a game, drawn beside each other for whoever changes them. */
export async function galleryOf(name: string): Promise<Component | null> {
  return (await drawers[`./${name}/Gallery.svelte`]?.()) ?? null;
}

function nameIn(path: string): string {
  return path.split("/")[1]!;
}

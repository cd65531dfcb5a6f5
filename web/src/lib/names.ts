/** What things are called on the page. */
import type { Game } from "../wire";
import { say } from "./words.svelte";

export const GAMES: Game[] = ["auction", "race", "cards"];

export function title(game: string): string {
  if (game === "auction") return say("The Auction");
  if (game === "race") return say("The Race");
  return say("The Cards");
}

export function teaser(game: string): string {
  if (game === "auction") return say("Bid on crates of gold, ammunition and dynamite, and bluff: who ties gets nothing.");
  if (game === "race") return say("A slow race of sombreros: the last one outside the silver mine takes the pot.");
  return say("Get rid of high cards, keep few points, and call Caramba! before somebody has fewer.");
}

/** Who made it. */
export function author(game: string): string {
  if (game === "auction") return "Michael Schacht, 2005";
  if (game === "race") return "Alex Randolph, 1992";
  return say("a traditional game");
}

/** What somebody is called who gives no name, beside these others. */
export function guestName(others: readonly string[]): string {
  const taken = others.map((name) => name.toLocaleLowerCase());
  const called = (n: number): string => (n === 1 ? say("Guest") : say("Guest {n}", { n }));
  let n = 1;
  while (taken.includes(called(n).toLocaleLowerCase())) n += 1;
  return called(n);
}

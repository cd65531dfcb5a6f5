/** What the shared page asks of a game. Each has a folder here, whose index.ts gives all of this. */
import type { Component } from "svelte";
import type { Placed } from "../art/placed";
import type { Scene } from "../lib/scene";
import type { Sound } from "../lib/sound";
import type { View } from "../wire";

/** How long something is to be seen, in milliseconds of relaxed play: told before its table is shown, and after that. With
 * `before`, were it 0, it is `coming` first, so that the table can do something about it. */
export interface Pace {
  before?: number;
  after?: number;
}

/** How news is played. */
export interface Playing {
  /** By kind of event: what it sounds like. */
  sounds: Readonly<Record<string, Sound>>;
  /** By kind of event: how long it is to be seen. Without it, all that has happened at once is shown at once. */
  pace?: Readonly<Record<string, Pace>>;
}

/** Fetches a component. */
export type Fetch<Props extends Record<string, unknown>> = () => Promise<{ default: Component<Props> }>;

/** What a game counts, such as points. */
export interface Unit {
  name(): string;
  amount(n: number): string;
}

export interface Game extends Playing {
  /** Without it, points. */
  unit?: Unit;
  /** Kinds of events with which a turn begins: looking back one can go from turn to turn. */
  turns: readonly string[];
  /** Whether its table shows things of the whole game, such as a score sheet: then all that was told is fetched. */
  looksBack?: boolean;
  /** What its story is told in, such as deals. */
  chapters(): string;
  /** What one of them is called; without it, as it began. */
  chapter?(n: number): string;
  /** Kinds of events that matter to who cannot see them; null for all. */
  aloud: readonly string[] | null;
  /** Kinds of events that are said whenever they are about whoever listens, even if they came about by their own step. */
  brought?: readonly string[];
  /** A sentence as it is said rather than written; without it, as it is written. */
  spoken?(text: string): string;
  /** Its name for people, in the language of the page. */
  title(): string;
  /** What it is about, in a sentence for the home page. */
  teaser(): string;
  /** Who made it, and when. */
  author(): string;
  /** Where it stands on the home page: small numbers first. */
  place: number;
  /** Fetches the table, whether one plays, watches or looks back: not before somebody comes to one. */
  table: Fetch<{ scene: Scene }>;
  /** How it goes, in pictures, above its rules; null if that is not drawn. */
  primer: Component | null;
  /** The picture on the home page, which fills any box; null for none. */
  picture: Component<Placed> | null;
  /** How its pieces look in a line of text; null if they are written well enough. */
  inText: InText | null;
}

export interface InText {
  /** Finds a piece in a sentence, as one group. */
  code: RegExp;
  /** Draws it. */
  piece: Component<{ code: string }>;
}

/** A game as its folder tells it: its table takes scenes with its own view, and gets no others. */
export function game<Shown extends View>(told: Omit<Game, "table"> & { table: Fetch<{ scene: Scene<Shown> }> }): Game {
  return told as unknown as Game;
}

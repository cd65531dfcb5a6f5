/** How what happens is played: dice tumble, sombreros hop, silver changes hands, and it is called out. */
import type { News, Told } from "../../wire";
import type { Pace } from "../game";
import type { RaceView } from "./view";

/** Milliseconds in relaxed play: of a hop, and in which something can be read. */
export const HOP = 120;
const READ = 1100;

/** Dice tumble before they lie, sombreros hop before the rest of the table follows, and then rest. */
export const PACE: Readonly<Record<string, Pace>> = {
  die: { before: 600, after: 380 },
  move: { before: 0, after: 190 },
  ambushed: { after: READ },
  welcome: { after: READ },
  arrive: { before: 0, after: READ },
  bankrupt: { after: READ },
  race_won: { after: READ },
  race: { after: READ },
};

/** What is said aloud over the track. */
const CALLED = ["ambushed", "welcome", "arrive", "bankrupt", "race_won", "race"];
/** Sombreros hop before anything is paid or said. */
const HOPPING = ["move", "arrive"];
/** After this, the dice that lie there are put away. */
const ANEW = ["dice", "place", "first"];

type Coming = Pick<News, "events" | "view"> | null;

/** Where the sombreros are to be seen. */
export function hatsOf(view: RaceView, coming: Coming): RaceView["hats"] {
  return coming && HOPPING.includes(kindOf(coming)) ? (coming.view as RaceView).hats : view.hats;
}

/** How many dice are in the air. */
export function tumblingIn(coming: Coming): number {
  return coming && kindOf(coming) === "die" ? coming.events.length : 0;
}

/** What is called out of all that was just told, once it is to be seen. */
export function callOf(just: readonly Told[], coming: Coming): string | null {
  const last = coming ? undefined : just.at(-1);
  return last && CALLED.includes(last.kind) ? last.text : null;
}

/** The dice of the last turn, roll by roll; none once something new has begun. */
export function rollsOf(log: readonly Told[]): number[][] {
  const rolls: number[][] = [];
  let last = "";
  for (const { kind, facts } of log.slice(log.findLastIndex(({ kind }) => ANEW.includes(kind)) + 1)) {
    if (kind === "die" && last !== "die") rolls.push([]);
    if (kind === "die") rolls.at(-1)!.push(Number(facts.shows));
    last = kind;
  }
  return rolls;
}

export interface Payment {
  /** A seat, or the pot. */
  from: number | "pot";
  to: number | "pot";
  silver: number;
}

/** Who pays whom when this happens; null for what costs nothing. */
export function paymentIn({ kind, seat, facts }: Told): Payment | null {
  const silver = Number(facts.silver ?? 0);
  if (!silver || seat === null) return null;
  switch (kind) {
    case "dice":
    case "arrive":
      return { from: seat, to: "pot", silver };
    case "accept":
    case "welcome":
      return { from: Number(facts.giver), to: seat, silver };
    case "race_won":
      return { from: "pot", to: seat, silver };
    default:
      return null;
  }
}

function kindOf(coming: NonNullable<Coming>): string {
  return coming.events[0]?.kind ?? "";
}

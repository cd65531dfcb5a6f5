/** How a race ended, as the log tells it. */
import type { Told } from "../../wire";
import { paymentIn } from "./script";

export interface Runner {
  seat: number;
  /** The pot, for the one who stayed outside. */
  won: number | null;
  /** For each sombrero in the mine: the how-manieth it was, and what that cost. */
  fees: { arrival: number; silver: number }[];
  /** What dice cost, and what others gave for more of them: gained, or spent if below nothing. */
  traded: number;
  isBankrupt: boolean;
}

export interface Finished {
  number: number;
  /** By seat. */
  seats: Runner[];
}

/** The last race that has ended; null if none has. */
export function lastRace(log: readonly Told[], race: number, players: number): Finished | null {
  const end = log.findLastIndex(({ kind }) => kind === "race_won");
  if (end < 0) return null;
  const begun = log.slice(0, end).findLastIndex(({ kind }) => kind === "race");
  const course = log.slice(begun + 1, end + 1);
  const isPast = log.slice(end).some(({ kind }) => kind === "race");
  const seats = Array.from({ length: players }, (_, seat) => runner(course, seat));
  return { number: isPast ? race - 1 : race, seats };
}

function runner(course: readonly Told[], seat: number): Runner {
  const own = course.filter((told) => told.seat === seat);
  const won = own.find(({ kind }) => kind === "race_won");
  return {
    seat,
    won: won ? Number(won.facts.silver) : null,
    fees: own
      .filter(({ kind }) => kind === "arrive")
      .map(({ facts }) => ({ arrival: Number(facts.arrival), silver: Number(facts.silver) })),
    traded: course.filter(({ kind }) => TRADED.includes(kind)).reduce((sum, told) => sum + gained(told, seat), 0),
    isBankrupt: own.some(({ kind }) => kind === "bankrupt"),
  };
}

/** What is paid beside the mine and the pot. */
const TRADED = ["dice", "accept", "welcome"];

function gained(told: Told, seat: number): number {
  const { from, to, silver } = paymentIn(told) ?? { from: null, to: null, silver: 0 };
  return (to === seat ? silver : 0) - (from === seat ? silver : 0);
}

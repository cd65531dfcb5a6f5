// Made by tools/wire_types.py from src/caramba/games/race/view.py.

import type { View } from "../../wire";

/** A sombrero. */
export interface Hat {
  seat: number;
  /** null before it is placed, and in the mine. */
  space: number | null;
  /** 1 for the leader of those on the track: so many dice it rolls. */
  rank: number | null;
  /** 1 for the first in the mine; null for those that have not arrived. */
  arrival: number | null;
}

/** An ambush token. */
export interface Ambush {
  seat: number;
  /** null in its owner's hand. */
  space: number | null;
  /** Whether its owner may take it back. */
  passed: boolean;
}

/** The table. Everybody sees all of it. */
export interface RaceView extends View {
  phase: string;
  /** Its number, by which prices, gifts and fees are multiplied. */
  race: number;
  max_races: number | null;
  /** The last space of stone, gravel and earth. */
  zones: number[];
  pot: number;
  money: number[];
  bankrupt: number[];
  gone: number[];
  hats: Hat[];
  ambushes: Ambush[];
  /** Sombreros still to be placed, or to move in this round, the one in turn first. */
  order: number[];
  /** Dice that the mover may roll, and what each choice costs. */
  prices: Record<number, number>;
  /** Dice declared for this turn, an accepted offer included. */
  dice: number;
  dice_left: number;
  rolled: number;
  /** By seat: the silver offered to the mover. */
  offers: Record<number, number>;
}

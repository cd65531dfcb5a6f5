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

/** A sombrero in the line of all: whose turn it is, who comes next, who has had it. */
export interface Runner {
  hat: number;
  /** now, next, done or mine. */
  stage: string;
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
  /** All sombreros: those of the order, those that have moved from the leader on, the mine. */
  line: Runner[];
  /** The sombrero in turn, once the round has begun. */
  mover: number | null;
  /** Dice that it has to roll, unless it pays; 0 when it is nobody's turn. */
  due: number;
  /** Dice that the mover may roll, and what each choice costs. */
  prices: Record<number, number>;
  /** The same, with those that the mover cannot pay. */
  costs: Record<number, number>;
  /** What the next one pays who falls into the mine. */
  fee: number;
  /** Whether the dice that are due can lead the mover into the mine. */
  mine_in_reach: boolean;
  /** The ambush token that this seat would lay next, if it has one. */
  token: number | null;
  /** Dice that an ambush brings, by zone. */
  ambush_dice: number[];
  /** What a die can show. */
  faces: number[];
  /** Dice declared for this turn, an accepted offer included. */
  dice: number;
  dice_left: number;
  rolled: number;
  /** By seat: the silver offered to the mover. */
  offers: Record<number, number>;
}

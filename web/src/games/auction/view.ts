// Made by tools/wire_types.py from src/caramba/games/auction/view.py.

import type { View } from "../../wire";

/** One good before one player: the cards bid on it, the crates in play, what they make. */
export interface Lot {
  bids: string[];
  crates: string[];
  bonus: number;
  total: number;
  protected: boolean;
}

/** One player's side of the table. */
export interface Band {
  hand: string[];
  /** null before it is dealt, and once it is played. */
  special: string | null;
  special_played: boolean;
  lots: Record<string, Lot>;
  stash: string[];
  /** What the stash is worth, where it may be seen. */
  points: number | null;
  pile: number;
  discards: string[];
  passed: boolean;
}

/** Who would win a good now: alone, or several who tie; nobody where nothing is bid. */
export interface Lead {
  total: number;
  seats: number[];
}

/** The table as one seat sees it. */
export interface AuctionView extends View {
  phase: string;
  turn: number;
  max_turns: number;
  /** Who is first player; null before that is drawn. */
  first: number | null;
  first_round: boolean;
  /** What En seguridad may still stash, in value. */
  safe_left: number;
  centre: string[];
  /** What is left in the sack: everybody can work it out. */
  sack: string[];
  /** Special cards that have been played. */
  gone: string[];
  bands: Band[];
  /** By good, as long as there are bids to come. */
  leads: Record<string, Lead>;
}

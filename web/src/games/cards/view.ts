// Made by tools/wire_types.py from src/caramba/games/cards/view.py.

import type { View } from "../../wire";

/** One player's side of the table. */
export interface Player {
  hand: string[];
  /** Of the cards in hand, where all of them may be seen. */
  points: number | null;
  /** In total. */
  score: number;
  /** Whether this player has left the game. */
  out: boolean;
  /** Whether all of the hand is seen, and has few enough points for Caramba. */
  light: boolean;
}

/** The table as one seat sees it. */
export interface CardsView extends View {
  phase: string;
  deal: number;
  max_deals: number;
  lap: number;
  max_laps: number;
  /** Who began this deal; null before that is drawn. */
  first: number | null;
  deck: string;
  /** What cards of this deck count that show no number; X is a joker. */
  worth: Record<string, number>;
  call_limit: number;
  penalty: number;
  end_score: number;
  drop_to: number;
  /** Whether a total of just that end score falls to another one. */
  falls: boolean;
  /** Whether anybody may call in this lap. */
  calls: boolean;
  ends_only: boolean;
  others_score: boolean;
  elimination: boolean;
  /** How many cards are left in it. */
  pile: number;
  /** What was discarded in this turn. */
  laid: string[];
  /** What the previous player discarded. */
  previous: string[];
  /** Those of them that may be taken. */
  takeable: string[];
  /** What was discarded before that and not shuffled back yet. */
  older: string[];
  laid_by: number | null;
  /** Who discarded these sets. */
  previous_by: number | null;
  /** The seats, whoever stands best first; those who are out come last. */
  standing: number[];
  players: Player[];
}

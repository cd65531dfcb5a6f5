/** How the bids stand, and who sits where. */
import type { AuctionView } from "./view";

export interface Lead {
  /** The highest total for a good. */
  total: number;
  /** Who has it: several when they tie, nobody when it is nothing. */
  seats: number[];
}

export const NOBODY: Lead = { total: 0, seats: [] };

/** Totals mean something from just before the bids until the loot is shared out. */
export const AUCTION: readonly string[] = ["fuera", "bids", "loot"];

export function lead(view: AuctionView, good: string): Lead {
  if (!AUCTION.includes(view.phase)) return NOBODY;
  const totals = view.bands.map((band) => band.lots[good]?.total ?? 0);
  const total = Math.max(...totals);
  return { total, seats: total > 0 ? totals.flatMap((mine, seat) => (mine === total ? [seat] : [])) : [] };
}

export type Rank = "leads" | "ties" | "";

export function rank({ seats }: Lead, seat: number): Rank {
  if (!seats.includes(seat)) return "";
  return seats.length > 1 ? "ties" : "leads";
}

/** Everybody but the one who sits below, to the left first, as they speak. */
export function opposite(players: number, below: number): number[] {
  return Array.from({ length: players - 1 }, (_, i) => (below + 1 + i) % players);
}

/** Who is ahead, and who sits where. */
import type { Told } from "../../wire";
import type { Lead } from "./view";

export type Rank = "leads" | "ties" | "";

export function rank(lead: Lead | undefined, seat: number): Rank {
  if (!lead?.seats.includes(seat)) return "";
  return lead.seats.length > 1 ? "ties" : "leads";
}

/** How a total would stand against what leads now: first, as high, or behind. */
export function against(lead: Lead | null, total: number): "leads" | "ties" | "behind" {
  if (!lead?.seats.length || total > lead.total) return "leads";
  return total === lead.total ? "ties" : "behind";
}

/** Whether this is how a good was settled. */
export const isVerdict = (told: Told): boolean => ["won", "tie", "unwanted"].includes(told.kind);

/** Everybody but the one who sits below, to the left first, as they speak. */
export function opposite(players: number, below: number): number[] {
  return Array.from({ length: players - 1 }, (_, i) => (below + 1 + i) % players);
}

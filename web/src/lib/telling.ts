/** Which events are worth a line. */
import type { Told } from "../wire";
import { UNKNOWN } from "./pieces";

/** Kinds of events that hand something to a player. */
const HANDED = ["deal", "draw", "special"];

/** Whether one learns something: not from a card that somebody else got unseen. */
export function isNews(told: Told): boolean {
  return !(HANDED.includes(told.kind) && told.facts.card === UNKNOWN);
}

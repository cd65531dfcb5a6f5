/** Which events are worth a line. */
import type { Told } from "../wire";
import { UNKNOWN } from "./pieces";

/** Whether one learns something: not from what somebody else got unseen. */
export function isNews(told: Told): boolean {
  return !Object.values(told.facts).includes(UNKNOWN);
}

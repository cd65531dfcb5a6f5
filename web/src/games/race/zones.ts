/** The ground of the track, in words. */
import { say } from "../../lib/words.svelte";
import type { Zone } from "./art/trackGeometry";

export function zoneNames(): Record<Zone, string> {
  return { stone: say("stone"), gravel: say("gravel"), earth: say("earth") };
}

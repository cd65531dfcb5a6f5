/** Time as people read it. */
import { count } from "./words.svelte";

export function clockface(seconds: number): string {
  if (seconds >= 172_800) return count("{n} day", "{n} days", Math.floor(seconds / 86_400));
  if (seconds >= 7200) return count("{n} hour", "{n} hours", Math.floor(seconds / 3600));
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, "0")}`;
}

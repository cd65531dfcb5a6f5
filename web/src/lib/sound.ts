/** Short synthesised sounds: card, crate, die, coin, your turn, Caramba! */
import { settings } from "./settings.svelte";

export type Sound = "card" | "crate" | "die" | "coin" | "turn" | "caramba" | "trouble";

/** Each by its parameters, in zzfx's order: volume, randomness, frequency, attack, sustain, release, shape ... */
const SOUNDS: Record<Sound, (number | undefined)[]> = {
  card: [0.5, 0.1, 900, 0, 0.01, 0.04, 4, 0.3, -30],
  crate: [0.8, 0.1, 110, 0, 0.02, 0.09, 4, 1.8, -2],
  die: [0.6, 0.2, 320, 0, 0.01, 0.05, 4, 1.2, 0, 0, 0, 0, 0.03],
  coin: [0.5, 0.02, 1320, 0, 0.03, 0.18, 0, 1.6, 0, 0, 440, 0.04],
  turn: [0.5, 0, 523, 0.01, 0.08, 0.22, 0, 1, 0, 0, 262, 0.09],
  caramba: [0.7, 0, 392, 0.02, 0.25, 0.4, 1, 0.6, 0, 0, 196, 0.12],
  trouble: [0.5, 0, 160, 0.01, 0.06, 0.12, 2, 0.8],
};

/** Make a sound, if sounds are wanted and the browser lets us: before the first touch it does not. */
export function play(sound: Sound): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  // Loaded when first needed: it opens the device's sound at once.
  void import("zzfx").then(({ zzfx }) => zzfx(...SOUNDS[sound])).catch(() => {});
}

/** What is worth hearing most comes first. */
const RANKS: readonly Sound[] = ["caramba", "coin", "crate", "die", "card"];

/** The sound of what happened, by the kinds of events: the one that matters most. The end of a game always has one. */
export function soundOf(kinds: readonly string[], sounds: Readonly<Record<string, Sound>>): Sound | undefined {
  const all: Record<string, Sound> = { ...sounds, over: "caramba" };
  return RANKS.find((sound) => kinds.some((kind) => all[kind] === sound));
}

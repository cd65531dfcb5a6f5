/** What the pieces of the Auction are called. */
import { UNKNOWN } from "../../lib/pieces";
import { say } from "../../lib/words.svelte";
import { ends, type GoodLetter } from "./art/codes";

export const GOODS: readonly GoodLetter[] = ["g", "a", "d"];

export function goodName(good: string): string {
  if (good === "g") return say("gold");
  return good === "a" ? say("ammunition") : say("dynamite");
}

/** A bid card or a crate by its code: "gold 3, ammunition 4". */
export function pieceName(code: string): string {
  if (code === UNKNOWN) return say("unseen");
  return ends(code)
    .map(({ good, value }) => `${goodName(good)} ${value}`)
    .join(", ");
}

export function specialName(code: string): string {
  const names: Record<string, string> = {
    manos: "Manos arriba",
    vuelta: "Estoy de vuelta",
    fuera: "Fuera",
    seguridad: "En seguridad",
  };
  return names[code] ?? say("a special card");
}

/** What a special card does, and when. */
export function specialPower(code: string): string {
  if (code === "manos")
    return say("During the bids, instead of a bid card, but not in the first round: the bids are over that instant.");
  if (code === "vuelta")
    return say(
      "During the bids, instead of a bid card: take any card of your discards back into your hand. You stay in the bids.",
    );
  if (code === "fuera")
    return say("Just before the bids: name a good. Your crates of it cannot be lost this turn, whatever happens.");
  if (code === "seguridad")
    return say("When you may stash: hide as many crates as you like, up to 6 in value, instead of one.");
  return say("Nobody but its owner knows which one it is.");
}

/** What a card counts for a good, or a crate is worth. */
export function worth(code: string, good: string): number {
  return ends(code).find((end) => end.good === good)?.value ?? 0;
}

/** What is asked of a player, and what a newcomer may want to know about it. */
import { doing, the, type Choice } from "../../lib/legal";
import type { Tip } from "../../lib/scene";
import { say } from "../../lib/words.svelte";
import type { AuctionView, Band } from "./view";

export function task(view: AuctionView, all: readonly Choice[], raised: boolean, ties = false): string {
  switch (view.phase) {
    case "fuera":
      return doing(all, "fuera").length
        ? say("Play Fuera now, or wait?")
        : say("Nothing to play before the bids: press Wait.");
    case "bids":
      if (raised && ties) return say("Now tap a good to bid on: a tie (=) wins nothing.");
      if (raised) return say("Now tap a good to bid on.");
      if (!the(all, "pass")) return say("You begin: lay a card.");
      if (doing(all, "bid").length) return say("Lay a card, or pass.");
      return all.length > 1
        ? say("No cards left: pass, or your special card.")
        : say("No cards left: you can only pass.");
    case "stash":
      return say("Stash one crate, or keep them all in play.");
    case "seguridad":
      return say("Stash crates worth up to {n} more.", { n: view.safe_left });
    default:
      return "";
  }
}

/** The situations of a first game, the most important one first. */
export function tips(view: AuctionView, own: Band, all: readonly Choice[]): Tip[] {
  const lots = Object.values(own.lots);
  const found: [boolean, string, string][] = [];
  if (view.phase === "bids") {
    found.push(
      [
        true,
        "goal",
        say("Win crates, and stash them: in the end only stashed crates count, and the highest total wins."),
      ],
      [true, "bid", say("Tap a card, then one of the goods it shows: it counts for that good only.")],
      [true, "win", say("The highest total takes all crates of a good, and only the winner loses the cards.")],
      [Boolean(the(all, "pass")), "pass", say("Passing is final for this turn, but what you have laid still counts.")],
      [
        lots.some((lot) => lot.bids.length),
        "tie",
        say("Who ties at the top wins nothing, and the crates go to the centre: a way to spoil it for somebody."),
      ],
      [
        lots.some((lot) => lot.bonus),
        "bonus",
        say("Your best crate of a good in play adds to your total, but whoever wins the good takes it from you."),
      ],
      [
        view.bands.some((band) => band !== own && Object.values(band.lots).some((lot) => lot.crates.length)),
        "rob",
        say("Crates in play before the others can be won, too, along with those in the centre."),
      ],
      [
        doing(all, "manos").length > 0,
        "manos",
        say("You hold Manos arriba: it ends the bids at once. Play it when you lead where it matters."),
      ],
      [
        doing(all, "vuelta").length > 0,
        "vuelta",
        say("You hold Estoy de vuelta: it brings a strong card back from your discards, and you stay in the bids."),
      ],
    );
  }
  if (view.phase === "stash") {
    found.push(
      [true, "stash", say("Tap a crate to hide it: only hidden crates count in the end, and nobody can take them.")],
      [true, "in play", say("The crates that you leave in play add to your bids, but can be lost.")],
      [
        doing(all, "seguridad").length > 0,
        "seguridad",
        say("You hold En seguridad: once, instead of one crate, hide several, up to 6 in value."),
      ],
    );
  }
  if (view.phase === "seguridad")
    found.push([
      true,
      "safe",
      say("Tap the crates to hide, one after the other; then press Done. What is left of the 6 is lost."),
    ]);
  if (view.phase === "fuera") {
    found.push(
      [
        doing(all, "fuera").length > 0,
        "fuera",
        say("Fuera keeps your crates of one good safe this turn, but only once: wait until there is much to lose."),
      ],
      [
        true,
        "hold",
        say("Everybody with a special card and crates in play is asked: nobody can tell who holds Fuera."),
      ],
    );
  }
  return found.flatMap(([applies, name, text]) => (applies ? [{ name, text }] : []));
}

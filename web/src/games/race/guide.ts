/** What is asked in each phase, and what a newcomer should know about it. */
import type { Scene, Tip } from "../../lib/scene";
import { count, say } from "../../lib/words.svelte";
import type { RaceView } from "./view";

/** Whose sombrero is in turn. */
function moverIn({ view, table }: Pick<Scene<RaceView>, "view" | "table">): string {
  const hat = view.mover === null ? undefined : view.hats[view.mover];
  return hat ? (table.seats[hat.seat]?.name ?? "") : "";
}

export function task(scene: Scene<RaceView>): string {
  const { view } = scene;
  switch (view.phase) {
    case "place":
      return say("Put your sombrero on a free space.");
    case "round_ambush":
      return say("A round begins: lay an ambush?");
    case "turn_ambush":
      return say("Before your turn: lay an ambush?");
    case "dice":
      return say("How many dice do you roll?");
    case "offers":
      return count(
        "{player} rolls {n} die. Offer silver for one more?",
        "{player} rolls {n} dice. Offer silver for one more?",
        view.dice,
        { player: moverIn(scene) },
      );
    default:
      return say("Take silver and roll one more die?");
  }
}

/** What somebody else is asked, so that everybody sees who is about to roll, and who may still have a word. */
export function others({ view, table }: Scene<RaceView>): string | undefined {
  const player = view.actor === null ? undefined : table.seats[view.actor]?.name;
  const mover = moverIn({ view, table });
  if (player === undefined) return undefined;
  switch (view.phase) {
    case "dice":
      return say("{player} is about to roll, and chooses how many dice.", { player });
    case "offers":
      return count(
        "{mover} is about to roll {n} die. {player} may offer silver for one more.",
        "{mover} is about to roll {n} dice. {player} may offer silver for one more.",
        view.dice,
        { mover, player },
      );
    case "answer":
      return say("{player} is offered silver for one die more.", { player });
    default:
      return undefined;
  }
}

/** Those that apply now, the most important first. */
export function tips(scene: Scene<RaceView>): Tip[] {
  const { view, you } = scene;
  if (you === null) return [];
  const tips: Tip[] = [];
  const tip = (name: string, text: string): void => void tips.push({ name, text });
  if (view.bankrupt.includes(you)) {
    tip(
      "bankrupt",
      say("You are bankrupt: in this race you pay nothing more, but you are out of the game unless you win it."),
    );
  }
  if (view.phase === "place") tipsForPlacing(view, you, tip);
  else if (view.phase.endsWith("ambush")) tipsForAmbush(view, you, tip);
  else if (view.phase === "dice") {
    tipsForDice(view, tip);
  } else if (view.phase === "offers") {
    tip("offer", offering(scene));
  } else if (view.phase === "answer") {
    tip(
      "answer",
      say("Accept one offer and you get the silver at once, but roll one die more. Refusing costs nothing."),
    );
  }
  return tips;
}

/** Where people wait, the first thing to know is what silence means. */
function offering(scene: Scene<RaceView>): string {
  const player = moverIn(scene);
  if (!scene.table.closes)
    return say(
      "You may offer {player} silver for one die more, towards the mine. You pay only if your offer is accepted.",
      { player },
    );
  return say(
    "Silence is a no, and soon you are not asked again. You may offer {player} silver for one die more, towards the mine, and pay only if it is accepted.",
    { player },
  );
}

type Tell = (name: string, text: string) => void;

function tipsForPlacing(view: RaceView, you: number, tip: Tell): void {
  tip(
    "place",
    say(
      "Nobody wants to reach the mine: the last sombrero outside takes the pot. Those far behind roll many dice, the one in front only one.",
    ),
  );
  const own = view.hats.filter((hat) => hat.seat === you).length;
  if (own > 1) {
    tip(
      "two",
      say(
        "You lead {n} sombreros. Each has turns of its own, and each one that arrives pays. It is enough if one of them is the last outside.",
        { n: own },
      ),
    );
  }
  if (view.race > 1) {
    tip(
      "dearer",
      count(
        "A new race: arriving, gifts and dice bought off now cost {n} time as much as in the first.",
        "A new race: arriving, gifts and dice bought off now cost {n} times as much as in the first.",
        view.race,
      ),
    );
  }
}

function tipsForAmbush(view: RaceView, you: number, tip: Tell): void {
  const own = view.ambushes.filter((token) => token.seat === you);
  const [stone = 0, gravel = 0, earth = 0] = view.ambush_dice;
  if (own.some((token) => token.space === null)) {
    tip(
      "ambush",
      say(
        "Whoever ends a move exactly on an ambush rolls again at once: {stone} dice on stone, {gravel} on gravel, {earth} on earth. So can you: your own token does not spare you.",
        { stone, gravel, earth },
      ),
    );
    tip(
      "ambush stays",
      say(
        "An ambush costs nothing. It stays where it lies until every sombrero has passed it. Keeping it for later is fine: you will be asked again.",
      ),
    );
  }
  if (own.some((token) => token.passed)) {
    tip(
      "passed",
      say("Everybody has passed your ambush: right before your turn you may lift it and lay it somewhere ahead."),
    );
  }
}

function tipsForDice(view: RaceView, tip: Tell): void {
  const [low, high] = [view.faces[0] ?? 0, view.faces.at(-1) ?? 0];
  if (view.due === 1)
    tip("leader", say("Your sombrero leads, so it rolls a single die. Its faces are {low} to {high}.", { low, high }));
  else {
    tip(
      "dice",
      count(
        "Your sombrero is number {n} from the front, so it rolls {n} die. Each die you leave out costs silver, which goes into the pot: the more you leave out, the dearer.",
        "Your sombrero is number {n} from the front, so it rolls {n} dice. Each die you leave out costs silver, which goes into the pot: the more you leave out, the dearer.",
        view.due,
      ),
    );
  }
  if (view.mine_in_reach) {
    tip(
      "fee",
      count(
        "The mine is within reach. Arriving next costs {n} silver, and each later arrival more.",
        "The mine is within reach. Arriving next costs {n} silver, and each later arrival more.",
        view.fee,
      ),
    );
  }
  tip("odds", say("Odds shows where each number of dice may take you, ambushes and occupied spaces included."));
  tip(
    "gift",
    say("Ending on a space where a rival stands brings silver from its owner, but also one die more towards the mine."),
  );
}

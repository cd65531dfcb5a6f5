/** What is asked, in a sentence; and the first-game guide, situation by situation. */
import { doing, the, type Choice } from "../../lib/legal";
import type { Tip } from "../../lib/scene";
import { number, say } from "../../lib/words.svelte";
import type { CardsView } from "./view";
import { hasSet } from "./choosing";

/** What is asked of whoever is in turn. */
export function task(view: CardsView, choices: readonly Choice[]): string {
  if (view.phase === "take") return view.takeable.length ? say("Take one card.") : say("Draw from the pile.");
  if (the(choices, "caramba")) return say("Call, or discard.");
  return hasSet(doing(choices, "drop")) ? say("Discard a card or a set.") : say("Discard a card.");
}

/** What is worth explaining now, the most important first. */
export function tips(view: CardsView, choices: readonly Choice[], me: number | null): Tip[] {
  const mine = me === null ? undefined : view.players[me];
  if (!mine) return [];
  return view.phase === "take" ? taking(view) : discarding(view, choices, mine.score, me!);
}

function discarding(view: CardsView, choices: readonly Choice[], total: number, me: number): Tip[] {
  const found: Tip[] = [];
  const limit = view.call_limit;
  const worth = (rank: string): number => view.worth[rank] ?? 0;
  const court = number(worth("K"));
  if (the(choices, "caramba"))
    found.push(
      {
        name: "call",
        text: say("You may call! If your hand alone is the lightest, the others score theirs."),
      },
      {
        name: "call fails",
        text: say("If another hand is as light, only you score: your points and {penalty} more.", {
          penalty: view.penalty,
        }),
      },
    );
  const light = {
    name: "light",
    text: say("Get rid of points: with {limit} or less you may call Caramba.", { limit }),
  };
  const points = {
    name: "worth",
    text:
      view.deck === "tarot"
        ? say("Jack, Queen and King count {court}, a Knight {knight}.", { court, knight: number(worth("C")) })
        : say("Jack, Queen and King count {court}, a joker {joker}.", { court, joker: number(worth("X")) }),
  };
  // Who holds a Knight should not throw it away as a picture of high value.
  const holdsKnight = view.players[me]!.hand.some((card) => card.startsWith("C"));
  found.push(...(holdsKnight ? [points, light] : [light, points]));
  if (hasSet(doing(choices, "drop")))
    found.push({
      name: "sets",
      text:
        view.deck === "tarot"
          ? say("Some of your cards go together: one rank, or a run, all black or all red. Lay them at once.")
          : say("Some of your cards go together: one rank, or a run in one suit. Lay them at once."),
    });
  if (view.deck !== "tarot" && view.players[me]!.hand.some((card) => card.startsWith("X")))
    found.push({ name: "joker", text: say("A joker counts nothing and stands for any card of a set: worth keeping.") });
  if (view.players.some((player, seat) => seat !== me && !player.out && player.hand.length <= 2))
    found.push({
      name: "thin",
      text: say("Somebody is down to a card or two and may call soon: lose your dearest cards first."),
    });
  if (!view.calls && view.deal > 1)
    found.push({
      name: "first lap",
      text: say("In the first lap of a deal nobody may call. Everybody gets one turn at least."),
    });
  if (view.falls && total >= view.drop_to)
    found.push({
      name: "limit",
      text: say("Above {limit} the game ends and the lowest total wins; exactly {limit} falls to {low}.", {
        limit: view.end_score,
        low: view.drop_to,
      }),
    });
  return found;
}

function taking(view: CardsView): Tip[] {
  if (view.takeable.length === 0)
    return [
      {
        name: "first take",
        text: say("You always take one card back. Nothing lies on the table yet, so it comes from the pile."),
      },
    ];
  const found = [
    {
      name: "take",
      text: say("Take one card back: a hidden one from the pile, or one of the raised cards, for all to see."),
    },
  ];
  if (view.ends_only && view.takeable.length < view.previous.length)
    found.push({ name: "ends", text: say("House rule: of a run, only the ends can be taken.") });
  return found;
}

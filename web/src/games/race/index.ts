import { count, say } from "../../lib/words.svelte";
import { game } from "../game";
import Picture from "./Picture.svelte";
import Primer from "./Primer.svelte";
import { PACE } from "./script";

export default game({
  title: () => say("The Race"),
  teaser: () => say("A slow race of sombreros: the last one outside the silver mine takes the pot."),
  author: () => "Alex Randolph, 1992",
  place: 2,
  table: () => import("./Table.svelte"),
  primer: Primer,
  picture: Picture,
  chapters: () => say("races"),
  chapter: (n) => say("Race {n}", { n }),
  unit: { name: () => say("silver"), amount: (n) => count("{n} silver", "{n} silver", n) },
  turns: ["dice", "race"],
  aloud: ["move", "ambushed", "welcome", "arrive", "bankrupt", "race_won", "race"],
  sounds: {
    place: "crate",
    ambush: "crate",
    die: "die",
    move: "die",
    accept: "coin",
    ambushed: "coin",
    arrive: "coin",
    race_won: "caramba",
  },
  pace: PACE,
  inText: null,
});

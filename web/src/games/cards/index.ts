import { say } from "../../lib/words.svelte";
import { game } from "../game";
import Picture from "./Picture.svelte";
import Primer from "./Primer.svelte";
import { spoken } from "./cards";
import { PACE } from "./pace";

export default game({
  title: () => say("The Cards"),
  teaser: () => say("Get rid of high cards, keep few points, and call Caramba! before somebody has fewer."),
  author: () => say("a traditional game"),
  place: 3,
  table: () => import("./Table.svelte"),
  primer: Primer,
  picture: Picture,
  looksBack: true,
  chapters: () => say("deals"),
  chapter: (n) => say("Deal {n}", { n }),
  turns: ["drop", "new_deal"],
  aloud: ["drop", "take", "caramba", "won", "failed", "void", "out", "new_deal"],
  brought: ["scores"],
  spoken,
  sounds: {
    deal: "card",
    drop: "card",
    draw: "card",
    take: "card",
    caramba: "caramba",
  },
  pace: PACE,
  inText: null,
});

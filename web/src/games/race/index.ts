import { say } from "../../lib/words.svelte";
import { game } from "../game";
import Picture from "./Picture.svelte";
import Primer from "./Primer.svelte";
import { PACE } from "./script";
import Table from "./Table.svelte";

export default game({
  title: () => say("The Race"),
  teaser: () => say("A slow race of sombreros: the last one outside the silver mine takes the pot."),
  author: () => "Alex Randolph, 1992",
  place: 2,
  table: Table,
  primer: Primer,
  picture: Picture,
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

import { say } from "../../lib/words.svelte";
import { game } from "../game";
import PieceInText from "./PieceInText.svelte";
import Picture from "./Picture.svelte";
import Primer from "./Primer.svelte";

export default game({
  title: () => say("The Auction"),
  teaser: () => say("Bid on crates of gold, ammunition and dynamite, and bluff: who ties gets nothing."),
  author: () => "Michael Schacht, 2005",
  place: 1,
  table: () => import("./Table.svelte"),
  primer: Primer,
  picture: Picture,
  chapters: () => say("turns"),
  turns: ["turn"],
  aloud: ["bid", "pass", "manos", "vuelta", "fuera", "won", "tie", "unwanted", "turn"],
  sounds: {
    bid: "card",
    deal: "card",
    vuelta: "card",
    manos: "card",
    fuera: "card",
    crate: "crate",
    stash: "crate",
    seguridad: "crate",
    won: "crate",
  },
  pace: {
    bid: { after: 520 },
    manos: { after: 900 },
    won: { before: 900, after: 600 },
    tie: { before: 900, after: 600 },
    unwanted: { before: 450, after: 600 },
    stash: { after: 560 },
    deal: { after: 500 },
    turn: { after: 400 },
  },
  inText: { code: /\b((?:[gad]\d){1,2})\b/, piece: PieceInText },
});

/** What is pressed in the Auction, beside cards, goods and crates. */
import type { Choice } from "../../lib/legal";
import { say } from "../../lib/words.svelte";
import { goodName } from "./goods";

export interface Door {
  /** The action. */
  text: string;
  words: string;
  /** Whether it is what one mostly wants. */
  main: boolean;
}

export function doors(choices: readonly Choice[]): Door[] {
  const texts: Record<string, string> = {
    pass: say("Pass"),
    manos: say("Manos arriba!"),
    hold: say("Wait"),
    keep: say("Keep all in play"),
    seguridad: say("En seguridad"),
    done: say("Done"),
  };
  return choices.flatMap(({ text, form }) => {
    const does = String(form.do);
    if (does === "fuera")
      return [{ text, words: say("Fuera: {good}", { good: goodName(String(form.good)) }), main: false }];
    return texts[does] ? [{ text, words: texts[does], main: ["done", "hold"].includes(does) }] : [];
  });
}

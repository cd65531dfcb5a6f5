/** What a table is drawn from: the same for a game that is played, watched, or looked back at. */
import type { News, Refused, Table, Told, View, Window } from "../wire";
import type { Choice } from "./legal";
import type { Past } from "./past.svelte";

export interface Scene<Shown extends View = View> {
  readonly table: Table;
  readonly view: Shown;
  /** The seat of whoever looks; null for those who watch. */
  readonly you: number | null;
  readonly log: readonly Told[];
  /** Questions that the table can answer for whoever looks, and whether it does. */
  readonly windows: readonly Window[];
  /** What may be done now; nothing for those who are not asked. */
  readonly choices: readonly Choice[];
  /** Whether an action is on its way, so that no other may follow. */
  readonly busy: boolean;
  /** The action that is on its way. */
  readonly pending: Choice | null;
  /** What will be sent when the line is back. */
  readonly unsent: Choice | null;
  /** When the clock of whoever is asked runs out, in milliseconds of this device. */
  readonly deadline: number | null;
  /** Why something was not done, and the rule that says so. */
  readonly refusal: Pick<Refused, "reason" | "rule"> | null;
  /** What has happened and is about to be shown: dice tumble before sombreros hop. Where the game gives a pace, this
   * is one thing after the other, and `view` is the table right before it. */
  readonly coming: News | null;
  /** All that has been told of what is being played, up to what is coming; nothing when the table stands still. */
  readonly just: readonly Told[];
  /** The game as one that is looked back at: then nobody is asked, and one goes from step to step. */
  readonly past?: Past;
  /** Send an action, as it is written; one that is not legal is answered with the reason and the rule. */
  act(action: string): void;
  /** Whether nothing is played until one is asked; and to want that. */
  readonly isRushed: boolean;
  rush(): void;
  /** Say whether one wants to be asked some questions, by the names of their windows. */
  ask(windows: readonly string[], wanted: boolean): void;
  /** Answer a touch that means no action at all: why it does nothing. */
  explain(reason: string, rule?: string): void;
  /** Whoever touches something else has read why. */
  hush(): void;
}

/** A scene of which some is told otherwise; getters stay alive. */
export function retold<Shown extends Scene>(scene: () => Shown, otherwise: Partial<Shown>): Shown {
  return new Proxy({} as Shown, {
    get: (_, name) => {
      if (Reflect.has(otherwise, name)) return Reflect.get(otherwise, name) as unknown;
      const value = Reflect.get(scene(), name) as unknown;
      return typeof value === "function" ? (value.bind(scene()) as unknown) : value;
    },
  });
}

/** Something that is explained once, in place, when a player first meets it. */
export interface Tip {
  /** Its name, by which it is remembered. */
  name: string;
  text: string;
}

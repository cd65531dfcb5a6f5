/** A table as this page knows it: what the server has confirmed, and what is still on its way. */
import type { Playing } from "../games/game";
import type { Answer, Asked, News, Refused, Said, Table, Window } from "../wire";
import * as api from "./api";
import { part } from "./deal";
import type { Choice } from "./legal";
import { Line, type Condition, type Wire } from "./line";
import type { Scene } from "./scene";
import { play } from "./sound";
import { Stage } from "./stage.svelte";
import { language } from "./words.svelte";

/** Milliseconds of rest after an action. */
const REST = 250;

let keys = 0;
const session = Math.random().toString(36).slice(2);

/** A key that no other message has. */
export function newKey(): string {
  keys += 1;
  return `${session}-${keys}`;
}

export class TableState {
  condition = $state<Condition>("connecting");
  you = $state<number | null>(null);
  table = $state.raw<Table | null>(null);
  windows = $state.raw<Window[]>([]);
  chat = $state.raw<Said[]>([]);
  /** Why something was not done, and the rule that says so. */
  refusal = $state.raw<Pick<Refused, "reason" | "rule"> | null>(null);
  /** The action that was sent and is not confirmed. */
  pending = $state.raw<Choice | null>(null);
  /** A line of chat that was not passed on, and why. */
  unsaid = $state.raw<{ text: string; reason: string } | null>(null);
  /** Right after an action nothing is sent: a second tap of the same finger means nothing else. */
  private resting = $state(false);
  private said = "";
  /** What was said in the deal on this line. */
  private mixed = new Set<string>();
  /** When the clock of whoever is asked runs out, in milliseconds of this device. */
  deadline = $state<number | null>(null);
  /** When the table was last told of, in milliseconds of this device. */
  learned = $state(0);
  private readonly stage = new Stage({
    playing: () => this.playing(this.table?.game ?? ""),
    you: () => this.you,
    shown: (part) => this.take(part),
  });
  /** Whether the next news tells what was missed. */
  private isBack = false;
  readonly busy = $derived(this.pending !== null || this.resting || this.stage.busy || this.condition !== "open");
  number = 0;
  private line: Line;

  constructor(
    readonly id: string,
    open: () => Wire,
    /** By game: how its news is played. */
    private readonly playing: (game: string) => Playing = () => ({ sounds: {} }),
  ) {
    this.line = new Line(open, {
      heard: (answer) => this.hear(answer),
      changed: (condition) => (this.condition = condition),
      have: () => (this.stage.canFollow ? this.number : null),
      language,
    });
  }

  get view() {
    return this.stage.view;
  }

  get log() {
    return this.stage.log;
  }

  get began() {
    return this.stage.began;
  }

  get coming() {
    return this.stage.coming;
  }

  get just() {
    return this.stage.just;
  }

  get choices() {
    return this.stage.choices;
  }

  /** The table to be drawn, once there is a game. */
  get scene(): Scene | null {
    return this.view && this.table ? (this as Scene) : null;
  }

  explain(reason: string, rule: string | null = null): void {
    this.refusal = { reason, rule };
  }

  /** Take a step, as an answer to what is shown. */
  act(action: string): void {
    if (this.busy) return;
    this.refusal = null;
    this.pending = this.choices.find((choice) => choice.text === action) ?? {
      text: action,
      phrase: action,
      form: {},
      brings: {},
    };
    this.resting = true;
    setTimeout(() => (this.resting = false), REST);
    this.line.say({ type: "act", key: newKey(), number: this.number, action });
  }

  takeBack(): void {
    this.line.say({ type: "take_back", key: newKey(), number: this.number });
  }

  send(message: Asked): void {
    if (message.type === "say") {
      this.said = message.text;
      this.unsaid = null;
    }
    this.line.say(message);
  }

  /** Speak the language of the page; the log begins anew. */
  relearn(): void {
    this.stage.forget();
    this.line.greet();
  }

  /** Ask for the part of the log before the one there is. */
  async earlier(): Promise<void> {
    const [until, spoken] = [this.began, language()];
    const { since, events } = await api.log(this.id, until, spoken);
    if (until !== this.began || spoken !== language()) return; // it is not the same log any more
    this.stage.addEarlier(since, events);
  }

  hurry(): void {
    this.line.hurry();
  }

  close(): void {
    this.line.close();
  }

  private hear(answer: Answer): void {
    switch (answer.type) {
      case "welcome":
        this.you = answer.you;
        this.chat = answer.chat;
        this.mixed.clear();
        this.isBack = true;
        this.learn(answer.table, answer.windows);
        break;
      case "table":
        this.learn(answer.table, answer.windows);
        break;
      case "news":
        void this.stage.add(answer, !this.isBack);
        this.isBack = false;
        break;
      case "accepted": // what came of it is on its way
        break;
      case "refused":
        this.refuse(answer);
        break;
      case "said":
        this.chat = [...this.chat, answer].slice(-200);
        if (answer.seat === this.you) this.said = "";
        break;
      case "pong":
        break;
    }
  }

  private refuse(answer: Refused): void {
    if (answer.key === null && this.isOvertaken()) return;
    play("trouble");
    if (answer.key === null && this.said) {
      // What has no key and is no action was a line of chat, if one was said.
      this.unsaid = { text: this.said, reason: answer.reason };
      this.said = "";
      return;
    }
    this.pending = null;
    this.refusal = answer;
  }

  /** Whether a promise came too late, once: another device at this seat takes part in the deal. */
  private isOvertaken(): boolean {
    const late = this.mixed.has("promise") && !this.mixed.has("reveal");
    this.mixed.add("reveal");
    return late;
  }

  private learn(table: Table, windows: Window[] = this.windows): void {
    this.table = table;
    this.windows = windows;
    this.learned = Date.now();
    this.deadline = table.deadline === null ? null : this.learned + 1000 * table.deadline;
    this.mix(table);
  }

  /** Take part in the deal, as far as it has come. */
  private mix(table: Table): void {
    if (table.status === "open") this.mixed.clear();
    const message = this.you === null ? null : part(table, this.you, this.mixed);
    if (!message) return;
    this.mixed.add(message.type);
    this.line.say(message);
  }

  private take(part: News): void {
    this.number = part.number;
    if (part.table) this.learn(part.table);
    this.pending = null;
    if (part.events.some((told) => told.seat === this.you)) this.refusal = null;
  }
}

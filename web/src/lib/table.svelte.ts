/** A table as this page knows it: what the server has confirmed, and what is still on its way. */
import type { Answer, Asked, News, Refused, Said, Table, Told, View, Window } from "../wire";
import { tick } from "svelte";
import * as api from "./api";
import { part } from "./deal";
import { choices, type Choice } from "./legal";
import { Line, type Condition, type Wire } from "./line";
import { stillness } from "./motion.svelte";
import type { Scene } from "./scene";
import { play, soundOf, type Sound } from "./sound";
import { language } from "./words.svelte";

/** So many pieces of news behind, nobody wants to see each. */
const BACKLOG = 4;

/** Fewer steps than any news tell of. */
const NOTHING = -1;

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
  view = $state.raw<View | null>(null);
  log = $state.raw<Told[]>([]);
  /** The step with which the log begins: what was before that can be asked for. */
  began = $state(0);
  /** How many steps have been told of. */
  private steps = 0;
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
  /** What has happened and is about to be shown. */
  coming = $state.raw<News | null>(null);
  private phrases = $state.raw<string[]>([]);
  readonly choices = $derived(choices(this.view, this.phrases));
  /** News that has come and is not shown yet: nobody answers to what is past. */
  private queue = $state.raw<News[]>([]);
  readonly busy = $derived(
    this.pending !== null || this.resting || this.coming !== null || this.queue.length > 0 || this.condition !== "open",
  );
  number = 0;
  private showing = false;
  private line: Line;

  constructor(
    readonly id: string,
    open: () => Wire,
    /** By game: what its kinds of events sound like. */
    private readonly sounds: (game: string) => Readonly<Record<string, Sound>> = () => ({}),
  ) {
    this.line = new Line(open, {
      heard: (answer) => this.hear(answer),
      changed: (condition) => (this.condition = condition),
      have: () => (this.steps > NOTHING && this.view ? this.number : null),
      language,
    });
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
    this.pending = this.choices.find((choice) => choice.text === action) ?? { text: action, phrase: action, form: {} };
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
    this.steps = NOTHING;
    this.line.greet();
  }

  /** Ask for the part of the log before the one there is. */
  async earlier(): Promise<void> {
    const [until, spoken] = [this.began, language()];
    const { since, events } = await api.log(this.id, until, spoken);
    if (until !== this.began || spoken !== language()) return; // it is not the same log any more
    this.log = [...events, ...this.log];
    this.began = since;
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
        this.learn(answer.table, answer.windows);
        break;
      case "table":
        this.learn(answer.table, answer.windows);
        break;
      case "news":
        this.queue = [...this.queue, answer];
        void this.show();
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

  /** One piece of news after the other, each as long as it takes to follow it; a backlog is not played. */
  private async show(): Promise<void> {
    if (this.showing) return;
    this.showing = true;
    for (let news = this.next(); news; news = this.next()) {
      const followed = this.view !== null && this.queue.length < BACKLOG && !document.hidden;
      if (followed) {
        this.coming = news;
        await tick();
        await stillness();
      }
      this.take(news);
      if (followed) {
        this.sound(news);
        await tick();
        await stillness();
      }
    }
    this.showing = false;
  }

  private next(): News | undefined {
    const [first, ...others] = this.queue;
    if (first) this.queue = others;
    return first;
  }

  private take(news: News): void {
    this.number = news.number;
    this.tell(news);
    this.view = news.view;
    this.phrases = news.phrases;
    if (news.table) this.learn(news.table);
    this.pending = null;
    this.coming = null;
    if (news.events.some((told) => told.seat === this.you)) this.refusal = null;
  }

  /** Go on with the log, forget what was taken back; after a gap it begins anew. */
  private tell({ since, steps, events }: News): void {
    const known = since > this.steps ? [] : this.log.filter((told) => told.step < since);
    this.began = since > this.steps ? since : Math.min(this.began, since);
    this.log = [...known, ...events];
    this.steps = steps;
  }

  private sound(news: News): void {
    const mine = news.view.actor !== null && news.view.actor === this.you;
    const kinds = news.events.map((told) => told.kind);
    const sound = soundOf(kinds, this.sounds(news.table.game)) ?? (mine ? "turn" : undefined);
    if (sound) play(sound);
  }
}

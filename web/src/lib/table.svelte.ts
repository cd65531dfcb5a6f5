/** A table as this page knows it: what the server has confirmed, and what is still on its way. */
import type { Answer, Asked, News, Refused, Said, Table, Told, View, Window } from "../wire";
import { Line, type Condition, type Wire } from "./line";
import { language } from "./words.svelte";

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
  phrases = $state.raw<string[]>([]);
  log = $state.raw<Told[]>([]);
  chat = $state.raw<Said[]>([]);
  refusal = $state.raw<Refused | null>(null);
  /** The action that was sent and is not confirmed. */
  pending = $state<string | null>(null);
  /** When the clock of whoever is asked runs out, in milliseconds of this device. */
  deadline = $state<number | null>(null);
  number = 0;
  /** Called with each piece of news before it is shown; resolves when it may be. */
  beforeNews: (news: News) => Promise<void> = () => Promise.resolve();
  private queue: News[] = [];
  private busy = false;
  private line: Line;

  constructor(readonly id: string, open: () => Wire) {
    this.line = new Line(open, {
      heard: (answer) => this.hear(answer),
      changed: (condition) => (this.condition = condition),
      have: () => (this.view ? this.number : null),
      language,
    });
  }

  /** Take a step, as an answer to what is shown. */
  act(action: string): void {
    this.refusal = null;
    this.pending = action;
    this.line.say({ type: "act", key: newKey(), number: this.number, action });
  }

  takeBack(): void {
    this.line.say({ type: "take_back", key: newKey(), number: this.number });
  }

  say(message: Asked): void {
    this.line.say(message);
  }

  /** Speak the language of the page, from the beginning. */
  relearn(): void {
    this.line.greet(null);
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
        this.learn(answer.table, answer.windows);
        break;
      case "table":
        this.learn(answer.table, answer.windows);
        break;
      case "news":
        this.queue.push(answer);
        void this.show();
        break;
      case "accepted":
        this.pending = null;
        break;
      case "refused":
        this.pending = null;
        this.refusal = answer;
        break;
      case "said":
        this.chat = [...this.chat, answer].slice(-200);
        break;
      case "pong":
        break;
    }
  }

  private learn(table: Table, windows: Window[] = this.windows): void {
    this.table = table;
    this.windows = windows;
    this.deadline = table.deadline === null ? null : Date.now() + 1000 * table.deadline;
  }

  /** One piece of news after the other, each as long as it takes to follow it. */
  private async show(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    for (let news = this.queue.shift(); news; news = this.queue.shift()) {
      await this.beforeNews(news);
      this.number = news.number;
      this.log = [...this.log.filter((told) => told.step < news.since), ...news.events];
      this.view = news.view;
      this.phrases = news.phrases;
      this.learn(news.table);
      this.pending = null;
    }
    this.busy = false;
  }
}

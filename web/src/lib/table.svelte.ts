/** A table as this page knows it: what the server has confirmed, and what is still on its way. */
import type { Playing } from "../games/game";
import type { Answer, News, Refused, Said, Table, Window } from "../wire";
import { part } from "./deal";
import type { Choice } from "./legal";
import { Line, type Condition, type Wanted, type Wire, type Wish } from "./line";
import type { Scene } from "./scene";
import { play } from "./sound";
import { Stage } from "./stage.svelte";
import { language, sentence } from "./words.svelte";

/** Milliseconds of rest after an action. */
const REST = 250;

let keys = 0;
const session = Math.random().toString(36).slice(2);

/** A key that no other message has. */
function newKey(): string {
  keys += 1;
  return `${session}-${keys}`;
}

/** A table of this server, followed from now on. */
export function follow(id: string, playing: (game: string) => Playing): TableState {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const address = `${scheme}://${location.host}/api/tables/${id}/socket`;
  return new TableState(id, () => new WebSocket(address) as unknown as Wire, playing);
}

export class TableState {
  condition = $state<Condition>("connecting");
  you = $state<number | null>(null);
  table = $state.raw<Table | null>(null);
  windows = $state.raw<Window[]>([]);
  chat = $state.raw<Said[]>([]);
  /** Why something was not done, and the rule that says so. */
  refusal = $state.raw<Pick<Refused, "reason" | "rule"> | null>(null);
  /** The action that was sent and is not confirmed; on a lost line it is on no way. */
  unconfirmed = $state.raw<Choice | null>(null);
  readonly pending = $derived(this.condition === "open" ? this.unconfirmed : null);
  readonly unsent = $derived(this.condition === "open" ? null : this.unconfirmed);
  /** A line of chat that was not passed on, and why. */
  unsaid = $state.raw<{ text: string; reason: string } | null>(null);
  /** Right after an action nothing is sent: a second tap of the same finger means nothing else. */
  private resting = $state(false);
  /** Lines of chat that were said and are not confirmed, by key. */
  private lines = $state.raw<ReadonlyMap<string, string>>(new Map());
  /** Those that wait for a line to be said on. */
  readonly waiting = $derived(this.condition === "open" ? [] : [...this.lines.values()]);
  /** The key of the last action. */
  private acted = "";
  /** What was said in the deal on this line, and its key. */
  private mixed = new Map<string, string>();
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
  readonly busy = $derived(
    this.unconfirmed !== null || this.resting || this.stage.busy || this.condition === "refused",
  );
  /** Whether there is a step of mine that could be taken back. */
  canTakeBack = $state(false);
  number = $state(0);
  private line: Line;

  constructor(
    readonly id: string,
    open: () => Wire,
    /** By game: how its news is played. */
    private readonly playing: (game: string) => Playing = () => ({ sounds: {} }),
  ) {
    this.line = new Line(open, {
      heard: (answer, about) => this.hear(answer, about),
      changed: (condition) => (this.condition = condition),
      have: () => (this.stage.canFollow ? this.number : null),
      language,
    });
  }

  get view() {
    return this.stage.view;
  }

  get steps() {
    return this.stage.steps;
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

  get isRushed() {
    return this.stage.isRushed;
  }

  rush(): void {
    this.stage.rush();
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

  hush(): void {
    if (this.condition !== "refused") this.refusal = null; // what ends a table stays
  }

  /** Take a step, as an answer to what is shown. */
  act(action: string): void {
    if (this.busy) return;
    this.refusal = null;
    this.unconfirmed = this.choices.find((choice) => choice.text === action) ?? {
      text: action,
      phrase: action,
      form: {},
      brings: {},
    };
    this.resting = true;
    setTimeout(() => (this.resting = false), REST);
    this.acted = this.send({ type: "act", number: this.number, action });
  }

  ask(windows: readonly string[], wanted: boolean): void {
    this.send({ type: "standing", ask: Object.fromEntries(windows.map((name) => [name, wanted])) });
  }

  takeBack(): void {
    this.send({ type: "take_back", number: this.number });
  }

  /** Say what is wanted; its key, by which it is answered. */
  send(wish: Wish): string {
    const key = newKey();
    if (wish.type === "say") {
      this.lines = new Map(this.lines).set(key, wish.text);
      this.unsaid = null;
    }
    this.line.say({ ...wish, key });
    return key;
  }

  /** Speak the language of the page; the log begins anew. */
  relearn(): void {
    this.stage.forget();
    this.line.greet();
  }

  /** Ask for the part of the log before the one there is. */
  earlier(): Promise<void> {
    return this.stage.earlier(this.id);
  }

  hurry(): void {
    this.line.hurry();
  }

  distrust(): void {
    this.line.distrust();
  }

  close(): void {
    this.line.close();
  }

  private hear(answer: Answer, about?: Wanted): void {
    if (about?.type === "say") this.lines = new Map([...this.lines].filter(([key]) => key !== about.key));
    switch (answer.type) {
      case "welcome":
        this.you = answer.you;
        this.chat = answer.chat;
        for (const [what, key] of this.mixed) if (!this.line.awaits(key)) this.mixed.delete(what);
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
        this.refuse(answer, about);
        break;
      case "said":
        this.chat = [...this.chat, answer].slice(-200);
        break;
      case "pong":
        break;
    }
  }

  private refuse(answer: Refused, about?: Wanted): void {
    if (answer.key !== null && !about) return; // another device at this seat wanted it
    // Another device was faster with the deal: how that stands, the table tells.
    if ((about?.type === "promise" || about?.type === "reveal") && answer.code === "illegal") return;
    play("trouble");
    const reason = sentence(answer.reason);
    if (about?.type === "say") this.unsaid = { text: about.text, reason };
    else this.refusal = { reason, rule: answer.rule };
    if (about?.key === this.acted) this.unconfirmed = null;
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
    this.mixed.set(message.type, this.send(message));
  }

  private take(part: News): void {
    this.number = part.number;
    this.canTakeBack = part.can_take_back;
    if (part.table) this.learn(part.table);
    this.unconfirmed = null;
    if (part.events.some((told) => told.seat === this.you)) this.refusal = null;
  }
}

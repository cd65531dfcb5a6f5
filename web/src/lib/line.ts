/** A conversation with a table that outlives bad networks.
 *
 * It connects again by itself, says how much it has, and sends anew what was not acknowledged: each
 * thing has a key of its own, so the table does it once.
 */
import { PROTOCOL, type Answer, type Asked } from "../wire";

export type Condition = "connecting" | "open" | "lost" | "refused";

/** What is wanted of a table: it is answered once, by its key. */
export type Wanted = Extract<Asked, { key: string }>;
/** The same, before it has one. */
export type Wish = Wanted extends infer Each ? (Each extends Wanted ? Omit<Each, "key"> : never) : never;

export interface Listener {
  /** A message has come; what it is the answer to, if that was said here. */
  heard(answer: Answer, about?: Wanted): void;
  /** The line has become better or worse. */
  changed(condition: Condition): void;
  /** How much of the log there is already. */
  have(): number | null;
  language(): string;
}

/** The part of a WebSocket that is used here. */
export interface Wire {
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(frame: string): void;
  close(): void;
}

/** What `readyState` is when something can be sent. */
const OPEN = 1;
/** Milliseconds between two attempts to connect, at the most: a network that is back is not waited for. */
const WAITS = [250, 500, 1000, 1500];
/** Milliseconds for an attempt. Devices knock at 0, 1 and 3 seconds, and then only at 7: a new one knocks before that. */
const ATTEMPT = 5000;
/** Milliseconds of silence after which somebody is asked for a sign of life, and for the answer. */
const PATIENCE = 6000;
/** Milliseconds for that answer where there is reason to doubt. */
const DOUBT = 2500;
/** Milliseconds in which an attempt is young: to hurry makes no sense. */
const YOUNG = 1000;
/** The code with which a server closes for good. */
const FINAL = 1008;
/** Why a server does not let one in, however often it is asked. */
const FOR_GOOD = ["forbidden", "protocol"];

export class Line {
  /** The one that counts, connected or being tried; null between two attempts. */
  private wire: Wire | null = null;
  /** When it was tried, in milliseconds of this device. */
  private began = 0;
  private attempts = 0;
  private unanswered = new Map<string, Wanted>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  condition: Condition = "connecting";

  constructor(
    private readonly open: () => Wire,
    private readonly listener: Listener,
  ) {
    this.connect();
  }

  /** Say something, now and on every line that follows, until it is answered. */
  say(message: Wanted): void {
    this.unanswered.set(message.key, message);
    if (this.condition === "open") this.send(message);
  }

  /** Whether something was said that nobody has answered. */
  awaits(key: string): boolean {
    return this.unanswered.has(key);
  }

  /** Make sure of it at once, for instance because the device is online again, or somebody looks again. */
  hurry(): void {
    if (this.ended || this.condition === "refused") return;
    if (this.condition === "open") this.ask(DOUBT);
    else if (!this.wire || Date.now() - this.began > YOUNG) this.connect();
  }

  /** The device says that there is no network: nothing will come on this line. */
  distrust(): void {
    if (this.wire) this.lose();
  }

  /** Say hello again, in another language; where no line is open, the next one begins with it anyway. */
  greet(): void {
    const [have, language] = [this.listener.have(), this.listener.language()];
    this.send({ type: "hello", protocol: PROTOCOL, have, language });
  }

  /** No more of it: nothing is said or heard after this. */
  close(): void {
    this.ended = true;
    this.drop();
  }

  private connect(): void {
    this.drop();
    this.began = Date.now();
    const wire = (this.wire = this.open());
    wire.onopen = () => {
      this.expect(PATIENCE);
      this.greet();
    };
    wire.onmessage = (event) => this.hear(String(event.data));
    wire.onclose = (event) => this.lose(event.code);
    this.expect(ATTEMPT);
  }

  private send(message: Asked): void {
    if (this.wire?.readyState === OPEN) this.wire.send(JSON.stringify(message));
  }

  private hear(frame: string): void {
    const answer = JSON.parse(frame) as Answer;
    if (answer.type === "welcome") {
      this.attempts = 0;
      this.become("open");
      for (const message of this.unanswered.values()) this.send(message);
    }
    if (this.condition === "open") this.feelPulse();
    this.listener.heard(answer, this.settle(answer));
    if (answer.type === "refused" && this.condition !== "open" && FOR_GOOD.includes(answer.code)) this.lose(FINAL);
  }

  /** What a message is the answer to: it is not said again. */
  private settle(answer: Answer): Wanted | undefined {
    if (answer.type !== "accepted" && answer.type !== "refused") return undefined;
    const about = this.unanswered.get(answer.key ?? "");
    this.unanswered.delete(answer.key ?? "");
    return about;
  }

  /** Ask now and then whether somebody is there: a dead network tells nobody. */
  private feelPulse(): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.ask(PATIENCE), PATIENCE);
  }

  private ask(patience: number): void {
    this.send({ type: "ping" });
    this.expect(patience);
  }

  /** Give the line up unless something is heard in time. Its own end may take minutes to be told. */
  private expect(milliseconds: number): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.lose(), milliseconds);
  }

  private lose(code?: number): void {
    this.drop();
    if (code === FINAL) return this.become("refused");
    // Who gives up on silence has waited already.
    const wait = code === undefined ? 0 : WAITS[Math.min(this.attempts++, WAITS.length - 1)]!;
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + 0.5 * Math.random()));
    this.become("lost");
  }

  /** Have nothing more to do with a line: its end is not waited for, and what it still tells is nobody's business. */
  private drop(): void {
    const { wire } = this;
    this.wire = null;
    clearTimeout(this.timer);
    clearTimeout(this.pulse);
    if (!wire) return;
    wire.onopen = wire.onmessage = wire.onclose = null;
    wire.close();
  }

  private become(condition: Condition): void {
    this.condition = condition;
    this.listener.changed(condition);
  }
}

/** A conversation with a table that outlives bad networks.
 *
 * It connects again by itself, says how much it has, and sends anew what was not acknowledged: each
 * thing has a key of its own, so the table does it once.
 */
import { PROTOCOL, type Answer, type Asked } from "../wire";

export type Condition = "connecting" | "open" | "lost" | "refused";

export interface Listener {
  /** A message has come. */
  heard(answer: Answer): void;
  /** The line has become better or worse. */
  changed(condition: Condition): void;
  /** How much of the log there is already. */
  have(): number | null;
  language(): string;
}

/** The part of a WebSocket that is used here. */
export interface Wire {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(frame: string): void;
  close(): void;
}

type Keyed = Extract<Asked, { key: string }>;

const WAITS = [250, 500, 1000, 2000, 4000, 8000];
/** Milliseconds between two attempts to connect. */
const PATIENCE = 12_000;
/** Milliseconds without a sign of life after which a line counts as lost. */
const FINAL = 1008;
/** The code with which a server closes for good. */

export class Line {
  private wire: Wire | null = null;
  private attempts = 0;
  private unanswered = new Map<string, Keyed>();
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

  /** Say something now; what is not said because the line is lost is forgotten, unless it has a key. */
  say(message: Asked): void {
    if ("key" in message) this.unanswered.set(message.key, message);
    if (this.condition === "open") this.wire?.send(JSON.stringify(message));
  }

  /** Whether something was sent that nobody has confirmed. */
  get waiting(): boolean {
    return this.unanswered.size > 0;
  }

  /** Forget what was not confirmed: the table has answered it in another way. */
  settle(key: string | null): void {
    if (key !== null) this.unanswered.delete(key);
  }

  /** Try at once, for instance because the device is online again. */
  hurry(): void {
    if (this.condition === "lost") {
      clearTimeout(this.timer);
      this.connect();
    }
  }

  /** Say hello again: in another language, or to begin anew. */
  greet(have: number | null = this.listener.have()): void {
    this.wire?.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, have, language: this.listener.language() }));
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.pulse);
    this.wire?.close();
  }

  private connect(): void {
    if (this.ended) return;
    const wire = this.open();
    this.wire = wire;
    wire.onopen = () => this.greet();
    wire.onmessage = (event) => this.hear(String(event.data));
    wire.onclose = (event) => {
      if (this.wire === wire) this.lose(event.code);
    };
  }

  private hear(frame: string): void {
    this.feelPulse();
    const answer = JSON.parse(frame) as Answer;
    if (answer.type === "welcome") {
      this.attempts = 0;
      this.become("open");
      for (const message of this.unanswered.values()) this.wire?.send(JSON.stringify(message));
    }
    if (answer.type === "accepted" || answer.type === "refused") this.settle(answer.key);
    this.listener.heard(answer);
  }

  /** Ask now and then whether somebody is there: a dead network tells nobody. */
  private feelPulse(): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => {
      this.wire?.send(JSON.stringify({ type: "ping" }));
      this.pulse = setTimeout(() => this.wire?.close(), PATIENCE / 2);
    }, PATIENCE / 2);
  }

  private lose(code: number): void {
    clearTimeout(this.pulse);
    if (code === FINAL) {
      this.ended = true;
      this.become("refused");
      return;
    }
    this.become("lost");
    const wait = WAITS[Math.min(this.attempts, WAITS.length - 1)] ?? 8000;
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), wait * (0.7 + 0.6 * Math.random()));
  }

  private become(condition: Condition): void {
    this.condition = condition;
    this.listener.changed(condition);
  }
}

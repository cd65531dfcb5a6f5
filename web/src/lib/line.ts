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
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(frame: string): void;
  close(): void;
}

type Keyed = Extract<Asked, { key: string }>;

/** What `readyState` is when something can be sent. */
const OPEN = 1;
/** Milliseconds between two attempts to connect. */
const WAITS = [250, 500, 1000, 2000, 4000, 8000];
/** Milliseconds without a sign of life after which a line counts as lost. */
const PATIENCE = 12_000;
/** The code with which a server closes for good. */
const FINAL = 1008;

export class Line {
  /** The one that counts; null while none is tried. */
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
    if (this.condition === "open") this.send(message);
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
    if (this.condition === "lost" && !this.wire && !this.ended) this.connect();
  }

  /** Say hello again, in another language; where no line is open, the next one begins with it anyway. */
  greet(): void {
    const [have, language] = [this.listener.have(), this.listener.language()];
    this.send({ type: "hello", protocol: PROTOCOL, have, language });
  }

  /** No more of it: nothing is said or heard after this. */
  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.drop();
  }

  private connect(): void {
    clearTimeout(this.timer);
    const wire = this.open();
    this.wire = wire;
    // One that was given up may still open or tell something: that is nobody's business any more.
    const heeded = (work: () => void): void => {
      if (this.wire === wire) work();
    };
    wire.onopen = () => heeded(() => this.greet());
    wire.onmessage = (event) => heeded(() => this.hear(String(event.data)));
    wire.onclose = (event) => heeded(() => this.lose(event.code));
    this.expect(PATIENCE);
  }

  private send(message: Asked): void {
    if (this.wire?.readyState === OPEN) this.wire.send(JSON.stringify(message));
  }

  private hear(frame: string): void {
    this.feelPulse();
    const answer = JSON.parse(frame) as Answer;
    if (answer.type === "welcome") {
      this.attempts = 0;
      this.become("open");
      for (const message of this.unanswered.values()) this.send(message);
    }
    if (answer.type === "accepted" || answer.type === "refused") this.settle(answer.key);
    this.listener.heard(answer);
  }

  /** Ask now and then whether somebody is there: a dead network tells nobody. */
  private feelPulse(): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => {
      this.send({ type: "ping" });
      this.expect(PATIENCE / 2);
    }, PATIENCE / 2);
  }

  /** Give the line up unless something is heard in time. Its own end may take minutes to be told. */
  private expect(milliseconds: number): void {
    clearTimeout(this.pulse);
    this.pulse = setTimeout(() => this.lose(), milliseconds);
  }

  private lose(code?: number): void {
    this.drop();
    if (code === FINAL) return this.become("refused");
    const wait = WAITS[Math.min(this.attempts, WAITS.length - 1)]!;
    this.attempts += 1;
    this.timer = setTimeout(() => this.connect(), wait * (0.7 + 0.6 * Math.random()));
    this.become("lost");
  }

  private drop(): void {
    const { wire } = this;
    this.wire = null;
    clearTimeout(this.pulse);
    wire?.close();
  }

  private become(condition: Condition): void {
    this.condition = condition;
    this.listener.changed(condition);
  }
}

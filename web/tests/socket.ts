/** A WebSocket as browsers have it: everything comes later, and nothing comes any more once it is closed. */
import type { Wire } from "../src/lib/line";

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3];

/** Milliseconds after which a browser gives up on a server that does not answer. */
const GIVES_UP = 60_000;

export class FakeSocket implements Wire {
  readyState = CONNECTING;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  /** What has reached the server. */
  sent: { type: string; [part: string]: unknown }[] = [];
  /** Whether the network carries anything; browsers do not notice when it no longer does. */
  reachable = true;

  send(frame: string): void {
    if (this.readyState === CONNECTING) throw new DOMException("still connecting", "InvalidStateError");
    if (this.readyState === OPEN && this.reachable) this.sent.push(JSON.parse(frame));
  }

  /** Both sides have to agree: who closes an open line is told when the server has answered. */
  close(): void {
    if (this.readyState >= CLOSING) return;
    const answered = this.readyState === OPEN && this.reachable;
    const waits = this.readyState === OPEN && !this.reachable ? GIVES_UP : 0;
    this.readyState = CLOSING;
    setTimeout(() => this.end(answered ? 1005 : 1006), waits);
  }

  // What the server does

  accept(): void {
    setTimeout(() => {
      if (this.readyState !== CONNECTING) return;
      this.readyState = OPEN;
      this.onopen?.();
    });
  }

  tell(answer: unknown): void {
    setTimeout(() => {
      if (this.readyState === OPEN) this.onmessage?.({ data: JSON.stringify(answer) });
    });
  }

  hangUp(code = 1006): void {
    if (this.readyState === OPEN) this.readyState = CLOSING;
    setTimeout(() => this.end(code));
  }

  private end(code: number): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.onclose?.({ code });
  }
}

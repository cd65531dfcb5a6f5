import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Line, type Condition, type Wire } from "../src/lib/line";
import { PROTOCOL, type Answer } from "../src/wire";

class Fake implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  sent: { type: string; [part: string]: unknown }[] = [];
  send(frame: string): void {
    this.sent.push(JSON.parse(frame));
  }
  close(): void {
    this.onclose?.({ code: 1006 });
  }
  hear(answer: unknown): void {
    this.onmessage?.({ data: JSON.stringify(answer) });
  }
}

let wires: Fake[];
let conditions: Condition[];
let heard: Answer[];
let have: number | null;

function line(): Line {
  return new Line(
    () => {
      const wire = new Fake();
      wires.push(wire);
      return wire;
    },
    {
      heard: (answer) => heard.push(answer),
      changed: (condition) => conditions.push(condition),
      have: () => have,
      language: () => "fr",
    },
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  [wires, conditions, heard, have] = [[], [], [], null];
});
afterEach(() => vi.useRealTimers());

const welcome = { type: "welcome" };

test("it says hello, and what it has", () => {
  line();
  wires[0]?.onopen?.();
  expect(wires[0]?.sent).toEqual([{ type: "hello", protocol: PROTOCOL, have: null, language: "fr" }]);
});

test("what was not acknowledged is sent again on the next line, with the same key", () => {
  const it = line();
  wires[0]?.onopen?.();
  wires[0]?.hear(welcome);
  it.say({ type: "act", key: "k", number: 3, action: "pass" });
  have = 3;
  wires[0]?.close();
  expect(conditions).toEqual(["open", "lost"]);
  vi.advanceTimersByTime(1000);
  wires[1]?.onopen?.();
  wires[1]?.hear(welcome);
  expect(wires[1]?.sent.map((message) => message.type)).toEqual(["hello", "act"]);
  expect(wires[1]?.sent[0]?.have).toBe(3);
  wires[1]?.hear({ type: "accepted", key: "k", number: 4 });
  expect(it.waiting).toBe(false);
});

test("what has no key is not said twice, and not at all on a lost line", () => {
  const it = line();
  wires[0]?.onopen?.();
  it.say({ type: "say", text: "hola" });
  wires[0]?.hear(welcome);
  expect(wires[0]?.sent.map((message) => message.type)).toEqual(["hello"]);
});

test("a line without a sign of life is lost", () => {
  line();
  wires[0]?.onopen?.();
  wires[0]?.hear(welcome);
  vi.advanceTimersByTime(6000);
  expect(wires[0]?.sent.at(-1)?.type).toBe("ping");
  vi.advanceTimersByTime(6000);
  expect(conditions.at(-1)).toBe("lost");
});

test("a server that refuses for good is not asked again", () => {
  line();
  wires[0]?.onopen?.();
  wires[0]?.onclose?.({ code: 1008 });
  vi.advanceTimersByTime(60_000);
  expect(conditions).toEqual(["refused"]);
  expect(wires.length).toBe(1);
});

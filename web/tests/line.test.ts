import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Line, type Condition } from "../src/lib/line";
import { PROTOCOL, type Answer } from "../src/wire";
import { FakeSocket } from "./socket";

let wires: FakeSocket[];
let conditions: Condition[];
let heard: Answer[];
let about: unknown[];
let have: number | null;

function line(): Line {
  return new Line(
    () => {
      const wire = new FakeSocket();
      wires.push(wire);
      most = Math.max(most, wires.filter(({ readyState }) => readyState < 2).length);
      return wire;
    },
    {
      heard: (answer, wish) => {
        heard.push(answer);
        about.push(wish);
      },
      changed: (condition) => conditions.push(condition),
      have: () => have,
      language: () => "fr",
    },
  );
}

/** The most lines that there were at once, connected or being tried. */
let most: number;

beforeEach(() => {
  vi.useFakeTimers();
  most = 0;
  [wires, conditions, heard, about, have] = [[], [], [], [], null];
});
afterEach(() => {
  vi.useRealTimers();
  expect(most).toBe(1);
});

const pass = (milliseconds = 0): void => void vi.advanceTimersByTime(milliseconds);
const said = (at: number): string[] => wires[at]!.sent.map((message) => message.type);

/** The server lets a line in. */
function open(at = 0): void {
  wires[at]!.accept();
  pass();
  wires[at]!.tell({ type: "welcome" });
  pass();
}

test("it says hello, and what it has", () => {
  line();
  expect(wires[0]!.sent).toEqual([]);
  wires[0]!.accept();
  pass();
  expect(wires[0]!.sent).toEqual([{ type: "hello", protocol: PROTOCOL, have: null, language: "fr" }]);
});

test("what was not acknowledged is sent again on the next line, with the same key", () => {
  const it = line();
  open();
  it.say({ type: "act", key: "k", number: 3, action: "pass" });
  have = 3;
  wires[0]!.hangUp();
  pass();
  expect(conditions).toEqual(["open", "lost"]);
  pass(1000);
  open(1);
  expect(said(1)).toEqual(["hello", "act"]);
  expect(wires[1]!.sent[0]?.have).toBe(3);
  wires[1]!.tell({ type: "accepted", key: "k", number: 4 });
  pass();
  expect(it.awaits("k")).toBe(false);
});

test("what is said while the server hangs up is sent on the next line", () => {
  const it = line();
  open();
  wires[0]!.hangUp();
  it.say({ type: "act", key: "k", number: 3, action: "pass" });
  it.say({ type: "say", key: "l", text: "hola" });
  pass(1000);
  open(1);
  expect(said(0)).toEqual(["hello"]);
  expect(said(1)).toEqual(["hello", "act", "say"]);
});

test("nothing is said before the server has answered, and then once", () => {
  const it = line();
  it.say({ type: "say", key: "k", text: "hola" });
  wires[0]!.accept();
  pass();
  it.say({ type: "say", key: "l", text: "adiós" });
  expect(said(0)).toEqual(["hello"]);
  wires[0]!.tell({ type: "welcome" });
  pass();
  expect(said(0)).toEqual(["hello", "say", "say"]);
});

test("an answer comes with what it answers, once; that of another device with nothing", () => {
  const it = line();
  open();
  const message = { type: "leave", key: "k" } as const;
  it.say(message);
  for (const key of ["k", "k", "another's", null]) wires[0]!.tell({ type: "refused", code: "illegal", key });
  pass();
  expect(about).toEqual([undefined, message, undefined, undefined, undefined]);
  expect(it.awaits("k")).toBe(false);
});

test("who changes the language before the line is open says so once, when it is", () => {
  const it = line();
  it.greet();
  open();
  expect(said(0)).toEqual(["hello"]);
  it.greet();
  expect(said(0)).toEqual(["hello", "hello"]);
});

test("a line without a sign of life is lost at once, though its end takes long", () => {
  line();
  open();
  wires[0]!.reachable = false;
  pass(6000);
  expect(conditions).toEqual(["open"]);
  pass(6000);
  expect(conditions).toEqual(["open", "lost"]);
  pass(1);
  open(1);
  expect(conditions).toEqual(["open", "lost", "open"]);
  for (let minute = 0; minute < 12; minute++) {
    wires[1]!.tell({ type: "pong" });
    pass(5000);
  }
  expect(wires[0]!.readyState).toBe(3);
  expect(conditions).toEqual(["open", "lost", "open"]);
  expect(wires.length).toBe(2);
});

test("a ping that is answered keeps the line", () => {
  line();
  open();
  for (let times = 0; times < 5; times++) {
    pass(6000);
    expect(said(0).at(-1)).toBe("ping");
    wires[0]!.tell({ type: "pong" });
    pass(5000);
  }
  expect(conditions).toEqual(["open"]);
});

test("an attempt that hangs is given up after five seconds, and the next begins at once", () => {
  line();
  pass(5000);
  expect(conditions).toEqual(["lost"]);
  pass(1);
  expect(wires.length).toBe(2);
  wires[0]!.accept();
  open(1);
  expect(said(0)).toEqual([]);
  expect(said(1)).toEqual(["hello"]);
});

test("a server that lets one in and says nothing is tried again", () => {
  line();
  wires[0]!.accept();
  pass(6000);
  expect(conditions).toEqual(["lost"]);
});

test("a server that has no time for a hello is asked again, also if it answers everything else", () => {
  line();
  wires[0]!.accept();
  pass();
  wires[0]!.tell({ type: "refused", code: "too_fast", key: null });
  pass(6000);
  expect(conditions).toEqual(["lost"]);
  pass(1);
  open(1);
  expect(conditions).toEqual(["lost", "open"]);
});

test.each(["protocol", "forbidden"])("a server that says that it is %s is not asked again", (code) => {
  line();
  wires[0]!.accept();
  pass();
  wires[0]!.tell({ type: "refused", code, key: null });
  pass(60_000);
  expect(conditions).toEqual(["refused"]);
  expect(heard.length).toBe(1);
  expect(wires.length).toBe(1);
});

test("however long a network is gone, it is tried again within a second and a half", () => {
  line();
  for (let times = 1; times < 40; times++) {
    wires.at(-1)!.hangUp();
    pass();
    pass(1500);
    expect(wires.length).toBe(times + 1);
  }
});

test("a device without a network has lost its line at once, though nothing has closed it", () => {
  const it = line();
  open();
  wires[0]!.reachable = false;
  it.distrust();
  expect(conditions).toEqual(["open", "lost"]);
  it.distrust();
  pass();
  expect(wires.length).toBe(2);
});

test("what was given up tells nobody anything any more", () => {
  const it = line();
  open();
  wires[0]!.tell({ type: "pong" });
  it.distrust();
  pass();
  expect(heard.map((answer) => answer.type)).toEqual(["welcome"]);
  expect([wires[0]!.onopen, wires[0]!.onmessage, wires[0]!.onclose]).toEqual([null, null, null]);
  open(1);
  pass(1000);
  expect(conditions).toEqual(["open", "lost", "open"]);
});

test("hurrying ends the wait, and opens no second line beside the one that is about to open", () => {
  const it = line();
  open();
  wires[0]!.hangUp();
  pass();
  it.hurry();
  expect(wires.length).toBe(2);
  it.hurry();
  it.hurry();
  pass(900);
  it.hurry();
  expect(wires.length).toBe(2);
  open(1);
  expect(said(1)).toEqual(["hello"]);
});

test("hurrying gives up an attempt that may hang in a network that was lost meanwhile", () => {
  const it = line();
  open();
  it.distrust();
  pass(2000);
  expect(wires.length).toBe(2);
  it.hurry();
  it.hurry();
  expect(wires.length).toBe(3);
  expect(wires[1]!.readyState).toBe(2);
  open(2);
  expect(conditions).toEqual(["open", "lost", "open"]);
});

test("who hurries a line that seems open asks whether somebody is there, and does not wait for long", () => {
  const it = line();
  open();
  it.hurry();
  expect(said(0)).toEqual(["hello", "ping"]);
  wires[0]!.tell({ type: "pong" });
  pass(3000);
  expect(conditions).toEqual(["open"]);
  wires[0]!.reachable = false;
  it.hurry();
  pass(2500);
  expect(conditions).toEqual(["open", "lost"]);
});

test("who has closed a line hears nothing more of it", () => {
  const it = line();
  open();
  wires[0]!.tell({ type: "pong" });
  it.close();
  pass(60_000);
  it.hurry();
  expect(heard.map((answer) => answer.type)).toEqual(["welcome"]);
  expect(conditions).toEqual(["open"]);
  expect(wires.map((wire) => wire.readyState)).toEqual([3]);
});

test("a line can be closed before it is open", () => {
  const it = line();
  it.close();
  wires[0]!.accept();
  pass(60_000);
  expect([conditions, wires.length, said(0)]).toEqual([[], 1, []]);
});

test("who closes a lost line does not come back", () => {
  const it = line();
  wires[0]!.hangUp();
  pass();
  it.close();
  it.hurry();
  pass(60_000);
  expect([conditions, wires.length]).toEqual([["lost"], 1]);
});

test("a server that refuses for good is not asked again", () => {
  const it = line();
  wires[0]!.accept();
  pass();
  wires[0]!.hangUp(1008);
  pass(60_000);
  it.hurry();
  expect(conditions).toEqual(["refused"]);
  expect(wires.length).toBe(1);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { TableState } from "../src/lib/table.svelte";
import type { Told } from "../src/wire";
import { FakeSocket } from "./socket";

const table = {
  status: "playing",
  deadline: null,
  commitment: "",
  seats: [{ mixes: true, promise: null }],
  awaited: [0],
};
const dealing = { ...table, status: "dealing" };
const told = (from: number, to: number): Told[] =>
  Array.from({ length: to - from }, (_, at) => ({
    step: from + at,
    kind: "",
    seat: null,
    facts: {},
    text: `${from + at}`,
  }));

let wire: FakeSocket;
let it: TableState;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { hidden: true, documentElement: { dataset: {} } });
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {} }));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {} });
  const { TableState } = await import("../src/lib/table.svelte");
  it = new TableState("t", () => (wire = new FakeSocket()));
  await open();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

async function open(): Promise<void> {
  wire.accept();
  await pass();
}

async function hear(answer: unknown): Promise<void> {
  wire.tell(answer);
  await pass();
}

const welcome = (shown: unknown = table) => hear({ type: "welcome", you: 0, table: shown, windows: [], chat: [] });

async function news(since: number, steps: number): Promise<void> {
  await hear({
    type: "news",
    number: steps,
    steps,
    same: since,
    since,
    events: told(since, steps),
    view: { legal: [], actor: null },
    phrases: [],
    table,
  });
}

const lines = () => [it.began, it.log[0]?.step, it.log.length];

test("the log goes on, and what was taken back is forgotten", async () => {
  await welcome();
  await news(0, 3);
  await news(3, 5);
  expect(lines()).toEqual([0, 0, 5]);
  await news(2, 2);
  expect(lines()).toEqual([0, 0, 2]);
});

test("after a gap the log begins anew, and what was before can be asked for", async () => {
  await welcome();
  await news(0, 3);
  await news(300, 500);
  expect(lines()).toEqual([300, 300, 200]);
  vi.stubGlobal("fetch", (path: string) => {
    expect(path).toBe("/api/tables/t/log?until=300&lang=en");
    return Promise.resolve({
      ok: true,
      status: 200,
      json: () => Promise.resolve({ since: 100, events: told(100, 300) }),
    });
  });
  await it.earlier();
  expect(lines()).toEqual([100, 100, 400]);
  await news(500, 501);
  expect(lines()).toEqual([100, 100, 401]);
});

test("in another language the log begins anew", async () => {
  await welcome();
  await news(0, 500);
  it.relearn();
  await welcome();
  await news(300, 500);
  expect(lines()).toEqual([300, 300, 200]);
});

test("a language that is chosen without a line is spoken on the next one, from the beginning", async () => {
  await welcome();
  await news(0, 500);
  wire.hangUp();
  await pass();
  it.relearn();
  await pass(1000);
  await open();
  expect(wire.sent).toMatchObject([{ type: "hello", have: null }]);
  await welcome();
  await news(300, 500);
  expect(lines()).toEqual([300, 300, 200]);
  wire.hangUp();
  await pass(1000);
  await open();
  expect(wire.sent).toMatchObject([{ type: "hello", have: 500 }]);
});

const said = () => wire.sent.map((message) => message.type);
const last = () => wire.sent.at(-1)!.key;
const refused = (key: unknown, more: object = {}) =>
  hear({ type: "refused", code: "illegal", reason: "no", rule: null, key, number: 0, ...more });

/** The server hangs up, and lets one in again. */
async function comeBack(shown: unknown = table): Promise<void> {
  wire.hangUp();
  await pass(1000);
  await open();
  await welcome(shown);
}

test("a deal is taken part in once a line, and again on the next if it is not kept", async () => {
  await welcome(dealing);
  await hear({ type: "table", table: dealing, windows: [] });
  expect(said()).toEqual(["hello", "promise"]);
  await hear({ type: "accepted", key: last(), number: 0 });
  await hear({ type: "table", table: dealing, windows: [] });
  expect(said()).toEqual(["hello", "promise"]);
  await comeBack(dealing);
  expect(said()).toEqual(["hello", "promise"]);
});

test("a promise that nobody has answered is sent again as it is, and not beside another", async () => {
  await welcome(dealing);
  const promise = wire.sent.at(-1);
  await comeBack(dealing);
  expect(wire.sent.slice(1)).toEqual([promise]);
});

test("after somebody got up, all promise anew", async () => {
  await welcome(dealing);
  await hear({ type: "table", table: { ...dealing, status: "open" }, windows: [] });
  await hear({ type: "table", table: dealing, windows: [] });
  expect(wire.sent.filter((message) => message.type === "promise").length).toBe(2);
});

test("that another device at the seat was faster with its promise is no trouble; any other refusal is", async () => {
  await welcome(dealing);
  await refused(last());
  expect(it.refusal).toBeNull();
  it.send({ type: "leave" });
  await refused(last());
  expect(it.refusal).toMatchObject({ reason: "No." });
});

test("a refusal is of what has its key: nothing else is given up", async () => {
  await welcome();
  await news(0, 3);
  it.act("pass");
  const step = last();
  it.send({ type: "say", text: "hola" });
  await refused("another device's");
  expect([it.refusal, it.unsaid]).toEqual([null, null]);
  await refused(null);
  expect(it.unsaid).toBeNull();
  expect(it.pending?.text).toBe("pass");
  it.send({ type: "leave" });
  await refused(last());
  expect(it.pending?.text).toBe("pass");
  await refused(step, { reason: "A17" });
  expect(it.pending).toBeNull();
  expect(it.refusal).toMatchObject({ reason: "A17." });
  expect(it.unsaid).toBeNull();
});

test("a line of chat that is refused is handed back, whatever else was refused or said", async () => {
  await welcome();
  it.send({ type: "say", text: "hola" });
  const hola = last();
  it.send({ type: "say", text: "adiós" });
  await hear({ type: "said", seat: 0, name: "Ana", text: "hola", at: 0 });
  await refused(hola, { code: "too_fast", reason: "slowly" });
  expect(it.unsaid).toEqual({ text: "hola", reason: "Slowly." });
  expect(it.refusal).toBeNull();
});

test("a line of chat that is said while the line is lost is shown as such, and sent once", async () => {
  await welcome();
  wire.hangUp();
  await pass();
  it.send({ type: "say", text: "hola" });
  expect(it.waiting).toEqual(["hola"]);
  await pass(1000);
  await open();
  await welcome();
  expect(said()).toEqual(["hello", "say"]);
  await hear({ type: "accepted", key: last(), number: 0 });
  expect(it.waiting).toEqual([]);
  await comeBack();
  expect(said()).toEqual(["hello"]);
});

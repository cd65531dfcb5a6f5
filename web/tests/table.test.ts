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

test("a deal is taken part in once a line, and again on the next", async () => {
  const said = () => wire.sent.map((message) => message.type);
  await welcome(dealing);
  await hear({ type: "table", table: dealing, windows: [] });
  expect(said()).toEqual(["hello", "promise"]);
  await welcome(dealing);
  expect(said()).toEqual(["hello", "promise", "promise"]);
});

test("after somebody got up, all promise anew", async () => {
  await welcome(dealing);
  await hear({ type: "table", table: { ...dealing, status: "open" }, windows: [] });
  await hear({ type: "table", table: dealing, windows: [] });
  expect(wire.sent.filter((message) => message.type === "promise").length).toBe(2);
});

test("that another device at the seat was faster is no trouble; what is refused later is", async () => {
  await welcome(dealing);
  const refused = { type: "refused", code: "illegal", reason: "no", rule: null, key: null, number: 0 };
  await hear(refused);
  expect(it.refusal).toBeNull();
  await hear(refused);
  expect(it.refusal).toMatchObject({ reason: "no" });
});

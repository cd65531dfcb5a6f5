import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Stage } from "../src/lib/stage.svelte";
import type { News, Told } from "../src/wire";

const told = (kind: string, step: number, pot?: number): Told => ({
  step,
  kind,
  seat: null,
  facts: {},
  text: kind,
  ...(pot === undefined ? {} : { then: [[["pot"], pot]] }),
});
const news = (since: number, events: Told[], pot: number): News =>
  ({
    type: "news",
    number: since + 1,
    steps: since + 1,
    same: since,
    since,
    events,
    view: { pot, actor: null, legal: [] },
    phrases: [],
    brings: [],
    table: null,
  }) as never;

let stage: Stage;
let document: { hidden: boolean; documentElement: object };
let media: { matches: boolean; addEventListener: () => void };
const settings = { speed: "relaxed" };

/** What is shown: the pot, what is coming, and what was just told. */
const shown = () => [
  (stage.view as unknown as { pot: number }).pot,
  stage.coming?.events.map(({ kind }) => kind).join(" ") ?? "",
  stage.just.map(({ kind }) => kind).join(" "),
];
const pass = (milliseconds = 0) => vi.advanceTimersByTimeAsync(milliseconds);

beforeEach(async () => {
  vi.resetModules();
  vi.useFakeTimers();
  document = { hidden: false, documentElement: { dataset: {} } };
  vi.stubGlobal("document", document);
  vi.stubGlobal("navigator", {});
  media = { matches: false, addEventListener: () => {} };
  vi.stubGlobal("matchMedia", () => media);
  vi.stubGlobal("localStorage", { getItem: () => JSON.stringify(settings), setItem: () => {} });
  const { Stage } = await import("../src/lib/stage.svelte");
  const playing = () => ({ sounds: {}, pace: { won: { before: 900, after: 600 }, bid: { after: 500 } } });
  stage = new Stage({ playing, you: () => 0, shown: () => {} });
  void stage.add(news(0, [told("deal", 0)], 0));
  await pass();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const LOOT = () => news(1, [told("pass", 1, 1), told("won", 1, 2), told("won", 1)], 3);

test("what happened is shown one thing after the other, each with its own table", async () => {
  void stage.add(LOOT());
  await pass();
  expect(shown()).toEqual([1, "won", "pass won"]);
  expect(stage.busy).toBe(true);
  await pass(950);
  expect(shown()).toEqual([2, "", "pass won"]);
  expect(stage.busy).toBe(true);
  await pass(600);
  expect(shown()).toEqual([2, "won", "pass won won"]);
  await pass(900);
  expect(shown()).toEqual([3, "", "pass won won"]);
  expect(stage.busy).toBe(false);
  await pass(600);
  expect(shown()).toEqual([3, "", ""]);
  expect(stage.log.map(({ kind }) => kind)).toEqual(["deal", "pass", "won", "won"]);
});

test("who is far behind, or does not look, sees the end at once", async () => {
  void stage.add(LOOT());
  await pass();
  for (let step = 2; step < 6; step++) void stage.add(news(step, [told("bid", step)], step + 10));
  await pass(1600);
  expect(shown()[0]).toBe(12);
  document.hidden = true;
  await pass(600);
  expect(shown()).toEqual([15, "", ""]);
});

test("what was missed, or comes after something was taken back, is not played", async () => {
  void stage.add(LOOT(), false);
  await pass();
  expect(shown()).toEqual([3, "", ""]);
  void stage.add(news(1, [told("won", 1, 7), told("won", 1)], 8));
  await pass(900);
  expect(shown()[0]).toBe(8);
});

test("who wants to go on does not wait", async () => {
  void stage.add(LOOT());
  await pass();
  stage.finish();
  void stage.add(news(2, [told("bid", 2)], 4));
  await pass();
  expect(shown()).toEqual([4, "", "bid"]);
});

describe("sounds", () => {
  const played = vi.fn();
  const asks = (actor: number | null, since: number, events: Told[]): News => {
    const one = news(since, events, since);
    return { ...one, view: { ...one.view, actor } as never };
  };
  const heard = () => played.mock.calls.map(([sound]) => sound as string);
  beforeEach(async () => {
    vi.resetModules();
    played.mockClear();
    vi.doMock("../src/lib/sound", async (original) => ({ ...(await original<object>()), play: played }));
    const { Stage } = await import("../src/lib/stage.svelte");
    const sounds = { drop: "card", deal: "card", caramba: "caramba" } as const;
    stage = new Stage({ playing: () => ({ sounds }), you: () => 0, shown: () => {} });
    void stage.add(news(0, [], 0));
    await pass();
    played.mockClear();
  });
  afterEach(() => vi.doUnmock("../src/lib/sound"));

  test("a call sounds like one, whatever follows it", async () => {
    void stage.add(asks(1, 1, [told("drop", 1), told("caramba", 1), told("deal", 1), told("deal", 1)]));
    await pass(1000);
    expect(heard()).toEqual(["caramba"]);
  });

  test("my turn chimes after what sounded before it, and once", async () => {
    void stage.add(asks(0, 1, [told("drop", 1)]));
    await pass(1000);
    expect(heard()).toEqual(["card", "turn"]);
    void stage.add(asks(0, 2, [told("drop", 2)]));
    await pass(1000);
    expect(heard()).toEqual(["card", "turn", "card"]);
  });
});

test("who is out of it can skip to the result: nothing is played until they are asked", async () => {
  void stage.add(LOOT());
  await pass();
  stage.rush();
  await pass();
  expect(shown()).toEqual([3, "", ""]);
  void stage.add(news(2, [told("won", 2, 4), told("won", 2)], 5));
  await pass();
  expect([...shown(), stage.isRushed]).toEqual([5, "", "", true]);
  const asked = news(3, [told("bid", 3)], 6);
  void stage.add({ ...asked, view: { ...asked.view, actor: 0 } as never });
  await pass();
  expect(stage.isRushed).toBe(false);
  void stage.add(news(4, [told("won", 4)], 7));
  await pass();
  expect(shown()).toEqual([6, "won", "won"]);
});

test("without movement the end is shown at once", async () => {
  media.matches = true;
  void stage.add(LOOT());
  await pass(1);
  expect(shown()[0]).toBe(3);
});

test("begins its log anew where more was taken back than is told", async () => {
  void stage.add(news(1, [told("bid", 1)], 1), false);
  void stage.add({ ...news(2, [told("pass", 2)], 2), same: 1 }, false);
  await pass();
  expect(stage.log.map(({ kind }) => kind)).toEqual(["pass"]);
  expect(stage.began).toBe(2);
});

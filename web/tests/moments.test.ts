import { expect, test } from "vitest";
import { kept, moments, parts } from "../src/lib/moments";
import type { News, Told } from "../src/wire";

const told = (kind: string, then?: Told["then"]): Told => ({
  step: 1,
  kind,
  seat: 0,
  facts: {},
  text: kind,
  ...(then ? { then } : {}),
});

const view = { pot: 3, hats: [{ space: 5 }, { space: 9 }], order: [1, 0] } as unknown as News["view"];

test("each thing that happened comes with the table right after it", () => {
  const events = [
    told("die", [[["hats", 0, "space"], 2]]),
    told("move", [
      [["pot"], 1],
      [["order"], []],
    ]),
    told("arrive"),
  ];
  const [die, move, arrive] = moments({ events, view });
  expect(arrive).toEqual({ told: events[2], view });
  expect(move!.view).toEqual({ ...view, pot: 1, order: [] });
  expect(die!.view).toEqual({ ...view, pot: 1, order: [], hats: [{ space: 2 }, { space: 9 }] });
  expect(view).toMatchObject({ pot: 3, order: [1, 0] });
});

test("what has no table of its own has that of what follows", () => {
  const [one, two] = moments({ events: [told("deal"), told("deal")], view });
  expect(one!.view).toBe(two!.view);
});

test("where nothing happened there is nothing to be played", () => {
  expect(moments({ events: [], view })).toEqual([]);
});

const news = (events: Told[]): News =>
  ({
    type: "news",
    number: 9,
    steps: 9,
    same: 3,
    since: 3,
    events,
    view,
    phrases: ["pass"],
    brings: [{}],
    table: {},
  }) as never;

test("news is played in parts: what is of one kind and has one table is shown together", () => {
  const events = [told("pass", [[["pot"], 1]]), told("turn"), told("crate"), told("crate")];
  const found = parts(news(events));
  expect(found.map((part) => part.events.map(({ kind }) => kind))).toEqual([["pass"], ["turn"], ["crate", "crate"]]);
  expect(found.map((part) => (part.view as unknown as { pot: number }).pot)).toEqual([1, 3, 3]);
});

test("only the last part says what may be done, and how the table is", () => {
  const [first, last] = parts(news([told("pass", [[["pot"], 1]]), told("won")]));
  expect(first).toMatchObject({ phrases: [], brings: [], table: null });
  expect(last).toMatchObject({ phrases: ["pass"], brings: [{}], table: {}, view });
});

test("where nothing happened, the news is its only part", () => {
  expect(parts(news([]))).toEqual([news([])]);
});

test("what has not changed is the very same as before", () => {
  const was = { pot: 3, hats: [{ space: 5 }, { space: 9 }], order: [1, 0], offers: { 2: 4 } };
  const now = kept(was, { pot: 3, hats: [{ space: 6 }, { space: 9 }], order: [1, 0], offers: {} });
  expect(now).toEqual({ pot: 3, hats: [{ space: 6 }, { space: 9 }], order: [1, 0], offers: {} });
  expect(now.hats[1]).toBe(was.hats[1]);
  expect(now.order).toBe(was.order);
  expect(kept(was, structuredClone(was))).toBe(was);
  expect(kept(was, structuredClone(now))).toEqual(now);
  expect(kept<unknown>({ a: 1 }, { b: 1 })).toEqual({ b: 1 });
  expect(kept<unknown>([], {})).toEqual({});
  expect(kept<unknown>({ a: undefined }, { b: undefined })).toEqual({ b: undefined });
});

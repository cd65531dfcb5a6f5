import { expect, test } from "vitest";
import type { Choice } from "../src/lib/legal";
import { briefSet, spoken } from "../src/games/cards/cards";
import { dropOf, goesWith, hasSet, touched } from "../src/games/cards/choosing";
import { Course, type Layout } from "../src/games/cards/course";
import { byAge, dealsOf, isCalled, isOver, lastDrops } from "../src/games/cards/deals";
import type { Told } from "../src/wire";

const told = (kind: string, seat: number | null, facts: Record<string, unknown> = {}): Told => ({
  step: 0,
  kind,
  seat,
  facts,
  text: "",
});
const drop = (cards: string): Choice => ({
  text: `drop ${cards}`,
  form: { do: "drop", cards },
  phrase: "",
  brings: {},
});

test("sets have short names", () => {
  expect(briefSet(["5s"], "JCQK")).toBe("5♠");
  expect(briefSet(["7s", "7h"], "JCQK")).toBe("7♠♥");
  expect(briefSet(["10s", "Jc", "Cs"], "VCDR")).toBe("10–C♠♣");
  expect(briefSet(["Qs", "Xb"], "VCDR")).toBe("D♠★");
  expect(briefSet(["Xb", "Xr"], "JCQK")).toBe("★★");
});

test("cards are said in words", () => {
  expect(spoken("Ana lays 10♦ Queen♠, and takes 7♣.")).toBe(
    "Ana lays 10 of diamonds Queen of spades, and takes 7 of clubs.",
  );
});

test("cards are raised as long as they go together", () => {
  const drops = [drop("5s"), drop("6c"), drop("7s"), drop("Kh"), drop("5s 6c 7s")];
  expect(goesWith(drops, ["5s"], "7s")).toBe(true);
  expect(touched(drops, ["5s"], "6c")).toEqual(["5s", "6c"]);
  expect(touched(drops, ["5s", "6c"], "Kh")).toEqual(["Kh"]);
  expect(touched(drops, ["5s", "6c"], "5s")).toEqual(["6c"]);
  expect(dropOf(drops, ["7s", "5s", "6c"])?.text).toBe("drop 5s 6c 7s");
  expect(dropOf(drops, ["5s", "6c"])).toBeUndefined();
  expect(hasSet(drops)).toBe(true);
});

const LOG = [
  told("first", 1),
  told("deal", 1, { card: "??" }),
  told("deal", 0, { card: "9s" }),
  told("drop", 1, { cards: "Kh" }),
  told("take", 1, { card: "pile" }),
  told("drop", 0, { cards: "3s 3c" }),
  told("caramba", 1, { points: 5 }),
  told("shown", 0, { cards: "4d 9s", points: 13 }),
  told("shown", 1, { cards: "5h", points: 5 }),
  told("won", 1),
  told("scores", 0, { points: 13, total: 100 }),
  told("drops", 0, { exactly: 100, total: 75 }),
  told("new_deal", 0, { deal: 2 }),
];

test("the log tells how a deal ended", () => {
  const [first, second] = dealsOf(LOG, 2);
  expect(first).toMatchObject({ number: 1, caller: 1, won: true });
  expect(first!.hands.get(0)).toEqual({ cards: ["4d", "9s"], points: 13 });
  expect(first!.scored).toEqual(new Map([[0, 13]]));
  expect(first!.fell.has(0)).toBe(true);
  expect(isOver(first!)).toBe(true);
  expect(second).toMatchObject({ number: 2, dealt: [], drops: [] });
  expect(isOver(second!)).toBe(false);
});

test("a deal is not over before all is told of it", () => {
  const scored = LOG.slice(0, -1);
  expect(dealsOf(scored, 1).some(isOver)).toBe(false);
  expect(dealsOf([...scored, told("over", null)], 1).some(isOver)).toBe(true);
  expect(dealsOf([told("new_deal", 1, { deal: 1 })], 1).some(isOver)).toBe(false);
});

test("after a call nobody is asked until the next deal has begun", () => {
  const [call, last] = [LOG.findIndex(({ kind }) => kind === "caramba"), LOG.at(-1)!];
  expect(isCalled(LOG.slice(call - 1, call), null)).toBe(false);
  expect(isCalled(LOG.slice(call, call + 1), { events: [LOG[call]!] })).toBe(true);
  expect(isCalled(LOG.slice(call, -1), null)).toBe(true);
  expect(isCalled(LOG.slice(call), { events: [last] })).toBe(true);
  expect(isCalled(LOG.slice(call), null)).toBe(false);
});

test("also a log that begins in the middle of a game tells of deals", () => {
  const late = LOG.map((line) => (line.kind === "new_deal" ? { ...line, facts: { deal: 7 } } : line));
  expect(dealsOf(late, 7).map(({ number }) => number)).toEqual([6, 7]);
  expect(dealsOf([], 9).map(({ number }) => number)).toEqual([9]);
});

test("the log tells who got and laid what", () => {
  const deal = dealsOf(LOG.slice(0, 6), 1)[0]!;
  expect(deal.dealt).toEqual([1, 0]);
  expect(lastDrops(deal)).toEqual(
    new Map([
      [1, ["Kh"]],
      [0, ["3s", "3c"]],
    ]),
  );
  expect(byAge(["3s", "3c", "Kh"], deal)).toEqual(["Kh", "3s", "3c"]);
});

const layout = (some: Partial<Layout>): Layout => ({
  deal: 1,
  laid: [],
  previous: [],
  older: [],
  hands: [["5s"], ["??", "??"]],
  dealt: [],
  shuffled: 0,
  ...some,
});

test("where no card has moved, nothing is drawn again", () => {
  const course = new Course();
  course.follow(layout({}));
  const zones = course.follow(layout({}));
  expect(course.follow(layout({}))).toBe(zones);
  const taken = course.follow(
    layout({
      hands: [
        ["5s", "9h"],
        ["??", "??"],
      ],
    }),
  );
  expect(taken).not.toBe(zones);
  expect(taken.get("hand 1")).toBe(zones.get("hand 1"));
});

test("a rival's card is turned over as it is laid", () => {
  const course = new Course();
  const hidden = course.follow(layout({})).get("hand 1")!;
  const laid = course.follow(layout({ hands: [["5s"], ["??"]], laid: ["Kh"] })).get("laid")![0]!;
  expect(hidden.map((card) => card.id)).toContain(laid.id);
  expect(laid.isTurned).toBe(true);
});

test("hands are turned over where they are", () => {
  const course = new Course();
  const hidden = course.follow(layout({})).get("hand 1")!;
  const open = course.follow(layout({ hands: [["5s"], ["4d", "9s"]] })).get("hand 1")!;
  expect(open.map((card) => card.id).sort()).toEqual(hidden.map((card) => card.id).sort());
  expect(open.every((card) => card.isTurned)).toBe(true);
});

test("what is shuffled does not fly from the discards to a hand", () => {
  const course = new Course();
  const old = course.follow(layout({ older: ["9h", "9c"] })).get("older")!;
  const hands = [
    ["5s", "9h"],
    ["??", "??"],
  ];
  const drawn = course.follow(layout({ shuffled: 40, hands })).get("hand 0")![1]!;
  expect(old.map((card) => card.id)).not.toContain(drawn.id);
  expect(drawn.delay).toBeGreaterThan(0);
});

test("a new deal is dealt card by card, in the order that is told", () => {
  const course = new Course();
  const before = course.follow(layout({})).get("hand 1")![0]!;
  expect(course.follow(layout({ deal: 2, hands: [[], []] })).get("hand 1") ?? []).toEqual([]);
  const hands = [
    ["5s", "6s"],
    ["??", "??"],
  ];
  const now = course.follow(layout({ deal: 2, hands, dealt: [1, 0, 1, 0] }));
  const delays = [...now.get("hand 1")!, ...now.get("hand 0")!].map((card) => card.delay);
  expect(now.get("hand 1")![0]!.id).not.toBe(before.id);
  expect(delays[0]! < delays[2]! && delays[2]! < delays[1]! && delays[1]! < delays[3]!).toBe(true);
});

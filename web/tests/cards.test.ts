import { expect, test } from "vitest";
import type { Choice } from "../src/lib/legal";
import { briefSet, kindOf, pointsOf } from "../src/games/cards/cards";
import { dropOf, goesWith, hasSet, touched } from "../src/games/cards/choosing";
import { Course, type Layout } from "../src/games/cards/course";
import { byAge, dealsOf, isOver, lastDrops, owners } from "../src/games/cards/deals";
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

test("cards count what they show, knights one less than nothing", () => {
  expect(pointsOf(["1s", "10h", "Kc", "Cd"])).toBe(20);
  expect(pointsOf(["Xb", "??"])).toBe(0);
});

test("sets have short names", () => {
  expect(briefSet(["5s"], "JCQK")).toBe("5♠");
  expect(briefSet(["7s", "7h"], "JCQK")).toBe("7♠♥");
  expect(briefSet(["10s", "Jc", "Cs"], "VCDR")).toBe("10–C♠♣");
  expect(briefSet(["Qs", "Xb"], "VCDR")).toBe("D♠★");
  expect(briefSet(["Xb", "Xr"], "JCQK")).toBe("★★");
});

test("sets are told apart", () => {
  expect(kindOf(["5s"])).toBe("single");
  expect(kindOf(["5s", "Xb"])).toBe("pair");
  expect(kindOf(["5s", "5h", "5d", "5c"])).toBe("four");
  expect(kindOf(["5s", "7s", "Xb"])).toBe("run");
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

const standing = (deal: number, scores: number[]) => ({
  deal,
  players: scores.map((score) => ({ score, hand: [], points: null, out: false, light: false })),
});

test("the log tells how a deal ended", () => {
  const [first, second] = dealsOf(LOG, standing(2, [75, 0]));
  expect(first).toMatchObject({ number: 1, caller: 1, won: true, totals: [75, 0] });
  expect(first!.hands.get(0)).toEqual({ cards: ["4d", "9s"], points: 13 });
  expect(first!.fell.has(0)).toBe(true);
  expect(isOver(first!)).toBe(true);
  expect(second).toMatchObject({ number: 2, totals: [75, 0], drops: [] });
  expect(isOver(second!)).toBe(false);
});

test("also a log that begins in the middle of a game tells of deals and totals", () => {
  const late = LOG.map((line) => (line.kind === "new_deal" ? { ...line, facts: { deal: 7 } } : line));
  const [first, second] = dealsOf(late, standing(6, [75, 42]));
  expect(first).toMatchObject({ number: 6, totals: [75, 42] });
  expect(second).toMatchObject({ number: 7, totals: [75, 42] });
  expect(dealsOf([], standing(9, [3, 4]))[0]).toMatchObject({ number: 9, totals: [3, 4] });
});

test("the log tells who laid what", () => {
  const deal = dealsOf(LOG.slice(0, 5), standing(1, [0, 0]))[0]!;
  expect(lastDrops(deal)).toEqual(
    new Map([
      [1, ["Kh"]],
      [0, ["3s", "3c"]],
    ]),
  );
  expect(owners(deal, true)).toEqual({ laid: 0, previous: 1 });
  expect(owners(deal, false)).toEqual({ laid: null, previous: 0 });
  expect(byAge(["3s", "3c", "Kh"], deal)).toEqual(["Kh", "3s", "3c"]);
});

const layout = (some: Partial<Layout>): Layout => ({
  deal: 1,
  pile: 40,
  first: 0,
  laid: [],
  previous: [],
  older: [],
  hands: [["5s"], ["??", "??"]],
  ...some,
});

test("a rival's card is turned over as it is laid", () => {
  const course = new Course();
  const hidden = course.follow(layout({})).get("hand 1")!;
  const laid = course.follow(layout({ hands: [["5s"], ["??"]], laid: ["Kh"] })).get("laid")![0]!;
  expect(hidden.map((card) => card.id)).toContain(laid.id);
  expect(laid.isTurned).toBe(true);
});

test("what is shuffled does not fly from the discards to a hand", () => {
  const course = new Course();
  const old = course.follow(layout({ pile: 0, older: ["9h", "9c"] })).get("older")!;
  const drawn = course
    .follow(
      layout({
        pile: 1,
        hands: [
          ["5s", "9h"],
          ["??", "??"],
        ],
      }),
    )
    .get("hand 0")![1]!;
  expect(old.map((card) => card.id)).not.toContain(drawn.id);
  expect(drawn.delay).toBeGreaterThan(0);
});

test("a new deal is dealt card by card, beginning with who begins", () => {
  const course = new Course();
  const before = course.follow(layout({})).get("hand 1")![0]!;
  const now = course.follow(
    layout({
      deal: 2,
      first: 1,
      hands: [
        ["5s", "6s"],
        ["??", "??"],
      ],
    }),
  );
  const delays = [...now.get("hand 1")!, ...now.get("hand 0")!].map((card) => card.delay);
  expect(now.get("hand 1")![0]!.id).not.toBe(before.id);
  expect(delays[0]! < delays[2]! && delays[2]! < delays[1]! && delays[1]! < delays[3]!).toBe(true);
});

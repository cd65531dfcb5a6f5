import { afterEach, describe, expect, test, vi } from "vitest";
import { layBoard, standOf } from "../src/games/race/board";
import { lastRace } from "../src/games/race/races";
import { MINE, AskedOdds } from "../src/games/race/odds.svelte";
import { callOf, hatsOf, paymentIn, rollsOf, tumblingIn } from "../src/games/race/script";
import type { Hat, RaceView } from "../src/games/race/view";
import type { Told } from "../src/wire";

function told(kind: string, facts: Record<string, unknown> = {}): Told {
  return { step: 1, kind, seat: 0, facts, text: kind };
}

const hat = (space: number | null, arrival: number | null = null): Hat => ({ seat: 0, space, rank: null, arrival });
const table = (some: Partial<RaceView>): RaceView => some as RaceView;

describe("the end of a race", () => {
  const by = (seat: number, kind: string, facts: Record<string, unknown> = {}): Told => ({
    ...told(kind, facts),
    seat,
  });
  const log = [
    by(1, "arrive", { arrival: 1, silver: 9 }), // of a race before
    by(0, "race_won", { silver: 9 }),
    told("race", { race: 2 }),
    by(1, "arrive", { arrival: 1, silver: 4 }),
    by(0, "move"),
    by(0, "dice", { silver: 3 }),
    by(0, "accept", { giver: 2, silver: 5 }),
    by(2, "arrive", { arrival: 2, silver: 2 }),
    by(1, "arrive", { arrival: 3, silver: 0 }),
    by(1, "bankrupt"),
    by(2, "race_won", { silver: 6 }),
  ];

  test("tells who won what, and who paid what for the mine, for dice and to others", () => {
    const seats = [
      { seat: 0, won: null, fees: [], traded: 2, isBankrupt: false },
      {
        seat: 1,
        won: null,
        fees: [
          { arrival: 1, silver: 4 },
          { arrival: 3, silver: 0 },
        ],
        traded: 0,
        isBankrupt: true,
      },
      { seat: 2, won: 6, fees: [{ arrival: 2, silver: 2 }], traded: -5, isBankrupt: false },
    ];
    expect(lastRace(log, 2, 3)).toEqual({ number: 2, seats });
    expect(lastRace([...log, told("race", { race: 3 })], 3, 3)).toEqual({ number: 2, seats });
  });

  test("there is none before a race has ended", () => {
    expect(lastRace([told("place")], 1, 3)).toBeNull();
  });
});

describe("what happens", () => {
  const before = table({ hats: [hat(12), hat(20)] });
  const after = table({ hats: [hat(17), hat(20)] });

  test("dice that are told together are in the air together", () => {
    const dice = [told("die", { shows: 4 }), told("die", { shows: 1 })];
    expect(tumblingIn({ events: dice, view: before })).toBe(2);
    expect(tumblingIn({ events: [told("move")], view: after })).toBe(0);
    expect(tumblingIn(null)).toBe(0);
  });

  test("sombreros hop before the rest is shown", () => {
    expect(hatsOf(before, { events: [told("move")], view: after })).toBe(after.hats);
    expect(hatsOf(before, { events: [told("arrive")], view: after })).toBe(after.hats);
    expect(hatsOf(before, { events: [told("race")], view: after })).toBe(before.hats);
    expect(hatsOf(before, null)).toBe(before.hats);
  });

  test("it is called out once it is to be seen", () => {
    const just = [told("move"), told("welcome")];
    expect(callOf(just, { events: [told("welcome")], view: after })).toBeNull();
    expect(callOf(just, null)).toBe("welcome");
    expect(callOf([told("move")], null)).toBeNull();
    expect(callOf([], null)).toBeNull();
  });

  test("what is told says who pays whom", () => {
    expect(paymentIn(told("dice", { dice: 1, silver: 2 }))).toEqual({ from: 0, to: "pot", silver: 2 });
    expect(paymentIn(told("arrive", { silver: 3 }))).toEqual({ from: 0, to: "pot", silver: 3 });
    expect(paymentIn(told("accept", { giver: 1, silver: 5 }))).toEqual({ from: 1, to: 0, silver: 5 });
    expect(paymentIn(told("welcome", { giver: 2, silver: 1 }))).toEqual({ from: 2, to: 0, silver: 1 });
    expect(paymentIn(told("race_won", { silver: 14 }))).toEqual({ from: "pot", to: 0, silver: 14 });
    expect(paymentIn(told("dice", { dice: 2, silver: 0 }))).toBeNull();
    expect(paymentIn(told("welcome", { giver: 0, silver: 0 }))).toBeNull();
    expect(paymentIn(told("offer", { silver: 4 }))).toBeNull();
  });

  test("the dice of the last turn lie roll by roll, until something new begins", () => {
    const die = (shows: number): Told => told("die", { shows });
    const log = [told("dice"), die(1), told("move"), told("dice"), die(2), die(3), told("move"), die(0)];
    expect(rollsOf(log)).toEqual([[2, 3], [0]]);
    expect(rollsOf([...log, told("place")])).toEqual([]);
  });
});

describe("the odds of a turn", () => {
  const answers = (...given: Response[]) => {
    const asked = vi.fn<() => Promise<Response>>();
    for (const answer of given) asked.mockResolvedValueOnce(answer);
    vi.stubGlobal("fetch", asked);
    return asked;
  };
  const found = { number: 7, odds: [{ dice: 1, ends: { "0": 0.25, "36": 0.75 }, ahead: 2.5, gain: -0.5 }] };
  afterEach(() => vi.unstubAllGlobals());

  test("are asked of the server, once while the table is the same", async () => {
    const asked = answers(Response.json(found), Response.json({ number: 9, odds: [] }));
    const [odds, view] = [new AskedOdds(), table({})];
    const answer = odds.ask("t1", view);
    expect(odds.all).toEqual([]);
    await answer;
    await odds.ask("t1", view);
    expect(asked.mock.calls).toEqual([["/api/tables/t1/odds", { method: "GET" }]]);
    expect(odds.all[0]!.ends[MINE]).toBe(0.25);
    await odds.ask("t1", table({}));
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test("that come too late are those of another table", async () => {
    answers(Response.json(found), Response.json({ number: 9, odds: [] }));
    const odds = new AskedOdds();
    await Promise.all([odds.ask("t1", table({})), odds.ask("t1", table({}))]);
    expect(odds.all).toEqual([]);
  });

  test("say why they are not there, and can be asked for once more", async () => {
    const refusal = { code: "too_fast", reason: "more than 600 requests a minute" };
    answers(Response.json(refusal, { status: 429 }), Response.json(found));
    const [odds, view] = [new AskedOdds(), table({})];
    await odds.ask("t1", view);
    expect(odds.trouble).toBe("More than 600 requests a minute.");
    await odds.ask("t1", view);
    expect([odds.trouble, odds.all.length]).toEqual(["", 1]);
  });
});

describe("the board", () => {
  test("sombreros stand on their spaces, or in the mine", () => {
    expect([hat(12), hat(null, 1), hat(null)].map((one) => standOf(one, 36))).toEqual([12, 37, null]);
  });

  test.each([
    [[12, 24, 36], 330, 390],
    [[12, 24, 36], 640, 770],
    [[20, 40, 60], 330, 390],
    [[0, 2, 4], 330, 300],
  ])("%j on %i by %i: all within, nothing grows on the track", (zones, width, height) => {
    const board = layBoard(zones, width, height);
    const last = zones.at(-1)!;
    expect(board.spots).toHaveLength(last + 2);
    for (const { x, y } of board.spots.slice(1)) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(width);
      expect(y).toBeGreaterThan(board.sky - board.track.breadth);
      expect(y).toBeLessThan(height);
    }
    for (const plant of board.growth) {
      const distances = board.track.spaces.map((space) => Math.hypot(space.x - plant.x, space.y - plant.y));
      expect(Math.min(...distances)).toBeGreaterThan(board.track.breadth * 0.4);
    }
  });
});

import { describe, expect, test } from "vitest";
import { layBoard } from "../src/games/race/board";
import { MINE, sums, turnOdds, zoneOf } from "../src/games/race/odds";
import { lineUp, priceOf, tokenToLay } from "../src/games/race/order";
import { lastRolls, script } from "../src/games/race/script";
import type { Hat, RaceView } from "../src/games/race/view";
import type { Told } from "../src/wire";

/** Worked out by the exact fractions of src/caramba/games/race/odds.py. */
const TERMINAL = { mine: 0.02700617283950617, on33: 0.13825873015873016, gain: 0.5247725602583274 };

/** A race of four with one sombrero each; spaces by seat. */
function race(spaces: (number | null)[], change: Partial<RaceView> = {}): RaceView {
  const onTrack = spaces.filter((space) => space !== null);
  const hats = spaces.map((space, seat): Hat => ({
    seat,
    space,
    rank: space === null ? null : 1 + onTrack.filter((other) => other > space).length,
    arrival: space === null ? 1 : null,
  }));
  return {
    seat: 0,
    actor: 0,
    legal: [],
    result: null,
    places: [],
    phase: "dice",
    race: 1,
    max_races: null,
    zones: [12, 24, 36],
    pot: 0,
    money: spaces.map(() => 30),
    bankrupt: [],
    gone: [],
    hats,
    ambushes: spaces.map((_, seat) => ({ seat, space: null, passed: false })),
    order: hats.map((_, hat) => hat).filter((hat) => spaces[hat] !== null),
    line: [],
    mover: null,
    due: 0,
    prices: {},
    costs: {},
    fee: 1,
    mine_in_reach: false,
    token: null,
    ambush_dice: [3, 2, 1],
    dice: 0,
    dice_left: 0,
    rolled: 0,
    offers: {},
    ...change,
  };
}

function told(kind: string, seat: number | null, facts: Record<string, unknown> = {}): Told {
  return { step: 1, kind, seat, facts, text: kind };
}

const total = (numbers: Iterable<number>): number => [...numbers].reduce((sum, number) => sum + number, 0);

describe("the odds of a turn", () => {
  test("sums of dice", () => {
    expect(sums(1)).toEqual(Array(6).fill(1 / 6));
    expect(sums(2)[5]).toBeCloseTo(6 / 36);
    expect(total(sums(4))).toBeCloseTo(1);
  });

  test("on a free track each face is as likely", () => {
    const odds = turnOdds(race([10, 30, 31, 32]), 1);
    expect([...odds.ends.keys()]).toEqual([10, 11, 12, 13, 14, 15]);
    expect(odds.ahead).toBeCloseTo(2.5);
    expect(odds.gain).toBeCloseTo(0);
  });

  test("an occupied space gives silver and one die more, again and again on a 0", () => {
    const odds = turnOdds(race([10, 12, 31, 32]), 1);
    expect(odds.ends.has(12)).toBe(false);
    expect(odds.ends.get(13)).toBeCloseTo(1 / 6 + 1 / 30);
    expect(odds.gain).toBeCloseTo((1 / 6) * 1.2); // one gift, and one more for each 0
    expect(total(odds.ends.values())).toBeCloseTo(1);
  });

  test("an ambush on stone rolls three dice", () => {
    const ambushes = [{ seat: 1, space: 3, passed: false }];
    const odds = turnOdds(race([2, 30, 31, 32], { ambushes }), 1);
    expect(Math.max(...odds.ends.keys())).toBe(18);
    expect(odds.ends.has(3)).toBe(false);
  });

  test("the mine costs the fee, or all that a poor mover has", () => {
    const near = race([36, 1, 2, null]);
    expect(turnOdds(near, 1).ends.get(MINE)).toBeCloseTo(5 / 6);
    expect(turnOdds(near, 1).gain).toBeCloseTo((-5 / 6) * 2);
    const poor = turnOdds({ ...near, money: [1, 30, 30, 30] }, 1);
    expect(poor.gain).toBeCloseTo(-5 / 6);
    expect(turnOdds({ ...near, bankrupt: [0] }, 1).gain).toBeCloseTo(0);
  });

  test("agree with those of the terminal", () => {
    const view = race([20, 23, 26, 31], {
      race: 2,
      money: [1, 3, 30, 5],
      ambushes: [
        { seat: 2, space: 24, passed: false },
        { seat: 3, space: 30, passed: false },
      ],
    });
    const odds = turnOdds(view, 4);
    expect(odds.ends.get(MINE)).toBeCloseTo(TERMINAL.mine, 9);
    expect(odds.ends.get(33)).toBeCloseTo(TERMINAL.on33, 9);
    expect(odds.gain).toBeCloseTo(TERMINAL.gain, 9);
  });

  test("zones", () => {
    expect([1, 12, 13, 24, 25, 36].map((space) => zoneOf([12, 24, 36], space))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe("the script of what happened", () => {
  const view = race([12, 23, 21, 16], { phase: "answer", pot: 6 });

  test("dice tumble, lie, and the sombrero hops; a host pays", () => {
    const frames = script(view, [
      told("no answer", 0),
      told("die", 0, { shows: 4 }),
      told("die", 0, { shows: 5 }),
      told("move", 0, { start: 12, space: 21 }),
      told("welcome", 0, { space: 21, giver: 2, silver: 1 }),
      told("die", 0, { shows: 3 }),
      told("move", 0, { start: 21, space: 24 }),
    ]);
    expect(frames.map((frame) => frame.tumbling)).toEqual([2, 0, 0, 0, 1, 0, 0]);
    expect(frames.map((frame) => frame.spaces[0])).toEqual([12, 12, 21, 21, 21, 21, 24]);
    expect(frames.at(-1)).toMatchObject({ rolls: [[4, 5], [3]], money: [31, 30, 29, 30], pot: 6, told: 7 });
  });

  test("who arrives pays, and the last one outside takes the pot", () => {
    const frames = script(race([35, 20, null, null], { pot: 3 }), [
      told("die", 0, { shows: 5 }),
      told("arrive", 0, { start: 35, arrival: 3, silver: 3 }),
      told("race_won", 1, { silver: 6 }),
      told("race", null, { race: 2 }),
    ]);
    expect(frames.at(-1)).toMatchObject({
      fallen: [0],
      spaces: [null, 20, null, null],
      money: [27, 36, 30, 30],
      pot: 0,
    });
    expect(frames.filter((frame) => frame.call !== null)).toHaveLength(3);
  });

  test("nothing to follow", () => {
    expect(script(view, [told("no offers", 1), told("offer", 2, { silver: 3 })])).toEqual([]);
  });

  test("the dice of the last turn", () => {
    const die = (shows: number): Told => told("die", 0, { shows });
    const log = [told("dice", 0), die(1), told("move", 0), told("dice", 0), die(2), die(3), told("move", 0), die(0)];
    expect(lastRolls(log)).toEqual([[2, 3], [0]]);
    expect(lastRolls([...log, told("place", 0)])).toEqual([]);
  });
});

describe("the order", () => {
  test("in turn, still to move, moved, in the mine", () => {
    const line = lineUp(race([10, 20, 30, null], { order: [0] }));
    expect(line.map(({ hat, stage }) => `${hat} ${stage}`)).toEqual(["0 now", "2 done", "1 done", "3 mine"]);
  });

  test("nobody is in turn while a round is opened", () => {
    expect(lineUp(race([10, 20], { phase: "round_ambush" })).map(({ stage }) => stage)).toEqual(["next", "next"]);
  });

  test("prices of dice bought off", () => {
    const view = race([1, 20, 30, 31], { race: 2 });
    expect([4, 3, 2, 1].map((dice) => priceOf(view, dice))).toEqual([0, 2, 6, 12]);
  });

  test("a token in hand is laid first, then the passed one farthest back", () => {
    const passed = { seat: 0, passed: true };
    expect(
      tokenToLay(
        race([1], {
          ambushes: [
            { ...passed, space: 9 },
            { seat: 0, space: null, passed: false },
          ],
        }),
        0,
      ),
    ).toBe(1);
    expect(
      tokenToLay(
        race([1], {
          ambushes: [
            { ...passed, space: 9 },
            { ...passed, space: 4 },
          ],
        }),
        0,
      ),
    ).toBe(1);
    expect(tokenToLay(race([1], { ambushes: [{ seat: 0, space: 9, passed: false }] }), 0)).toBeNull();
  });
});

describe("the board", () => {
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

import { expect, test } from "vitest";
import { opposite, rank } from "../src/games/auction/standing";

test("whoever has the highest total leads, and several tie", () => {
  expect(rank({ total: 7, seats: [1] }, 1)).toBe("leads");
  expect(rank({ total: 7, seats: [0, 1] }, 1)).toBe("ties");
  expect(rank({ total: 7, seats: [0, 1] }, 2)).toBe("");
  expect(rank(undefined, 0)).toBe("");
});

test("the others sit to the left", () => {
  expect(opposite(4, 2)).toEqual([3, 0, 1]);
});

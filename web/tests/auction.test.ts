import { expect, test } from "vitest";
import { task } from "../src/games/auction/guide";
import type { AuctionView } from "../src/games/auction/view";
import type { Choice } from "../src/lib/legal";
import { against, opposite, rank } from "../src/games/auction/standing";

test("whoever has the highest total leads, and several tie", () => {
  expect(rank({ total: 7, seats: [1] }, 1)).toBe("leads");
  expect(rank({ total: 7, seats: [0, 1] }, 1)).toBe("ties");
  expect(rank({ total: 7, seats: [0, 1] }, 2)).toBe("");
  expect(rank(undefined, 0)).toBe("");
});

test("what a bid would make is compared with what is to be beaten", () => {
  const lead = { total: 7, seats: [1] };
  expect([8, 7, 6].map((total) => against(lead, total))).toEqual(["leads", "ties", "behind"]);
  expect(against({ total: 0, seats: [] }, 2)).toBe("leads");
  expect(against(null, 2)).toBe("leads");
});

test("who can only pass is told so", () => {
  const may = (what: string): Choice => ({ text: what, phrase: what, form: { do: what }, brings: {} });
  const bids = { phase: "bids" } as AuctionView;
  expect(task(bids, [may("pass")], false)).toBe("No cards left: you can only pass.");
  expect(task(bids, [may("pass"), may("manos")], false)).toBe("No cards left: pass, or your special card.");
});

test("the others sit to the left", () => {
  expect(opposite(4, 2)).toEqual([3, 0, 1]);
});

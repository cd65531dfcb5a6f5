import { expect, test } from "vitest";
import { roundMarks } from "../src/lib/marks";

test("an axis has a few round numbers", () => {
  expect(roundMarks(0, 102)).toEqual([0, 50, 100]);
  expect(roundMarks(0, 131)).toEqual([0, 50, 100]);
  expect(roundMarks(-12, 64)).toEqual([0, 50]);
  expect(roundMarks(0, 29)).toEqual([0, 10, 20]);
  expect(roundMarks(0, 1)).toEqual([0, 1]);
});

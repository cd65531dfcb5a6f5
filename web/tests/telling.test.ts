/** Which words of a sentence are drawn as pieces. */
import { expect, test } from "vitest";
import { newsSince, spelled } from "../src/lib/telling";
import type { Told } from "../src/wire";

const CODE = /\b((?:[gad]\d){1,2})\b/;
const drawn = (text: string, names: string[] = []): string[] =>
  spelled(text, CODE, names)
    .filter(({ isPiece }) => isPiece)
    .map(({ text }) => text);

test("pieces are drawn, words are not", () => {
  expect(drawn("Ana bids g3d4 on the gold; a2 is stashed.")).toEqual(["g3d4", "a2"]);
  expect(
    spelled("Ana bids g3d4 on", CODE, [])
      .map(({ text }) => text)
      .join(""),
  ).toBe("Ana bids g3d4 on");
});

test("a player whose name is like a piece is none", () => {
  expect(drawn("g3 bids d4a1 on the gold", ["Ana", "g3"])).toEqual(["d4a1"]);
  expect(drawn("The g3 (Luc) bids d4a1", ["The g3 (Luc)", "g3d4"])).toEqual(["d4a1"]);
  expect(drawn("Ana bids g3d4", ["g3", "Ana"])).toEqual(["g3d4"]);
});

test("what matters since my last turn is said, without what I did", () => {
  const told = (step: number, kind: string, seat: number, facts = {}): Told => ({
    step,
    kind,
    seat,
    facts,
    text: `${kind} ${seat}`,
  });
  const log = [told(1, "bid", 1), told(2, "bid", 0), told(3, "deal", 1, { card: "??" }), told(4, "pass", 1)];
  expect(newsSince(log, 2, 0, null)).toEqual(["pass 1"]);
  expect(newsSince(log, 0, 0, ["bid"])).toEqual(["bid 1", "bid 0"]);
  const scored = [told(1, "scores", 0), told(1, "scores", 1), ...[2, 3, 4, 5].map((step) => told(step, "drop", 1))];
  expect(newsSince(scored, 1, 0, ["drop"], ["scores"])).toEqual(["scores 0", "drop 1", "drop 1", "drop 1", "drop 1"]);
  const many = Array.from({ length: 9 }, (_, step) => told(step, "bid", 1));
  expect(newsSince(many, 0, 0, null)).toHaveLength(4);
});

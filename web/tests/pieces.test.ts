import { expect, test } from "vitest";
import { identify, type Piece, type Place } from "../src/lib/pieces";

const place = (zone: string, kind: string): Place => ({ zone, kind });

function numbered(...places: Place[]): Piece[] {
  return places.map((where, at) => ({ ...where, id: at + 1 }));
}

function counter(from: number): () => number {
  let last = from;
  return () => ++last;
}

test("what stays keeps its identity", () => {
  const before = numbered(place("centre", "g3"), place("centre", "g3"), place("hand", "a5"));
  const now = identify(before, [place("hand", "a5"), place("centre", "g3")], counter(100));
  expect(now.map((piece) => piece.id)).toEqual([3, 1]);
});

test("what stays is the same thing, so that it is not drawn again", () => {
  const before = numbered(place("centre", "g3"), place("hand", "??"), place("centre", "d2"));
  const now = identify(before, [place("hand", "??"), place("centre", "d2"), place("centre", "g7")], counter(100));
  expect(now[0]).toBe(before[1]);
  expect(now[1]).toBe(before[2]);
});

test("what leaves one place comes to another", () => {
  const before = numbered(place("centre", "g3"), place("centre", "d2"));
  const now = identify(before, [place("centre", "d2"), place("stash 1", "g3")], counter(100));
  expect(now.map((piece) => piece.id)).toEqual([2, 1]);
});

test("a card is turned over on its way", () => {
  const before = numbered(place("hand 2", "??"), place("hand 2", "??"));
  const now = identify(before, [place("hand 2", "??"), place("bid", "g7")], counter(100));
  expect(now.map((piece) => piece.id)).toEqual([1, 2]);
  const hidden = identify(now, [place("hand 2", "??"), place("hand 2", "??")], counter(100));
  expect(hidden.map((piece) => piece.id)).toEqual([1, 2]);
});

test("what was never seen is new", () => {
  expect(identify([], [place("centre", "g3")], counter(100)).map((piece) => piece.id)).toEqual([101]);
});

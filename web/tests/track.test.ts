import { describe, expect, test } from "vitest";
import { track, type Point, type Space } from "../src/games/race/art/trackGeometry";

const SHAPES = [
  { name: "a phone", zones: [12, 24, 36], width: 340, height: 420 },
  { name: "a wide screen", zones: [12, 24, 36], width: 720, height: 360 },
  { name: "sixty spaces on a phone", zones: [20, 40, 60], width: 340, height: 420 },
  { name: "sixty spaces on a wide screen", zones: [0, 30, 60], width: 640, height: 400 },
  { name: "very few spaces", zones: [2, 2, 4], width: 340, height: 420 },
];

function inside([x, y]: Point, outline: readonly Point[]): boolean {
  let odd = false;
  outline.forEach(([ax, ay], i) => {
    const [bx, by] = outline[(i + 1) % outline.length]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  });
  return odd;
}

/** The outline a little smaller, with points on its sides too. */
function within(space: Space): Point[] {
  return space.outline.flatMap(([ax, ay], i) => {
    const [bx, by] = space.outline[(i + 1) % space.outline.length]!;
    return [0, 0.5].map((part): Point => {
      const [x, y] = [ax + (bx - ax) * part, ay + (by - ay) * part];
      return [x + (space.x - x) * 0.04, y + (space.y - y) * 0.04];
    });
  });
}

function key([x, y]: Point): string {
  return `${x} ${y}`;
}

describe.each(SHAPES)("the track on $name", ({ zones, width, height }) => {
  const { spaces, mine, breadth } = track({ zones, width, height });

  test("has every space, on its ground", () => {
    expect(spaces.map((space) => space.number)).toEqual(Array.from({ length: zones[2]! }, (_, i) => i + 1));
    const last = (zone: string): number => spaces.filter((space) => space.zone === zone).length;
    expect([last("stone"), last("gravel"), last("earth")]).toEqual([
      zones[0],
      zones[1]! - zones[0]!,
      zones[2]! - zones[1]!,
    ]);
  });

  test("lies inside the box", () => {
    for (const [x, y] of spaces.flatMap((space) => space.outline)) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(width);
      expect(y).toBeLessThanOrEqual(height);
    }
    expect(mine.x).toBeGreaterThanOrEqual(0);
    expect(mine.x + mine.width).toBeLessThanOrEqual(width);
    expect(mine.y + mine.height).toBeLessThanOrEqual(height);
  });

  test("has no overlaps, and centres that lie on their own space", () => {
    for (const one of spaces) {
      expect(inside([one.x, one.y], one.outline)).toBe(true);
      for (const other of spaces) {
        if (one === other) continue;
        expect(within(one).filter((point) => inside(point, other.outline))).toEqual([]);
      }
    }
  });

  test("goes on from each space to the next", () => {
    spaces.slice(1).forEach((space, i) => {
      const before = new Set(spaces[i]!.outline.map(key));
      expect(space.outline.map(key).filter((corner) => before.has(corner))).toHaveLength(2);
    });
  });

  test("is not covered by the mine", () => {
    const covers = ([x, y]: Point): boolean =>
      x > mine.x + 2 && x < mine.x + mine.width - 2 && y > mine.y + mine.height * 0.2 && y < mine.y + mine.height;
    expect(spaces.slice(0, -1).filter((space) => space.outline.some(covers))).toEqual([]);
  });

  test("leads down to the mine", () => {
    const [first, last] = [spaces[0]!, spaces.at(-1)!];
    expect(first.y).toBeLessThan(last.y);
    const sides = [mine.x, mine.x + mine.width];
    const gaps = last.outline.flatMap(([x]) => sides.map((side) => Math.abs(x - side)));
    expect(Math.min(...gaps)).toBeLessThan(breadth / 8);
  });
});

/** The track of the Race: a winding ribbon from the top of a box down to the mine, cut into spaces. */

export const ZONES = ["stone", "gravel", "earth"] as const;
export type Zone = (typeof ZONES)[number];

export interface Space {
  /** From 1; the highest lies next to the mine. */
  number: number;
  zone: Zone;
  /** Its centre. */
  x: number;
  y: number;
  /** Which way it goes on, in degrees: 0 to the right, 90 down. */
  angle: number;
  /** Its corners and sides; neighbours share a side. */
  outline: Point[];
  /** The same as an SVG path. */
  path: string;
}

export interface Track {
  width: number;
  height: number;
  spaces: Space[];
  /** The width of the ribbon, and about the length of a space: what stands on it should be smaller. */
  breadth: number;
  length: number;
  /** Between two rows. */
  gap: number;
  /** Where the mine is to be drawn, at the end of the ribbon. */
  mine: Box;
  /** Where the pot is to be drawn, beyond the mine. */
  pot: Box;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type Point = readonly [x: number, y: number];

export interface Shape {
  /** The last space of stone, gravel and earth. */
  zones?: readonly number[];
  width?: number;
  height?: number;
  /** Kept free round the edge. */
  margin?: number;
}

/** How much of the distance between two rows the ribbon takes. */
const FILL = 0.68;
/** How far the rows swing up and down, as a part of that distance. */
const SWING = 0.2;
const MINE_WIDTH = 1.1;
const POT_WIDTH = 0.7;
/** Both are drawn in boxes of 120 by 100. */
const HIGH = 5 / 6;
/** No space is longer than so many times the breadth: few spaces make a short track. */
const LONGEST = 1.7;
const STEP = 2;
const MOST_ROWS = 14;

interface Line {
  points: Point[];
  breadth: number;
  total: number;
  mine: Box;
  pot: Box;
}

/** Lay out a track: as many rows as make the spaces largest. */
export function track({ zones = [12, 24, 36], width = 340, height = 420, margin = 4 }: Shape = {}): Track {
  const count = Math.max(1, zones.at(-1) ?? 0);
  const lines = Array.from({ length: MOST_ROWS }, (_, i) => serpentine(i + 1, width, height, margin));
  const room = (line: Line): number => Math.min(line.total / count, line.breadth * 1.25);
  const line = lines.reduce((best, other) => (room(other) > room(best) ? other : best));
  const length = Math.min(line.total / count, line.breadth * LONGEST);
  const start = line.total - count * length;
  return {
    width,
    height,
    spaces: Array.from({ length: count }, (_, i) => space(line, i, start, length, zones)),
    breadth: line.breadth,
    length,
    gap: line.breadth / FILL - line.breadth,
    mine: line.mine,
    pot: line.pot,
  };
}

/** The middle of the ribbon: rows to and fro, joined by half circles, all swinging alike. */
function serpentine(rows: number, width: number, height: number, margin: number): Line {
  const parts = rows - 1 + FILL + 2 * SWING;
  const pitch = Math.min((height - 2 * margin) / parts, width / 4);
  const breadth = pitch * FILL;
  const swing = (x: number): number => pitch * SWING * Math.cos((2 * Math.PI * x) / width);
  const left = margin + (pitch + breadth) / 2;
  const right = width - left;
  const top = (height - parts * pitch) / 2 + breadth / 2 + pitch * SWING;
  const mineWidth = Math.min(pitch * MINE_WIDTH, width / 4);
  const potWidth = (mineWidth * POT_WIDTH) / MINE_WIDTH;
  const rightward = (row: number): boolean => row % 2 === 0;
  const flat: Point[] = [];
  for (let row = 0; row < rows; row++) {
    const y = top + row * pitch;
    const last = row === rows - 1;
    const from = row === 0 ? margin : left;
    const to = last ? width - margin - mineWidth - potWidth : right;
    for (let x = from; x < to; x += STEP) flat.push([rightward(row) ? x : width - x, y]);
    flat.push([rightward(row) ? to : width - to, y]);
    if (!last) flat.push(...halfCircle(rightward(row) ? right : width - right, y, pitch / 2, rightward(row)));
  }
  const points = flat.map(([x, y]): Point => [x, y + swing(x)]);
  const end = points.at(-1)!;
  const foot = Math.min(end[1] + breadth / 2, height - margin);
  const box = (fromEdge: number, wide: number): Box => ({
    x: rightward(rows - 1) ? width - margin - fromEdge - wide : margin + fromEdge,
    y: foot - wide * HIGH,
    width: wide,
    height: wide * HIGH,
  });
  const mine = box(potWidth, mineWidth);
  const pot = box(0, potWidth);
  return { points, breadth, total: lengthOf(points), mine, pot };
}

function halfCircle(x: number, y: number, radius: number, rightward: boolean): Point[] {
  const steps = Math.max(6, Math.ceil((Math.PI * radius) / STEP));
  return Array.from({ length: steps - 1 }, (_, i): Point => {
    const turn = ((i + 1) * Math.PI) / steps;
    return [x + (rightward ? 1 : -1) * radius * Math.sin(turn), y + radius * (1 - Math.cos(turn))];
  });
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(bx - ax, by - ay);
}

function lengthOf(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, point, i) => sum + distance(points[i]!, point), 0);
}

/** The place so far along a line, and the direction there. */
function along(points: readonly Point[], want: number): { point: Point; angle: number } {
  let gone = 0;
  for (let i = 1; i < points.length; i++) {
    const [from, to] = [points[i - 1]!, points[i]!];
    const step = distance(from, to);
    if (gone + step >= want || i === points.length - 1) {
      const part = step === 0 ? 0 : (want - gone) / step;
      const before = points[Math.max(0, i - 2)]!;
      const after = points[Math.min(points.length - 1, i + 1)]!;
      return {
        point: [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part],
        angle: Math.atan2(after[1] - before[1], after[0] - before[0]),
      };
    }
    gone += step;
  }
  return { point: points[0] ?? [0, 0], angle: 0 };
}

const CUTS = 8;

function space(line: Line, index: number, start: number, length: number, zones: readonly number[]): Space {
  const places = Array.from({ length: CUTS + 1 }, (_, i) => along(line.points, start + (index + i / CUTS) * length));
  const side = (sign: number): Point[] =>
    places.map(({ point: [x, y], angle }) => [
      tenth(x - sign * Math.sin(angle) * (line.breadth / 2)),
      tenth(y + sign * Math.cos(angle) * (line.breadth / 2)),
    ]);
  const outline = [...side(-1), ...side(1).reverse()];
  const middle = along(line.points, start + (index + 0.5) * length);
  return {
    number: index + 1,
    zone: ZONES[zones.findIndex((last) => index < last)] ?? "earth",
    x: tenth(middle.point[0]),
    y: tenth(middle.point[1]),
    angle: Math.round((middle.angle * 180) / Math.PI),
    outline,
    path: `M${outline.map(([x, y]) => `${x} ${y}`).join("L")}Z`,
  };
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Where everything lies on the board: sky, track, names of the ground, plants and rocks. */
import { track, ZONES, type Space, type Track, type Zone } from "./art/trackGeometry";
import type { Hat } from "./view";

export interface Spot {
  x: number;
  y: number;
}

export interface Label extends Spot {
  zone: Zone;
  angle: number;
}

export type Kind = "agave" | "saguaro" | "nopal" | "rock" | "tuft";

export interface Growth extends Spot {
  kind: Kind;
  scale: number;
}

export interface Board {
  width: number;
  height: number;
  /** How much of it is sky. */
  sky: number;
  track: Track;
  /** By number of the space; the last one is the mouth of the mine. */
  spots: Spot[];
  labels: Label[];
  growth: Growth[];
}

const MARGIN = 8;
/** Smaller plants are only spots. */
const SMALLEST = 7;
const LARGEST = 46;
/** Half the room that the name of a zone takes. */
const NAME_WIDTH = 34;

/** A board for so many pixels. */
export function layBoard(zones: readonly number[], width: number, height: number): Board {
  const sky = Math.round(Math.min(Math.max(height * 0.13, 58), 112));
  const ground = track({ zones, width, height: height - sky - MARGIN, margin: MARGIN });
  const { mine } = ground;
  const mouth = { x: mine.x + mine.width / 2, y: mine.y + mine.height * 0.78 };
  const labels = ZONES.flatMap((zone) => label(ground, zone) ?? []);
  return {
    width,
    height,
    sky,
    track: ground,
    spots: [{ x: 0, y: 0 }, ...ground.spaces, mouth].map(({ x, y }) => ({ x, y: y + sky })),
    labels,
    growth: grow(ground, labels),
  };
}

/** The shorter side of a space: what stands on one is smaller. */
export function smallOf({ track: { breadth, length } }: Board): number {
  return Math.min(breadth, length);
}

/** The number of the spot where a sombrero stands; null for one that is not on the board. */
export function standOf({ space, arrival }: Hat, last: number): number | null {
  return arrival === null ? space : last + 1;
}

/** A name stands above one of the first spaces of its ground, where the track lies flat. */
function label({ spaces, breadth, gap }: Track, zone: Zone): Label | null {
  const own = spaces.filter((space) => space.zone === zone);
  const lies = (at: number): boolean => own[at] !== undefined && Math.abs(tilt(own[at])) < 16;
  const flat = own.find((_, at) => at > 1 && lies(at - 1) && lies(at) && lies(at + 1)) ?? own[0];
  if (!flat) return null;
  return { zone, x: flat.x, y: flat.y - (breadth + gap) / 2, angle: tilt(flat) };
}

/** How a space leans, whichever way it is walked. */
function tilt({ angle }: Space): number {
  const turned = ((angle % 180) + 180) % 180;
  return turned > 90 ? turned - 180 : turned;
}

/** Points along the middle of a space: its two sides have their corners in opposite order. */
function middle({ outline }: Space): Spot[] {
  return outline.slice(0, outline.length / 2).map(([x, y], at) => {
    const [over, down] = outline.at(-1 - at)!;
    return { x: (x + over) / 2, y: (y + down) / 2 };
  });
}

/** Something grows or lies wherever there is room; on the same board always in the same places. */
function grow(ground: Track, labels: readonly Label[]): Growth[] {
  const { width, height, spaces, mine, pot } = ground;
  const random = numbers(spaces.length);
  const taken: { x: number; y: number; radius: number }[] = [
    ...spaces.flatMap(middle).map(({ x, y }) => ({ x, y, radius: ground.breadth / 2 + 3 })),
    ...labels.flatMap(({ x, y }) => [-1, 0, 1].map((side) => ({ x: x + side * NAME_WIDTH, y, radius: 12 }))),
    ...[mine, pot].map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2, radius: box.width * 0.62 })),
  ];
  const free = ({ x, y }: Spot): number =>
    Math.min(
      x - 3,
      width - x - 3,
      y + 10,
      height - y - 2,
      ...taken.map((other) => Math.hypot(x - other.x, y - other.y) - other.radius),
    );
  const growth: Growth[] = [];
  const seeds = Array.from({ length: 420 }, () => ({ x: random() * width, y: random() * height }));
  const roomy = seeds.map((spot) => ({ spot, room: free(spot) })).sort((one, other) => other.room - one.room);
  for (const { spot } of roomy) {
    const room = Math.min(free(spot), LARGEST);
    if (room < SMALLEST) continue;
    growth.push(plant(spot, room * 0.92, random()));
    taken.push({ ...spot, radius: room + 4 });
  }
  return growth.sort((one, other) => one.y - other.y);
}

/** The height of each, drawn at scale 1. */
const HIGH: Record<Kind, number> = { agave: 60, saguaro: 84, nopal: 76, rock: 44, tuft: 30 };

/** What fits into a circle. */
function plant({ x, y }: Spot, radius: number, draw: number): Growth {
  const kinds: Kind[] = radius < 12 ? ["tuft", "rock", "tuft", "agave"] : ["saguaro", "nopal", "agave", "rock"];
  const kind = kinds[Math.floor(draw * kinds.length)]!;
  return { kind, x: Math.round(x), y: Math.round(y + radius * 0.9), scale: (2 * radius) / HIGH[kind] };
}

/** Numbers from 0 to 1 that look like chance, but are always the same. */
function numbers(seed: number): () => number {
  let state = seed * 7919 + 17;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

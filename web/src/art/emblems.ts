import { blade, circle, leaf, polygon, rays, star } from "./shapes";

/** The emblems of the seats: solid shapes, and lines cut into them or thick ones that add to them. */
export interface Figure {
  name: string;
  solid: string;
  /** Further shapes from the back to the front, set off from each other. */
  layers?: readonly string[];
  /** Strokes that belong to the shape: path and width. */
  limbs?: [string, number][];
  /** Strokes cut out of it. */
  cuts?: [string, number][];
  /** Holes. */
  holes?: string;
}

const facets = [0, 72, 144, 216, 288]
  .map((turn) => {
    const angle = ((turn - 90) * Math.PI) / 180;
    return `M50 53L${(50 + 36 * Math.cos(angle)).toFixed(1)} ${(53 + 36 * Math.sin(angle)).toFixed(1)}`;
  })
  .join("");

/** The blades of an agave, the outermost first. */
export const AGAVE: readonly string[] = (
  [
    [38, -2, 74],
    [62, 102, 74],
    [40, 1, 45],
    [60, 99, 45],
    [43, 20, 18],
    [57, 80, 18],
    [50, 50, 4],
  ] as const
).map(([foot, x, y]) => blade(foot, 90, x, y, 13));

/** A sombrero in a box of 100 by 80. */
export const HAT = {
  crown: "M25 58C27 44 32 22 36 12C39 3 61 3 64 12C68 22 73 44 75 58Z",
  band: "M29 37C42 41 58 41 71 37L77 58C60 63 40 63 23 58Z",
  brim: "M2 40C0 33 7 29 11 35C19 49 33 56 50 56C67 56 81 49 89 35C93 29 100 33 98 40C93 63 74 77 50 77C26 77 7 63 2 40Z",
  stitch: "M8.5 46C19 61 34 67 50 67C66 67 81 61 91.5 46",
};

export const EMBLEMS: readonly Figure[] = [
  {
    name: "sun",
    solid: rays(50, 50, 29, 47, 12, 11) + circle(50, 50, 23),
    cuts: [[circle(50, 50, 13), 4]],
  },
  {
    name: "agave",
    solid: "",
    layers: AGAVE,
  },
  {
    name: "horse",
    solid:
      "M30 90C29 74 35 64 44 56C38 58 33 61 29 66C25 71 17 70 14 65C12 61 15 57 19 52L33 31C34 24 38 18 45 15L45 6L54 14C73 17 86 33 87 55C88 69 86 80 83 90Z",
    cuts: [
      ["M57 17C66 26 71 40 71 56C71 70 68 80 66 91", 4],
      ["M29 39L40 50", 3.4],
    ],
    holes: circle(42, 31, 3.6),
  },
  {
    name: "star",
    solid: star(50, 53, 47, 20, 5),
    cuts: [[facets, 3]],
  },
  {
    name: "moon",
    solid:
      "M62 8A43 43 0 1 0 92 66A35 35 0 0 1 62 8Z" + circle(76, 30, 5.5) + circle(88, 46, 3.6) + circle(70, 46, 3.6),
  },
  {
    name: "cactus flower",
    solid:
      [-66, 66, -34, 34, 0].map((turn) => leaf(50, 58, 52, 20, turn)).join("") +
      "M50 52C70 52 78 62 78 74C78 88 66 96 50 96C34 96 22 88 22 74C22 62 30 52 50 52Z",
    cuts: [["M27 58Q50 66 73 58", 4]],
    holes: circle(38, 76, 3) + circle(50, 70, 3) + circle(62, 76, 3) + circle(50, 84, 3),
  },
  {
    name: "lizard",
    solid:
      "M50 3C57 3 62 9 61 16C60 21 58 24 58 28C66 36 66 52 58 62C55 67 52 70 50 74C46 68 42 66 40 60C35 50 36 36 42 28C42 24 40 21 39 16C38 9 43 3 50 3Z",
    limbs: [
      ["M50 66C50 80 38 80 36 89C35 96 46 97 49 91", 7],
      ["M42 35L26 38L20 25M58 35L74 38L80 25", 7],
      ["M43 56L27 55L21 70M57 56L73 55L79 70", 7],
      ["M20 25l-7 -3M20 25l1 -8M80 25l7 -3M80 25l-1 -8M21 70l-8 2M21 70l2 8M79 70l8 2M79 70l-2 8", 4.4],
    ],
    holes:
      circle(45.5, 12, 2.3) +
      circle(54.5, 12, 2.3) +
      polygon([
        [50, 32],
        [54, 38],
        [50, 44],
        [46, 38],
      ]) +
      polygon([
        [50, 47],
        [53, 52],
        [50, 57],
        [47, 52],
      ]),
  },
  {
    name: "hummingbird",
    solid:
      "M4 36L30 33C33 25 43 22 50 27C54 30 56 34 57 39C64 26 76 14 95 8C95 30 88 46 74 56C70 66 63 72 56 76L66 95L54 90L48 97L44 79C34 72 30 60 33 46C32 43 31 40 30 38Z",
    cuts: [
      ["M57 39C56 46 58 52 64 57", 4],
      ["M71 45L86 26M66 38L78 25", 3],
    ],
    holes: circle(41, 34, 3.4),
  },
];

/** A tile of 12 by 12 of each seat's pattern, to be cut into its colour. */
export const BANDS: readonly string[] = [
  "M0 12L6 0H12L6 12Z", // stripes
  "M0 9L6 2L12 9V12.2L6 5.6L0 12.2Z", // zigzag
  circle(6, 6, 3.4), // dots
  "M6 0.8L10.6 6L6 11.2L1.4 6Z", // diamonds
  "M0 4Q3 0 6 4T12 4V8Q9 12 6 8T0 8Z", // waves
  "M0 12A6 6 0 0 1 12 12H9A3 3 0 0 0 3 12ZM4.4 3a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0Z", // arches
  "M0 11.5L6 1L12 11.5Z", // teeth
  "M4.2 1H7.8V4.2H11V7.8H7.8V11H4.2V7.8H1V4.2H4.2Z", // crosses
];

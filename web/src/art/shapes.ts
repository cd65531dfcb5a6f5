/** Shapes that are computed: round things, rays, tiles. All paths are in a box of 100. */

const round = (value: number): number => Math.round(value * 10) / 10;

export function at(x: number, y: number, radius: number, degrees: number): [number, number] {
  const turn = (degrees * Math.PI) / 180;
  return [round(x + radius * Math.cos(turn)), round(y + radius * Math.sin(turn))];
}

/** A closed polygon through points. */
export function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${x} ${y}`).join("L")}Z`;
}

/** Where x stands among what follows a command of a path; the rest stays, and so does all that is relative. */
const ACROSS: Readonly<Record<string, readonly number[]>> = {
  M: [0],
  L: [0],
  H: [0],
  Q: [0, 2],
  T: [0],
  C: [0, 2, 4],
  A: [5],
};

/** The same path, so far to the right. */
export function moved(path: string, by: number): string {
  return path.replace(/([A-Za-z])([^A-Za-z]*)/g, (whole, command: string, numbers: string) => {
    const across = ACROSS[command];
    if (!across) return whole;
    const values = numbers.match(/-?[\d.]+/g)!.map(Number);
    return command + values.map((value, at) => (across.includes(at) ? round(value + by) : value)).join(" ");
  });
}

/** A path again and again, one beside the other, as one path. */
export function tiled(path: string, many: number, apart: number): string {
  return Array.from({ length: many }, (_, at) => moved(path, at * apart)).join("");
}

/** A star with its first point upwards. */
export function star(x: number, y: number, outer: number, inner: number, points: number, turned = 0): string {
  const step = 180 / points;
  return polygon(Array.from({ length: points * 2 }, (_, i) => at(x, y, i % 2 ? inner : outer, turned - 90 + i * step)));
}

export function circle(x: number, y: number, radius: number): string {
  return `M${round(x - radius)} ${y}a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0Z`;
}

/** Rays round a centre, wide at their foot; by default all the way round. */
export function rays(
  x: number,
  y: number,
  from: number,
  to: number,
  count: number,
  half: number,
  start = -90,
  sweep = 360,
): string {
  const step = sweep === 360 ? 360 / count : sweep / (count - 1);
  return Array.from({ length: count }, (_, i) => {
    const middle = start + i * step;
    return polygon([at(x, y, from, middle - half), at(x, y, to, middle), at(x, y, from, middle + half)]);
  }).join("");
}

/** Beams that widen outwards, as behind a saint or on a poster. */
export function beams(x: number, y: number, radius: number, count: number): string {
  const step = 360 / count;
  return Array.from({ length: count }, (_, i) =>
    polygon([[x, y], at(x, y, radius, i * step - step / 4), at(x, y, radius, i * step + step / 4)]),
  ).join("");
}

/** A disc with a scalloped edge. */
export function scalloped(x: number, y: number, radius: number, bumps: number): string {
  const step = 360 / bumps;
  const bump = round(radius * Math.sin((step * Math.PI) / 360) * 1.02);
  const corners = Array.from({ length: bumps }, (_, i) => at(x, y, radius, i * step));
  const [first, ...others] = corners;
  const arcs = [...others, first!].map(([px, py]) => `A${bump} ${bump} 0 0 1 ${px} ${py}`);
  return `M${first!.join(" ")}${arcs.join("")}Z`;
}

/** A stiff blade that stands on a broad foot and bends outwards to its tip. */
export function blade(x: number, y: number, tipX: number, tipY: number, half: number): string {
  const [bendX, bendY] = [round(x + (tipX - x) * 0.42), round(y + (tipY - y) * 0.56)];
  return `M${x - half} ${y}Q${bendX - half} ${bendY} ${tipX} ${tipY}Q${bendX + half} ${bendY} ${x + half} ${y}Z`;
}

/** A leaf from a foot to a tip, at an angle from upright. */
export function leaf(x: number, y: number, length: number, half: number, degrees: number): string {
  const [tx, ty] = at(x, y, length, degrees - 90);
  const [ax, ay] = at(...at(x, y, length * 0.42, degrees - 90), half, degrees + 180);
  const [bx, by] = at(...at(x, y, length * 0.42, degrees - 90), half, degrees);
  return `M${x} ${y}Q${ax} ${ay} ${tx} ${ty}Q${bx} ${by} ${x} ${y}Z`;
}

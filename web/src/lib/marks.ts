/** Round numbers for the axis of a chart. */

/** So many parts an axis has at most. */
const PARTS = 3;

/** The multiples of 1, 2 or 5 times a power of ten that lie between two numbers, as many as there is room for. */
export function roundMarks(low: number, high: number): number[] {
  const least = Math.max(1, (high - low) / PARTS);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least)!;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step);
}

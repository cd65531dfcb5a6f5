/** A sombrero hops from space to space, as people move it, and falls into the mine. */
import { hold } from "../../lib/motion.svelte";
import { lasting } from "../../lib/settings.svelte";
import type { Spot } from "./board";
import { HOP } from "./script";

export interface Standpoint {
  /** The number of the space; one beyond the last is the mine. */
  space: number;
  spots: readonly Spot[];
}

export function hop(node: HTMLElement, at: Standpoint) {
  let was = at.space;
  return {
    update({ space, spots }: Standpoint): void {
      const steps = space - was;
      if (steps > 0 && lasting(HOP)) {
        const way = spots.slice(was, space + 1);
        const timing = { duration: lasting(HOP * steps), easing: "linear" };
        hold(node.animate(frames(way, space === spots.length - 1), timing).finished);
      }
      was = space;
    },
  };
}

/** From spot to spot with a leap between, relative to the last one. */
function frames(way: readonly Spot[], falls: boolean): Keyframe[] {
  const end = way.at(-1)!;
  const move = (x: number, y: number): string => `translate(${x - end.x}px, ${y - end.y}px)`;
  return way.flatMap((spot, at) => {
    const next = way[at + 1];
    if (!next) return [{ transform: falls ? "scale(0.3)" : "none", opacity: falls ? 0 : 1 }];
    const leap = move((spot.x + next.x) / 2, (spot.y + next.y) / 2 - 11);
    return [
      { transform: move(spot.x, spot.y), opacity: 1 },
      { transform: leap, opacity: 1 },
    ];
  });
}

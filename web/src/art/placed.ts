import type { ClassValue } from "svelte/elements";

/** What every picture takes: its width on the page, or its place inside another picture. */
export interface Placed {
  /** The width, in pixels or as CSS has it; without it, the picture is as wide as what holds it. */
  size?: number | string | undefined;
  /** What it means, where it stands for itself; without it, it is hidden from readers of the screen. */
  label?: string | undefined;
  x?: number | string;
  y?: number | string;
  width?: number | string;
  height?: number | string;
  class?: ClassValue;
  style?: string | undefined;
  preserveAspectRatio?: string;
}

/** What every card takes beside: the states it can be in. */
export interface Held extends Placed {
  selected?: boolean;
  raised?: boolean;
  dimmed?: boolean;
}

/** What is drawn in more than one place; pieces of a single game are in its own folder. */
export { default as Band } from "./Band.svelte";
export { default as Banner } from "./Banner.svelte";
export { default as Bot } from "./Bot.svelte";
export { default as Emblem } from "./Emblem.svelte";
export { default as Logo } from "./Logo.svelte";
export { default as Plants } from "./Plants.svelte";
export { default as Sombrero } from "./Sombrero.svelte";
export { default as Terrain } from "./Terrain.svelte";
export { EMBLEMS } from "./emblems";

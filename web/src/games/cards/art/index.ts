/** Playing cards. */
export { default as MiniCard } from "./MiniCard.svelte";
export { default as MiniPile } from "./MiniPile.svelte";
export { default as PlayingCard } from "./PlayingCard.svelte";
export * from "./codes";

/** The pieces of the Race. */
export { default as AmbushToken } from "./AmbushToken.svelte";
export { default as Coin } from "./Coin.svelte";
export { default as Coins } from "./Coins.svelte";
export { default as Die } from "./Die.svelte";
export { default as Mine } from "./Mine.svelte";
export { default as Pot } from "./Pot.svelte";
export * from "./trackGeometry";

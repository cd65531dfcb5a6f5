/** The pieces of the Auction. */
export { default as BidCard } from "./BidCard.svelte";
export { default as Crate } from "./Crate.svelte";
export { default as Good } from "./Good.svelte";
export { default as Sack } from "./Sack.svelte";
export { default as SpecialCard } from "./SpecialCard.svelte";
export * from "./codes";

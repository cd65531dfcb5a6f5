/** What people are called on the page. */
import { say } from "./words.svelte";

/** What somebody is called who gives no name, beside these others. */
export function guestName(others: readonly string[]): string {
  const taken = others.map((name) => name.toLocaleLowerCase());
  const called = (n: number): string => (n === 1 ? say("Guest") : say("Guest {n}", { n }));
  let n = 1;
  while (taken.includes(called(n).toLocaleLowerCase())) n += 1;
  return called(n);
}

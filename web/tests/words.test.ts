import { afterEach, expect, test, vi } from "vitest";
import { count, fill, ownName, say, sentence, speak } from "../src/lib/words.svelte";

const FRENCH = { "Your turn": "À vous", "{n} card": ["{n} carte", "{n} cartes"], "Hi {name}": "Salut {name}" };

function answering(body: unknown, ok = true): void {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", () => Promise.resolve({ ok, json: () => Promise.resolve(body) }));
}

afterEach(async () => {
  await speak("en");
  vi.unstubAllGlobals();
});

test("gaps are filled, unknown ones stay", () => {
  expect(fill("{a} and {b}", { a: 1 })).toBe("1 and {b}");
});

test("a reason is a sentence of its own", () => {
  expect(["it is not your turn", "Not so fast!"].map(sentence)).toEqual(["It is not your turn.", "Not so fast!"]);
});

test("English needs no catalogue", () => {
  expect(say("Your turn")).toBe("Your turn");
  expect([0, 1, 2].map((n) => count("{n} card", "{n} cards", n))).toEqual(["0 cards", "1 card", "2 cards"]);
});

test("French counts none and one alike, and writes numbers its own way", async () => {
  answering(FRENCH);
  await speak("fr");
  expect(say("Your turn")).toBe("À vous");
  expect(say("Hi {name}", { name: "Ana" })).toBe("Salut Ana");
  expect(say("not translated")).toBe("not translated");
  expect([0, 1, 2].map((n) => count("{n} card", "{n} cards", n))).toEqual(["0 carte", "1 carte", "2 cartes"]);
  expect(count("{n} card", "{n} cards", 1200)).toMatch(/^1\s200 cartes$/);
});

test("a language that cannot be had changes nothing", async () => {
  answering({}, false);
  await speak("fr");
  expect(count("{n} card", "{n} cards", 0)).toBe("0 cards");
});

test("languages are named by their own name", () => {
  expect(["en", "fr"].map(ownName)).toEqual(["English", "Français"]);
});

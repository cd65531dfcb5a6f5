import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fingerprint as sha } from "../src/lib/deal";
import type { Seat, Table } from "../src/wire";

const SEED = "ab".repeat(32);

let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
  });
});
afterEach(() => vi.unstubAllGlobals());

/** A page that was just opened: it remembers what the browser does. */
async function page(): Promise<typeof import("../src/lib/deal")> {
  vi.resetModules();
  return import("../src/lib/deal");
}

const seat = (promise: string | null, mixes = true): Partial<Seat> => ({ mixes, promise });

/** A deal at which seat 0 is mine; a bot sits at the last one. */
function dealing(promises: (string | null)[], more: Partial<Table> = {}): Table {
  const silent = promises.flatMap((promise, at) => (promise === null ? [at] : []));
  return {
    id: "t",
    status: "dealing",
    commitment: sha(SEED),
    seats: [...promises.map((promise) => seat(promise)), seat(null, false)],
    awaited: silent.length ? silent : promises.map((_, at) => at),
    entropy: promises.map(() => null),
    ...more,
  } as Table;
}

const OTHER = sha("11".repeat(16));
const nothing: ReadonlySet<string> = new Set();

/** Promise and reveal, as it should be; what was mixed in. */
async function mixed(others = OTHER, id = "t"): Promise<string> {
  const { part } = await page();
  const first = part(dealing([null, null], { id }), 0, nothing);
  const mine = first?.type === "promise" ? first.commitment : "";
  const second = part(dealing([mine, others], { id }), 0, new Set(["promise"]));
  return second?.type === "reveal" ? second.entropy : "";
}

test("a fingerprint is the SHA-256 of the bytes", () => {
  expect(sha("616263")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("first the fingerprint of something is promised, then the thing itself is revealed", async () => {
  const { part } = await page();
  const promise = part(dealing([null, null]), 0, nothing);
  expect(promise).toEqual({ type: "promise", commitment: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const mine = promise?.type === "promise" ? promise.commitment : "";
  expect(part(dealing([mine, null]), 0, nothing)).toBeNull();
  const reveal = part(dealing([mine, OTHER]), 0, nothing);
  expect(reveal).toEqual({ type: "reveal", entropy: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(sha(reveal?.type === "reveal" ? reveal.entropy : "")).toBe(mine);
});

test("a reload has the same share, and takes the same steps again", async () => {
  const before = (await page()).part(dealing([null, null]), 0, nothing);
  const after = (await page()).part(dealing([null, null]), 0, nothing);
  expect(after).toEqual(before);
});

test("a browser that keeps nothing is no reason to stop", async () => {
  vi.stubGlobal("localStorage", undefined);
  const { part } = await page();
  const promise = part(dealing([null, null]), 0, nothing);
  expect(part(dealing([null, null]), 0, nothing)).toEqual(promise);
});

test("each table and each seat has a share of its own", async () => {
  const { part } = await page();
  const said = [dealing([null, null]), dealing([null, null], { id: "u" })].map((table) => part(table, 0, nothing));
  said.push(part(dealing([null, null]), 1, nothing));
  expect(new Set(said.map((message) => JSON.stringify(message))).size).toBe(3);
});

test("who does not mix, or where nothing is dealt, says nothing", async () => {
  const { part } = await page();
  expect(part(dealing([OTHER, null]), 2, nothing)).toBeNull();
  expect(part(dealing([null, null], { status: "playing" }), 0, nothing)).toBeNull();
  expect(stored.size).toBe(0);
});

test("two devices at one seat do not talk each other down", async () => {
  const { part, obstacle } = await page();
  const strange = sha("22".repeat(16));
  expect(part(dealing([strange, null]), 0, nothing)?.type).toBe("promise");
  expect(part(dealing([strange, null]), 0, new Set(["promise"]))).toBeNull();
  expect(part(dealing([strange, OTHER]), 0, new Set(["promise"]))).toBeNull();
  expect(obstacle(dealing([strange, OTHER]), 0)).toBe("elsewhere");
  expect(obstacle(dealing([strange, OTHER], { awaited: [1] }), 0)).toBeNull();
});

test("nothing is promised or revealed if the server has changed its fingerprint", async () => {
  const { part, obstacle } = await page();
  const promise = part(dealing([null, null]), 0, nothing);
  const mine = promise?.type === "promise" ? promise.commitment : "";
  const other = { commitment: sha("cd".repeat(32)) };
  expect(part(dealing([null, null], other), 0, nothing)).toBeNull();
  expect(part(dealing([mine, OTHER], other), 0, nothing)).toBeNull();
  expect(obstacle(dealing([mine, OTHER], other), 0)).toBe("changed");
  expect(obstacle(dealing([mine, OTHER]), 0)).toBeNull();
});

test("nothing is revealed again if somebody promises something else after that", async () => {
  const mine = sha(await mixed());
  const { part, obstacle } = await page();
  expect(part(dealing([mine, OTHER]), 0, nothing)?.type).toBe("reveal");
  const changed = dealing([mine, sha("33".repeat(16))]);
  expect(part(changed, 0, nothing)).toBeNull();
  expect(obstacle(changed, 0)).toBe("changed");
});

test("only the last tables are remembered", async () => {
  const { part } = await page();
  for (let n = 0; n < 300; n++) part(dealing([null], { id: `table-${n}` }), 0, nothing);
  const kept = Object.keys(JSON.parse(stored.get("caramba-deals") ?? "{}"));
  expect([kept.length, kept.at(-1)]).toEqual([200, "table-299/0"]);
});

/** The table of a game that is over. */
function over(entropy: (string | null)[], more: Partial<Table> = {}): Table {
  const promises = entropy.map((share) => share && sha(share));
  return { ...dealing(promises), status: "over", entropy: [...entropy, null], seed: SEED, ...more };
}

test("after a fair deal everything fits", async () => {
  const mine = await mixed();
  const { check } = await page();
  const good = { seed: true, promises: true, fingerprint: true, share: true };
  expect(check(over([mine, "11".repeat(16)]), SEED, 0)).toEqual(good);
});

test("a seed that does not fit, a changed fingerprint, a share that was not used: each is found", async () => {
  const mine = await mixed();
  const { check } = await page();
  const fair = over([mine, "11".repeat(16)]);
  expect(check(fair, "ef".repeat(32), 0).seed).toBe(false);
  expect(check({ ...fair, commitment: sha("ef".repeat(32)) }, "ef".repeat(32), 0)).toMatchObject({
    seed: true,
    fingerprint: false,
  });
  expect(check(over(["44".repeat(16), "11".repeat(16)]), SEED, 0)).toMatchObject({ share: false, promises: false });
});

test("what somebody chose after seeing my share is found, also if the promise was changed with it", async () => {
  const mine = await mixed();
  const { check } = await page();
  expect(check(over([mine, "55".repeat(16)]), SEED, 0).promises).toBe(false);
  expect(check(over([mine, null]), SEED, 0).promises).toBe(false);
});

test("who watches, or sits at another device, learns what can be known there", async () => {
  const { check } = await page();
  const fair = over(["66".repeat(16), "11".repeat(16)]);
  const known = { seed: true, promises: true, fingerprint: null, share: null };
  expect(check(fair, SEED, null)).toEqual(known);
  expect(check(fair, SEED, 0)).toEqual(known);
});

test("where nobody mixed anything in, only the seed can be checked", async () => {
  const { check } = await page();
  const known = { seed: true, promises: null, fingerprint: null, share: null };
  expect(check(over([null, null]), SEED, 0)).toEqual(known);
});

test.each(["zz".repeat(16), "abc", `${"11".repeat(16)}\n`, "11 11"])(
  "%j fits nothing, and stops nothing",
  async (bad) => {
    const mine = await mixed();
    const { check } = await page();
    const fair = over([mine, "11".repeat(16)]);
    expect(check(fair, bad, 0)).toMatchObject({ seed: false, promises: true });
    expect(check({ ...fair, commitment: bad }, SEED, 0).seed).toBe(false);
    for (const you of [0, null]) expect(check({ ...fair, entropy: [mine, bad, null] }, SEED, you).promises).toBe(false);
    const promised = fair.seats.map((seat, at) => (at === 1 ? { ...seat, promise: bad } : seat));
    expect(check({ ...fair, seats: promised }, SEED, null).promises).toBe(false);
    expect(check({ ...fair, seats: promised, entropy: [mine, bad, null] }, bad, null)).toMatchObject({
      seed: false,
      promises: false,
    });
  },
);

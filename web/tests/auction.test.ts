import { describe, expect, it } from "vitest";
import { NOBODY, lead, opposite, rank } from "../src/games/auction/standing";
import { after, beats } from "../src/games/auction/steps";
import type { AuctionView, Band, Lot } from "../src/games/auction/view";
import type { Told } from "../src/wire";

function lot(bids: string[] = [], crates: string[] = [], total = 0, bonus = 0): Lot {
  return { bids, crates, bonus, total, protected: false };
}

function band(change: Partial<Band> = {}, lots: Record<string, Lot> = {}): Band {
  return {
    hand: ["??", "??"],
    special: "??",
    stash: [],
    points: null,
    pile: 5,
    discards: [],
    passed: false,
    ...change,
    lots: { g: lot(), a: lot(), d: lot(), ...lots },
  };
}

function table(bands: Band[], centre: string[] = []): AuctionView {
  return {
    seat: 0,
    actor: null,
    legal: [],
    result: null,
    phase: "bids",
    turn: 1,
    max_turns: 60,
    first: 0,
    first_round: false,
    safe_left: 0,
    centre,
    sack: ["g2", "d4"],
    gone: [],
    bands,
  };
}

function told(kind: string, seat: number | null = null, facts: Record<string, unknown> = {}): Told {
  return { step: 1, kind, seat, facts, text: "" };
}

describe("who leads", () => {
  const view = table([band({}, { g: lot(["g7"], [], 7) }), band({}, { g: lot([], ["g3"], 7, 3) }), band()]);

  it("finds ties, and nobody where there is no total", () => {
    expect(lead(view, "g")).toEqual({ total: 7, seats: [0, 1] });
    expect(rank(lead(view, "g"), 1)).toBe("ties");
    expect(rank(lead(view, "g"), 2)).toBe("");
    expect(lead(view, "a")).toEqual(NOBODY);
  });

  it("means nothing outside the auction", () => {
    expect(lead({ ...view, phase: "stash" }, "g")).toBe(NOBODY);
  });

  it("seats the others to the left", () => {
    expect(opposite(4, 2)).toEqual([3, 0, 1]);
  });
});

describe("step by step", () => {
  it("lays an unseen card", () => {
    const { bands } = after(table([band(), band()]), told("bid", 1, { card: "g3a4", good: "a" }));
    expect(bands[1]).toMatchObject({ hand: ["??"], lots: { a: { bids: ["g3a4"], total: 4 } } });
  });

  it("gives the winner everything, and the losers their cards", () => {
    const rich = band({ hand: ["d7"] }, { g: lot(["g3a4", "g2a5"], ["g4"], 9, 4) });
    const bold = band({ hand: [] }, { g: lot(["g7", "g5a2"], [], 12) });
    const view = after(table([rich, bold], ["a2", "g2"]), told("won", 1, { good: "g" }));
    expect(view.centre).toEqual(["a2"]);
    expect(view.bands[0]).toMatchObject({
      hand: ["d7", "g2a5", "g3a4"],
      lots: { g: { bids: [], crates: [], total: 0 } },
    });
    expect(view.bands[1]).toMatchObject({
      discards: ["g7", "g5a2"],
      lots: { g: { crates: ["g2", "g4"], bonus: 4, total: 4 } },
    });
  });

  it("leaves protected crates where they are", () => {
    const safe = band({}, { g: { ...lot([], ["g4"], 4, 4), protected: true } });
    const bold = band({}, { g: lot(["g7"], ["g2"], 9, 2) });
    expect(after(table([safe, bold]), told("won", 1, { good: "g" })).bands[0]?.lots.g?.crates).toEqual(["g4"]);
    const tied = after(table([safe, bold]), told("tie", null, { good: "g" }));
    expect(tied.centre).toEqual(["g2"]);
    expect(tied.bands[0]?.lots.g?.crates).toEqual(["g4"]);
  });

  it("hides what is stashed, but not from its owner", () => {
    const view = table([
      band({ points: 2, stash: ["a2"] }, { g: lot([], ["g3"], 3, 3) }),
      band({}, { d: lot([], ["d4"], 4, 4) }),
    ]);
    expect(after(view, told("stash", 0, { crate: "g3" })).bands[0]).toMatchObject({ stash: ["a2", "g3"], points: 5 });
    expect(after(view, told("stash", 1, { crate: "d4" })).bands[1]).toMatchObject({ stash: ["??"], points: null });
  });

  it("draws crates and cards", () => {
    const view = [told("crate", null, { crate: "d4" }), told("deal", 1, { card: "??" })].reduce(
      after,
      table([band(), band()]),
    );
    expect(view).toMatchObject({ sack: ["g2"], centre: ["d4"] });
    expect(view.bands[1]).toMatchObject({ pile: 4, hand: ["??", "??", "??"] });
  });

  it("shows what is drawn in one beat, and each good in its own", () => {
    const loot = [told("won", 1, { good: "g" }), told("tie", null, { good: "a" })];
    const all = beats([
      told("pass", 0),
      ...loot,
      told("deal", 0),
      told("rebuilt", 0),
      told("deal", 1),
      told("crate"),
      told("crate"),
    ]);
    expect(all.map((beat) => beat.told.length)).toEqual([1, 1, 1, 3, 1, 1]);
    expect(all.map((beat) => beat.good)).toEqual([null, "g", "a", null, null, null]);
  });
});

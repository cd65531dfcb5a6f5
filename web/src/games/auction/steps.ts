/** News, step by step: how the table stands after each thing that happened.
 *
 * A piece of news may hold a lot - the last pass, the loot of three goods, the draw, new crates -
 * and only its end is told as a view. What lies between is worked out here, to be looked at.
 */
import { UNKNOWN } from "../../lib/pieces";
import type { Told } from "../../wire";
import { ends } from "./art/codes";
import type { AuctionView, Band, Lot } from "./view";
import { worth } from "./goods";

/** Some events that are shown together. */
export interface Beat {
  told: Told[];
  /** The good that is looked at. */
  good: string | null;
  /** Milliseconds to read before anything moves, and until the next beat, in relaxed play. */
  before: number;
  pause: number;
}

const LOOT = ["won", "tie", "unwanted"];
const DRAW = ["deal", "rebuilt"];
const PAUSES: Record<string, number> = { crate: 400, deal: 500, stash: 560, bid: 520, manos: 900, rebuilt: 500 };

/** All draw together; everything else has a beat of its own. */
export function beats(events: readonly Told[]): Beat[] {
  const found: Beat[] = [];
  for (const told of events) {
    const last = found.at(-1);
    if (last && DRAW.includes(last.told[0]!.kind) && DRAW.includes(told.kind)) last.told.push(told);
    else found.push(beat(told));
  }
  return found;
}

function beat(told: Told): Beat {
  if (!LOOT.includes(told.kind)) return { told: [told], good: null, before: 0, pause: PAUSES[told.kind] ?? 0 };
  const good = String(told.facts.good);
  return { told: [told], good, before: told.kind === "unwanted" ? 450 : 900, pause: 600 };
}

/** The table after something has happened. */
export function after(view: AuctionView, { kind, seat, facts }: Told): AuctionView {
  const good = String(facts.good ?? "");
  const card = String(facts.card ?? "");
  switch (kind) {
    case "crate":
      return drawn(view, String(facts.crate));
    case "turn":
      return { ...view, turn: Number(facts.turn), first: seat };
    case "tie":
      return tied({ ...view, phase: "loot" }, good);
    case "won":
      return won({ ...view, phase: "loot" }, good, seat ?? 0);
    case "unwanted":
      return { ...view, phase: "loot", bands: view.bands.map((band) => ({ ...band, passed: false })) };
  }
  if (seat === null || !view.bands[seat]) return view;
  const changed = (change: (band: Band) => Band): AuctionView => ({
    ...view,
    bands: view.bands.map((band, at) => (at === seat ? change(band) : band)),
  });
  switch (kind) {
    case "bid":
      return changed((band) => laid(band, card, good));
    case "pass":
    case "nothing_left":
      return changed((band) => ({ ...band, passed: true }));
    case "deal":
      return changed((band) => ({ ...band, pile: band.pile - 1, hand: sorted([...band.hand, card]) }));
    case "rebuilt":
      return changed((band) => ({ ...band, pile: band.pile + band.discards.length, discards: [] }));
    case "stash":
      return changed((band) => stashed(band, String(facts.crate)));
    case "vuelta":
      return played(
        changed((band) => ({
          ...band,
          special: null,
          discards: without(band.discards, card),
          hand: sorted([...band.hand, card]),
        })),
        kind,
      );
    case "fuera":
      return played(
        changed((band) => ({ ...withLot(band, good, { protected: true }), special: null })),
        kind,
      );
    case "manos":
    case "seguridad":
      return played(
        changed((band) => ({ ...band, special: null })),
        kind,
      );
    default:
      return view;
  }
}

function played(view: AuctionView, special: string): AuctionView {
  return { ...view, gone: [...view.gone, special] };
}

function drawn(view: AuctionView, crate: string): AuctionView {
  return { ...view, sack: without(view.sack, crate), centre: sorted([...view.centre, crate]) };
}

function laid(band: Band, card: string, good: string): Band {
  return withLot({ ...band, hand: without(band.hand, card) }, good, {
    bids: sorted([...lotOf(band, good).bids, card]),
  });
}

function stashed(band: Band, crate: string): Band {
  const good = crate[0] ?? "";
  const points = band.points === null ? null : band.points + worth(crate, good);
  const left = withLot(band, good, { crates: without(lotOf(band, good).crates, crate) });
  return { ...left, points, stash: [...band.stash, points === null ? UNKNOWN : crate] };
}

/** A28: everything goes back to the hands, and to the centre. */
function tied(view: AuctionView, good: string): AuctionView {
  const lost = view.bands.flatMap((band) => free(band, good));
  return {
    ...view,
    centre: sorted([...view.centre, ...lost]),
    bands: view.bands.map((band) => robbed(takenBack(band, good), good)),
  };
}

/** A25, A27: the winner takes all and discards; the others take their cards back. */
function won(view: AuctionView, good: string, winner: number): AuctionView {
  const rivals = view.bands.filter((_, seat) => seat !== winner);
  const loot = [...view.centre.filter((crate) => crate[0] === good), ...rivals.flatMap((band) => free(band, good))];
  const bands = view.bands.map((band, seat) => {
    if (seat !== winner) return robbed(takenBack(band, good), good);
    const { bids, crates } = lotOf(band, good);
    const paid = { ...band, passed: false, discards: sorted([...band.discards, ...bids]) };
    return withLot(paid, good, { bids: [], crates: sorted([...crates, ...loot]) });
  });
  return { ...view, centre: view.centre.filter((crate) => crate[0] !== good), bands };
}

function lotOf(band: Band, good: string): Lot {
  return band.lots[good] ?? { bids: [], crates: [], bonus: 0, total: 0, protected: false };
}

/** The crates of a good that can be lost. */
function free(band: Band, good: string): string[] {
  const { crates, protected: safe } = lotOf(band, good);
  return safe ? [] : crates;
}

function robbed(band: Band, good: string): Band {
  return lotOf(band, good).protected ? band : withLot(band, good, { crates: [] });
}

function takenBack(band: Band, good: string): Band {
  const { bids } = lotOf(band, good);
  return withLot({ ...band, passed: false, hand: sorted([...band.hand, ...bids]) }, good, { bids: [] });
}

/** A24, A31: the totals follow from what lies there. */
function withLot(band: Band, good: string, change: Partial<Lot>): Band {
  const lot = { ...lotOf(band, good), ...change };
  lot.bonus = Math.max(0, ...lot.crates.map((crate) => worth(crate, good)));
  lot.total = lot.bids.reduce((sum, card) => sum + worth(card, good), lot.bonus);
  return { ...band, lots: { ...band.lots, [good]: lot } };
}

/** One piece less: this one, or one that is not known. */
function without(pieces: readonly string[], piece: string): string[] {
  const at = pieces.includes(piece) ? pieces.indexOf(piece) : pieces.indexOf(UNKNOWN);
  return pieces.filter((_, i) => i !== at);
}

/** In the order in which views name pieces: one good before two, by good, by value; unseen ones last. */
function sorted(pieces: readonly string[]): string[] {
  const key = (code: string): string => {
    const read = ends(code);
    const goods = read.map(({ good }) => "gad".indexOf(good)).join("");
    return read.length ? `${read.length}${goods.padEnd(2, "0")}${read.map(({ value }) => value).join("")}` : "9";
  };
  return [...pieces].sort((one, other) => key(one).localeCompare(key(other)));
}

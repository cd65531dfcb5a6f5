/** Exact odds of a turn: where it ends and what it costs, chains and gifts included.
 *
 * A turn only ever goes forward, so chances are carried along the track space by space. On the
 * way it is remembered how often each host that is watched has paid, only as far as that matters.
 */
import type { RaceView } from "./view";

/** Where a turn ends that leads into the mine. */
export const MINE = 0;
const FACES = 6;
/** R14: on stone, gravel and earth. */
export const AMBUSH_DICE = [3, 2, 1] as const;

export interface Odds {
  dice: number;
  /** By space, or MINE: the chance that the turn ends there. */
  ends: Map<number, number>;
  /** How far it goes on average, if not into the mine. */
  ahead: number;
  /** What the mover is expected to gain, gifts against the fee; without the price of dice. */
  gain: number;
}

/** By host: how often its payments are counted. */
type Limits = ReadonlyMap<number, number>;
interface End {
  space: number;
  /** How often each watched host has paid. */
  paid: readonly number[];
  chance: number;
}

/** The chance of each sum of so many dice. */
export function sums(dice: number): number[] {
  if (dice === 0) return [1];
  const before = sums(dice - 1);
  return Array.from({ length: dice * (FACES - 1) + 1 }, (_, sum) =>
    before.slice(Math.max(0, sum - FACES + 1), sum + 1).reduce((total, chance) => total + chance / FACES, 0),
  );
}

/** The odds of the sombrero in turn with so many dice. */
export function turnOdds(view: RaceView, dice: number): Odds {
  const mover = view.hats[view.order[0] ?? 0]!;
  const start = mover.space ?? 0;
  const others = view.hats.filter((hat) => hat !== mover && hat.space !== null);
  const purses = new Map(
    others
      .filter((hat) => hat.seat !== mover.seat && !view.bankrupt.includes(hat.seat))
      .map((hat) => [hat.seat, view.money[hat.seat] ?? 0]),
  );
  const payments = (silver: number): number => Math.ceil(silver / view.race);
  const given = (host: number, times: number): number => Math.min(times * view.race, purses.get(host) ?? 0);
  const carried = (limits: Limits): End[] => carry(view, start, dice, others, limits);

  const ends = new Map(carried(new Map()).map(({ space, chance }) => [space, chance]));
  let gain = -expectedFee(view, mover.seat, ends, (missing) => {
    const limits = new Map([...purses].map(([host, purse]) => [host, Math.min(payments(missing), payments(purse))]));
    const hosts = [...limits.keys()];
    return carried(limits)
      .filter(({ space }) => space === MINE)
      .map(({ paid, chance }) => ({ chance, got: total(paid.map((times, at) => given(hosts[at]!, times))) }));
  });
  for (const [host, purse] of purses) {
    for (const { paid, chance } of carried(new Map([[host, payments(purse)]]))) gain += chance * given(host, paid[0]!);
  }
  const out = 1 - (ends.get(MINE) ?? 0);
  const far = total([...ends].map(([space, chance]) => space * chance));
  return { dice, ends, ahead: out > 0 ? far / out - start : 0, gain };
}

/** R19, R21: what the mover is expected to pay in the mine; gifts on the way may help a poor one. */
function expectedFee(
  view: RaceView,
  seat: number,
  ends: ReadonlyMap<number, number>,
  arrivals: (missing: number) => { chance: number; got: number }[],
): number {
  if (view.bankrupt.includes(seat)) return 0;
  const fee = (1 + view.hats.filter((hat) => hat.arrival !== null).length) * view.race;
  const silver = view.money[seat] ?? 0;
  if (silver >= fee) return fee * (ends.get(MINE) ?? 0);
  return total(arrivals(fee - silver).map(({ chance, got }) => chance * Math.min(fee, silver + got)));
}

/** Where the turn ends, with the payments of the watched hosts up to their limits. */
function carry(
  view: RaceView,
  start: number,
  dice: number,
  others: readonly RaceView["hats"][number][],
  limits: Limits,
): End[] {
  const last = view.zones.at(-1) ?? 0;
  const hosts = [...limits.keys()];
  const seats = new Map(others.map((hat) => [hat.space, hat.seat]));
  const ambushes = new Set(view.ambushes.map((token) => token.space));
  const track: Map<string, End>[] = Array.from({ length: last + 1 }, () => new Map());
  const land = (space: number, paid: readonly number[], chance: number): void => {
    const end = space > last ? MINE : space;
    const key = paid.join();
    const known = track[end]!.get(key);
    if (known) known.chance += chance;
    else track[end]!.set(key, { space: end, paid, chance });
  };
  sums(dice).forEach((chance, sum) =>
    land(
      start + sum,
      hosts.map(() => 0),
      chance,
    ),
  );
  for (let space = 1; space <= last; space++) {
    const occupied = seats.has(space);
    if (!occupied && !ambushes.has(space)) continue;
    const [still = 0, ...ways] = sums(occupied ? 1 : AMBUSH_DICE[zoneOf(view.zones, space)]!);
    const arrived = [...track[space]!.values()];
    track[space]!.clear();
    for (const { paid, chance } of arrived) {
      for (const after of visits(paid, hosts.indexOf(seats.get(space) ?? -1), limits)) {
        // R14, R16: on a 0 it rolls again, so that it goes on in the end.
        ways.forEach((way, at) => land(space + at + 1, after.paid, (chance * after.chance * way) / (1 - still)));
      }
    }
  }
  return track.flatMap((ends) => [...ends.values()]);
}

/** R16: how often a host has paid after a visit: once, and once more for every 0. */
function visits(paid: readonly number[], host: number, limits: Limits): { paid: readonly number[]; chance: number }[] {
  if (host < 0) return [{ paid, chance: 1 }];
  const limit = [...limits.values()][host]!;
  const found: { paid: readonly number[]; chance: number }[] = [];
  let rest = 1;
  for (let times = paid[host]! + 1; times < limit; times++) {
    const chance = rest * (1 - 1 / FACES);
    found.push({ paid: paid.with(host, times), chance });
    rest -= chance;
  }
  return [...found, { paid: paid.with(host, limit), chance: rest }];
}

/** R03: 0 for stone, 1 for gravel, 2 for earth. */
export function zoneOf(zones: readonly number[], space: number): number {
  return zones.filter((last) => space > last).length;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

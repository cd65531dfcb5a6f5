/** What has happened, as a sequence of pictures: dice tumble, sombreros hop, silver changes hands. */
import type { Told } from "../../wire";
import type { RaceView } from "./view";

/** Milliseconds in relaxed play. */
export const TUMBLE = 600;
export const HOP = 120;
const LOOK = 380;
const PAY = 620;
const CALL = 1100;

export interface Payment {
  /** A seat, or the pot. */
  from: number | "pot";
  to: number | "pot";
  silver: number;
}

/** The table for a moment, between what it was and what it will be. */
export interface Frame {
  lasts: number;
  /** Where each sombrero stands; null for one that is not on the track. */
  spaces: (number | null)[];
  /** Those that have just fallen into the mine. */
  fallen: number[];
  money: number[];
  pot: number;
  bankrupt: number[];
  /** The dice of this turn, roll by roll. */
  rolls: number[][];
  /** How many dice are in the air. */
  tumbling: number;
  payment: Payment | null;
  /** Said aloud over the track. */
  call: string | null;
  /** How many of the events have been shown. */
  told: number;
}

/** The pictures between a table and what is told of it next; none if there is nothing to follow. */
export function script(view: RaceView, events: readonly Told[]): Frame[] {
  const frames: Frame[] = [];
  let now: Frame = {
    lasts: 0,
    spaces: view.hats.map((hat) => hat.space),
    fallen: [],
    money: [...view.money],
    pot: view.pot,
    bankrupt: [...view.bankrupt],
    rolls: [],
    tumbling: 0,
    payment: null,
    call: null,
    told: 0,
  };
  const show = (lasts: number, change: Partial<Frame>): void => {
    now = { ...now, payment: null, call: null, tumbling: 0, lasts, ...change };
    frames.push(now);
  };
  const pay = (payment: Payment, change: Partial<Frame> = {}): void => {
    if (payment.silver === 0 && change.call === undefined) return;
    show(change.call ? CALL : PAY, { ...change, ...paid(now, payment), payment });
  };

  for (let at = 0; at < events.length; at++) {
    const event = events[at]!;
    const { kind, facts, text } = event;
    const seat = event.seat ?? 0;
    const number = (name: string): number => Number(facts[name] ?? 0);
    now = { ...now, told: at + 1 };
    if (kind === "die") {
      const faces = facesFrom(events, at);
      at += faces.length - 1;
      show(TUMBLE, { tumbling: faces.length });
      show(LOOK, { rolls: [...now.rolls, faces], told: at + 1 });
    } else if (kind === "move") {
      const steps = number("space") - number("start");
      const spaces = now.spaces.with(moverOf(view, seat), number("space"));
      show(HOP * steps + LOOK / 2, { spaces });
    } else if (kind === "ambushed") {
      show(CALL, { call: text });
    } else if (kind === "welcome") {
      pay({ from: number("giver"), to: seat, silver: number("silver") }, { call: text });
    } else if (kind === "arrive") {
      const mover = moverOf(view, seat);
      const steps = (view.zones.at(-1) ?? 0) + 1 - number("start");
      show(HOP * steps + LOOK / 2, { spaces: now.spaces.with(mover, null), fallen: [...now.fallen, mover] });
      pay({ from: seat, to: "pot", silver: number("silver") }, { call: text });
    } else if (kind === "dice") {
      pay({ from: seat, to: "pot", silver: number("silver") });
    } else if (kind === "accept") {
      pay({ from: number("giver"), to: seat, silver: number("silver") });
    } else if (kind === "race_won") {
      pay({ from: "pot", to: seat, silver: number("silver") }, { call: text });
    } else if (kind === "bankrupt") {
      show(CALL, { call: text, bankrupt: [...now.bankrupt, seat] });
    } else if (kind === "race") {
      show(CALL, { call: text });
    }
  }
  return frames;
}

/** The dice that fall together, from here on. */
function facesFrom(events: readonly Told[], start: number): number[] {
  const faces: number[] = [];
  for (let at = start; events[at]?.kind === "die"; at++) faces.push(Number(events[at]!.facts.shows));
  return faces;
}

/** The sombrero in turn; one of the seat's own, should the order not tell. */
function moverOf(view: RaceView, seat: number): number {
  const first = view.order[0];
  return first !== undefined && view.hats[first]?.seat === seat
    ? first
    : view.hats.findIndex((hat) => hat.seat === seat);
}

function paid(frame: Frame, { from, to, silver }: Payment): Pick<Frame, "money" | "pot"> {
  const money = [...frame.money];
  let pot = frame.pot;
  if (from === "pot") pot -= silver;
  else money[from] = (money[from] ?? 0) - silver;
  if (to === "pot") pot += silver;
  else money[to] = (money[to] ?? 0) + silver;
  return { money, pot };
}

/** The dice of the last turn, roll by roll; none once something new has begun. */
export function lastRolls(log: readonly Told[]): number[][] {
  const rolls: number[][] = [];
  let open = false;
  for (const { kind, facts } of log) {
    if (kind === "dice" || kind === "place" || kind === "first") rolls.length = 0;
    if (kind === "die") {
      if (!open) rolls.push([]);
      rolls.at(-1)!.push(Number(facts.shows));
    }
    open = kind === "die";
  }
  return rolls;
}

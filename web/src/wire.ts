// Made by tools/wire_types.py from wire.py, bodies.py and the views of the games.

export const PROTOCOL = 2;
export const MAX_FRAME = 16384;
export const MAX_CHAT = 500;

/** Seconds for each decision, and for all of a player's decisions; null for no limit. */
export interface Clock {
  move: number | null;
  game: number | null;
}

/** The first message: here I am, and this much of the log I have. */
export interface Hello {
  type: "hello";
  protocol: number;
  have?: number | null;
  language?: string;
}

/** What I shall mix into the deal has this SHA-256. */
export interface Promise {
  type: "promise";
  commitment: string;
}

/** What I mix into the deal, now that everybody has promised. */
export interface Reveal {
  type: "reveal";
  entropy: string;
}

/** Take a step, as an answer to the table as it stood at that number. */
export interface Act {
  type: "act";
  key: string;
  number: number;
  action: string;
}

/** Take back my last step: at once where nobody has learned anything, else if all agree. */
export interface TakeBack {
  type: "take_back";
  key: string;
  number: number;
}

/** Agree, or not, to what a player wants to take back. */
export interface Consent {
  type: "consent";
  /** Which one: a yes to one wish is none to another. */
  wish: number;
  yes: boolean;
}

/** Which questions to be asked; the others the table answers for me. */
export interface Standing {
  type: "standing";
  ask: Record<string, boolean>;
}

/** Chat. */
export interface Say {
  type: "say";
  text: string;
}

/** Hear no more chat of a seat; of all who watch, with null. */
export interface Mute {
  type: "mute";
  seat: number | null;
  on?: boolean;
}

/** Let a bot play for a seat whose player is not here, before the clock does. */
export interface Vote {
  type: "vote";
  seat: number;
  yes?: boolean;
}

/** Let a bot play for me. */
export interface Leave {
  type: "leave";
}

/** I play myself again. */
export interface Return {
  type: "return";
}

/** To see whether somebody is there. */
export interface Ping {
  type: "ping";
}

/** A place at the table, as everybody sees it. */
export interface Seat {
  kind: "bot" | "open" | "person";
  name: string;
  /** Of the bot, also of one that plays for a person. */
  level: string | null;
  /** Whether a bot plays for a person. */
  away: boolean;
  /** What is left of the time for the whole game. */
  seconds: number | null;
  /** Whether it mixes something into the deal. */
  mixes: boolean;
  /** The SHA-256 of that. */
  promise: string | null;
  /** Whether somebody is connected. */
  here: boolean;
  /** Seconds until the others may vote for a bot here; null where nobody can be replaced. */
  vote_in: number | null;
  /** Who wants a bot to play here. */
  votes: number[];
  /** How often something was taken back for this seat. */
  taken_back: number;
}

/** A player wants to take something back. */
export interface Undo {
  /** The wish to which consent is an answer. */
  wish: number;
  seat: number;
  /** How many steps would be taken back. */
  steps: number;
  agreed: number[];
  asked: number[];
}

/** A question that mostly gets the same answer. */
export interface Window {
  name: string;
  title: string;
  ask: boolean;
}

/** All that is known of a table beside the game itself. */
export interface Table {
  game: string;
  options: Record<string, unknown>;
  /** Whether it is listed. */
  public: boolean;
  /** Whether others may watch. */
  watch: boolean;
  chat: boolean;
  /** Whether steps may be taken back at all. */
  take_backs: boolean;
  clock: Clock;
  id: string;
  /** To join by, while there are free seats. */
  code: string | null;
  players: number;
  /** Over without a result in the view: closed, because nobody had touched it for long. */
  status: "dealing" | "open" | "over" | "playing";
  owner: number | null;
  /** The next table of the same people. */
  rematch: string | null;
  seats: Seat[];
  watching: number;
  /** The SHA-256 of the seed of all draws. */
  commitment: string;
  /** What each seat mixed in, shown as the game begins. */
  entropy: (string | null)[];
  /** While dealing: whose promise, or then whose share, is still missing. */
  awaited: number[];
  /** The seed itself, once the game is over. */
  seed: string | null;
  /** Seconds until the clock of whoever is asked runs out. */
  deadline: number | null;
  undo: Undo | null;
}

/** Something that happened, as this viewer may know it. */
export interface Told {
  step: number;
  kind: string;
  seat: number | null;
  facts: Record<string, unknown>;
  text: string;
}

/** The answer to `hello`. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  /** The seat; null for those who watch. */
  you: number | null;
  table: Table;
  windows: Window[];
  chat: Said[];
}

/** The table has changed, but not the game. */
export interface Changed {
  type: "table";
  table: Table;
  windows: Window[];
}

/** What has happened, and how the game stands now. */
export interface News {
  type: "news";
  /** To be named in the answer. */
  number: number;
  /** How many steps the game has. */
  steps: number;
  /** The step that the events begin with: less than the client has, if some were taken back; more, if it missed too many. What was before that can be asked for over HTTP. */
  since: number;
  events: Told[];
  view: View;
  /** The legal actions of the view in words. */
  phrases: string[];
  table: Table;
}

/** It is done and kept. */
export interface Accepted {
  type: "accepted";
  key: string;
  number: number;
}

/** It is not done, and why. */
export interface Refused {
  type: "refused";
  code: "forbidden" | "illegal" | "invalid" | "protocol" | "stale" | "too_fast" | "too_large";
  reason: string;
  rule: string | null;
  key: string | null;
  number: number | null;
}

/** Chat. */
export interface Said {
  type: "said";
  seat: number | null;
  name: string;
  text: string;
  /** Seconds since 1970. */
  at: number;
}

/** I am. */
export interface Pong {
  type: "pong";
}

/** A seat for a person, or for a bot of some level. */
export interface SeatWanted {
  kind?: "bot" | "person";
  level?: string;
}

/** A table to be made. */
export interface NewTable {
  game: string;
  options?: Record<string, unknown>;
  /** Whether it is listed. */
  public?: boolean;
  /** Whether others may watch. */
  watch?: boolean;
  chat?: boolean;
  /** Whether steps may be taken back at all. */
  take_backs?: boolean;
  clock?: Clock;
  seats: SeatWanted[];
  /** Of who makes it and sits down; null for somebody who only watches. */
  name?: string | null;
  mixes?: boolean;
}

/** Somebody who sits down; at any free seat unless one is named. */
export interface Sitting {
  name: string;
  seat?: number | null;
  mixes?: boolean;
}

/** Bots for the free seats. */
export interface Filling {
  level?: string;
}

/** Somebody who wants to play once more. */
export interface Again {
  mixes?: boolean;
}

/** A seat's token, as it stands in a link. */
export interface Token {
  token: string;
}

/** Where you sit. The token is your seat: whoever has it plays for you. */
export interface Seated {
  table: string;
  seat: number | null;
  token: string | null;
}

/** A table. */
export interface Found {
  table: string;
}

/** Something that can be chosen when a table is made. */
export interface OptionInfo {
  name: string;
  default: unknown;
  help: string;
}

/** A game: for how many, with which options and standing answers. */
export interface GameInfo {
  name: Game;
  players: number[];
  options: OptionInfo[];
  windows: Window[];
}

/** How strong a bot can be. */
export interface LevelInfo {
  name: string;
  title: string;
  description: string;
  default: boolean;
}

/** Who sits at a table that is listed. */
export interface ListedSeat {
  kind: string;
  name: string;
}

/** A public table. */
export interface Listed {
  id: string;
  game: Game;
  players: number;
  status: "dealing" | "open" | "over" | "playing";
  watch: boolean;
  seats: ListedSeat[];
}

/** The game as it stood after a step, and what that step was. */
export interface Replayed {
  table: string;
  step: number;
  steps: number;
  view: View;
  events: Told[];
}

/** What you were told from a step on, before another. */
export interface LogPart {
  since: number;
  until: number;
  events: Told[];
}

/** A turn, a race or a deal of a game that is over. */
export interface Chapter {
  step: number;
  began: string;
  decided: string[];
  points: number[];
}

/** Why something was not done: the reason is fit to be shown. */
export interface Problem {
  code: string;
  reason: string;
}

/** A step in both of its outer forms: the notation, and named parts for programs. */
export interface Action {
  text: string;
  form: Record<string, string | number>;
}

/** How a game ended. */
export interface Result {
  points: number[];
  winners: number[];
  end: string;
}

/** One good before one player: the cards bid on it, the crates in play, what they make. */
export interface Lot {
  bids: string[];
  crates: string[];
  bonus: number;
  total: number;
  protected: boolean;
}

/** One player's side of the table. */
export interface Band {
  hand: string[];
  /** null once it is played. */
  special: string | null;
  lots: Record<string, Lot>;
  stash: string[];
  /** What the stash is worth, where it may be seen. */
  points: number | null;
  pile: number;
  discards: string[];
  passed: boolean;
}

/** The table as one seat sees it. */
export interface AuctionView {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  phase: string;
  turn: number;
  max_turns: number;
  /** Who is first player; null before that is drawn. */
  first: number | null;
  first_round: boolean;
  /** What En seguridad may still stash, in value. */
  safe_left: number;
  centre: string[];
  /** What is left in the sack: everybody can work it out. */
  sack: string[];
  /** Special cards that have been played. */
  gone: string[];
  bands: Band[];
}

/** One player's side of the table. */
export interface Player {
  hand: string[];
  /** Of the cards in hand, where all of them may be seen. */
  points: number | null;
  /** In total. */
  score: number;
  /** Whether this player has left the game. */
  out: boolean;
}

/** The table as one seat sees it. */
export interface CardsView {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  phase: string;
  deal: number;
  max_deals: number;
  lap: number;
  max_laps: number;
  /** Who began this deal; null before that is drawn. */
  first: number | null;
  deck: string;
  call_limit: number;
  penalty: number;
  end_score: number;
  drop_to: number;
  ends_only: boolean;
  others_score: boolean;
  elimination: boolean;
  /** How many cards are left in it. */
  pile: number;
  /** What was discarded in this turn. */
  laid: string[];
  /** What the previous player discarded. */
  previous: string[];
  /** Those of them that may be taken. */
  takeable: string[];
  /** What was discarded before that and not shuffled back yet. */
  older: string[];
  players: Player[];
}

/** A sombrero. */
export interface Hat {
  seat: number;
  /** null before it is placed, and in the mine. */
  space: number | null;
  /** 1 for the leader of those on the track: so many dice it rolls. */
  rank: number | null;
  /** 1 for the first in the mine; null for those that have not arrived. */
  arrival: number | null;
}

/** An ambush token. */
export interface Ambush {
  seat: number;
  /** null in its owner's hand. */
  space: number | null;
  /** Whether its owner may take it back. */
  passed: boolean;
}

/** The table. Everybody sees all of it. */
export interface RaceView {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  phase: string;
  /** Its number, by which prices, gifts and fees are multiplied. */
  race: number;
  max_races: number | null;
  /** The last space of stone, gravel and earth. */
  zones: number[];
  pot: number;
  money: number[];
  bankrupt: number[];
  gone: number[];
  hats: Hat[];
  ambushes: Ambush[];
  /** Sombreros still to be placed, or to move in this round, the one in turn first. */
  order: number[];
  /** Dice that the mover may roll, and what each choice costs. */
  prices: Record<number, number>;
  /** Dice declared for this turn, an accepted offer included. */
  dice: number;
  dice_left: number;
  rolled: number;
  /** By seat: the silver offered to the mover. */
  offers: Record<number, number>;
}

/** What a client may say. */
export type Asked =
  | Hello
  | Promise
  | Reveal
  | Act
  | TakeBack
  | Consent
  | Standing
  | Say
  | Mute
  | Vote
  | Leave
  | Return
  | Ping;

/** What a server may say. */
export type Answer =
  | Welcome
  | Changed
  | News
  | Accepted
  | Refused
  | Said
  | Pong;

/** What a seat may know, by game. */
export interface Views {
  auction: AuctionView;
  cards: CardsView;
  race: RaceView;
}

export type Game = keyof Views;
export type View = Views[Game];

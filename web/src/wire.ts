// Made by tools/wire_types.py from wire.py, bodies.py and games/contract.py.

export const PROTOCOL = 4;
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
  key: string;
  commitment: string;
}

/** What I mix into the deal, now that everybody has promised. */
export interface Reveal {
  type: "reveal";
  key: string;
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
  key: string;
  /** Which one: a yes to one wish is none to another. */
  wish: number;
  yes: boolean;
}

/** Which questions to be asked; the others the table answers for me. */
export interface Standing {
  type: "standing";
  key: string;
  ask: Record<string, boolean>;
}

/** Chat. */
export interface Say {
  type: "say";
  key: string;
  text: string;
}

/** Hear no more chat of a seat; of all who watch, with null. */
export interface Mute {
  type: "mute";
  key: string;
  seat: number | null;
  on?: boolean;
}

/** Let a bot play for a seat whose player is not here, before the clock does. */
export interface Vote {
  type: "vote";
  key: string;
  seat: number;
  yes?: boolean;
}

/** Let a bot play for me. */
export interface Leave {
  type: "leave";
  key: string;
}

/** I play myself again. */
export interface Return {
  type: "return";
  key: string;
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
  /** Seconds until the clock of whoever is asked runs out, or the question closes by itself. */
  deadline: number | null;
  /** Whether it closes: then silence is a no, and after some of that nobody asks again. */
  closes: boolean;
  undo: Undo | null;
  /** Whether the bot that has to act is still getting ready: right after a first start, rules are being compiled. */
  preparing: boolean;
}

/** Something that happened, as this viewer may know it. */
export interface Told {
  step: number;
  kind: string;
  seat: number | null;
  facts: Record<string, unknown>;
  text: string;
  /** How the view right after it differs from the view right after what is told next; after the last thing that is told, it is the view of the news. */
  then?: ([(string | number)[], unknown])[];
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
  /** Of what the client has, the steps before this one are as they were. */
  same: number;
  /** The step that the events begin with: later than `same`, if it missed too many. What was between them, and before, can be asked for over HTTP. */
  since: number;
  events: Told[];
  view: View;
  /** The legal actions of the view in words. */
  phrases: string[];
  /** What is certain to come of each of them, where that is worth knowing. */
  brings: Record<string, unknown>[];
  /** Null if it has not changed since this client was told. */
  table: Table | null;
  /** Whether you have a step that could be taken back. */
  can_take_back: boolean;
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
  /** Null where what was said has none. */
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
  name: string;
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
  game: string;
  players: number;
  status: "dealing" | "open" | "over" | "playing";
  watch: boolean;
  seats: ListedSeat[];
}

/** The news after a step, how many steps the game has in all, and the seat of who looks. */
export interface Replayed {
  type: "news";
  /** To be named in the answer. */
  number: number;
  /** How many steps the game has. */
  steps: number;
  /** Of what the client has, the steps before this one are as they were. */
  same: number;
  /** The step that the events begin with: later than `same`, if it missed too many. What was between them, and before, can be asked for over HTTP. */
  since: number;
  events: Told[];
  view: View;
  /** The legal actions of the view in words. */
  phrases: string[];
  /** What is certain to come of each of them, where that is worth knowing. */
  brings: Record<string, unknown>[];
  /** Null if it has not changed since this client was told. */
  table: Table | null;
  /** Whether you have a step that could be taken back. */
  can_take_back: boolean;
  of: number;
  you: number | null;
}

/** Exact odds that help to decide, as the game tells them, and the number of the log. */
export interface TurnOdds {
  number: number;
  odds: unknown[];
}

/** What you were told from a step on, before another. */
export interface LogPart {
  since: number;
  until: number;
  events: Told[];
}

/** What decided a game in one step. */
export interface StoryLine {
  step: number;
  text: string;
}

/** A turn, a race or a deal of a game that is over. */
export interface Chapter {
  step: number;
  began: string;
  decided: StoryLine[];
  /** Everybody's points when it began. */
  before: number[];
  /** The same when it was over. */
  points: number[];
}

/** Where others find this server; null if nobody else can, or it is not for you to know. */
export interface Reached {
  address: string | null;
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

/** What one seat may know; every game adds its table to this. */
export interface View {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  /** By seat, once the game is over: 1 for the winners, then by points; ties share a place. */
  places: number[];
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

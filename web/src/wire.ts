// Made by tools/wire_types.py from src/caramba/wire.py and the views of the games.

export const PROTOCOL = 3;
export const MAX_FRAME = 16384;
export const MAX_CHAT = 500;

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

/** Seconds for each decision, and for all of a player's decisions; null for no limit. */
export interface Clock {
  move: number | null;
  game: number | null;
}

/** A place at the table, as everybody sees it. */
export interface Seat {
  kind: "bot" | "open" | "person";
  name: string;
  /** Of the bot, also of one that plays for a person. */
  level: string | null;
  /** Whether somebody is connected. */
  here: boolean;
  /** Whether a bot plays for a person. */
  away: boolean;
  /** What is left of the time for the whole game. */
  seconds: number | null;
  /** Seconds until the others may vote for a bot here; null where nobody can be replaced. */
  vote_in: number | null;
  /** Who wants a bot to play here. */
  votes: number[];
  /** Whether it mixes something into the deal. */
  mixes: boolean;
  /** The SHA-256 of that. */
  promise: string | null;
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
  id: string;
  /** To join by, while there are free seats. */
  code: string | null;
  game: string;
  players: number;
  options: Record<string, unknown>;
  /** Over without a result in the view: closed, because nobody had touched it for long. */
  status: "dealing" | "open" | "over" | "playing";
  public: boolean;
  watch: boolean;
  chat: boolean;
  /** Whether steps may be taken back at all. */
  take_backs: boolean;
  clock: Clock;
  owner: number | null;
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
  /** The next table of the same people. */
  rematch: string | null;
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
  /** The step that the events begin with: less than the client has, if some were taken back; more, if it missed too many. What was before that can be asked for over HTTP. */
  since: number;
  events: Told[];
  view: View;
  /** The legal actions of the view in words. */
  phrases: string[];
  /** What is certain to come of each of them, where that is worth knowing. */
  brings: Record<string, unknown>[];
  /** Null if it has not changed since this client was told. */
  table: Table | null;
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
  /** null before it is dealt, and once it is played. */
  special: string | null;
  special_played: boolean;
  lots: Record<string, Lot>;
  stash: string[];
  /** What the stash is worth, where it may be seen. */
  points: number | null;
  pile: number;
  discards: string[];
  passed: boolean;
}

/** Who would win a good now: alone, or several who tie; nobody where nothing is bid. */
export interface Lead {
  total: number;
  seats: number[];
}

/** The table as one seat sees it. */
export interface AuctionView {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  /** By seat, once the game is over: 1 for the winners, then by points; ties share a place. */
  places: number[];
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
  /** By good, as long as there are bids to come. */
  leads: Record<string, Lead>;
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
  /** Whether all of the hand is seen, and has few enough points for Caramba. */
  light: boolean;
}

/** The table as one seat sees it. */
export interface CardsView {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  /** By seat, once the game is over: 1 for the winners, then by points; ties share a place. */
  places: number[];
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
  /** Whether a total of just that end score falls to another one. */
  falls: boolean;
  /** Whether anybody may call in this lap. */
  calls: boolean;
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
  laid_by: number | null;
  /** Who discarded these sets. */
  previous_by: number | null;
  /** The seats, whoever stands best first; those who are out come last. */
  standing: number[];
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

/** A sombrero in the line of all: whose turn it is, who comes next, who has had it. */
export interface Runner {
  hat: number;
  /** now, next, done or mine. */
  stage: string;
}

/** The table. Everybody sees all of it. */
export interface RaceView {
  seat: number;
  actor: number | null;
  legal: Action[];
  result: Result | null;
  /** By seat, once the game is over: 1 for the winners, then by points; ties share a place. */
  places: number[];
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
  /** All sombreros: those of the order, those that have moved from the leader on, the mine. */
  line: Runner[];
  /** The sombrero in turn, once the round has begun. */
  mover: number | null;
  /** Dice that it has to roll, unless it pays; 0 when it is nobody's turn. */
  due: number;
  /** Dice that the mover may roll, and what each choice costs. */
  prices: Record<number, number>;
  /** The same, with those that the mover cannot pay. */
  costs: Record<number, number>;
  /** What the next one pays who falls into the mine. */
  fee: number;
  /** Whether the dice that are due can lead the mover into the mine. */
  mine_in_reach: boolean;
  /** The ambush token that this seat would lay next, if it has one. */
  token: number | null;
  /** Dice that an ambush brings, by zone. */
  ambush_dice: number[];
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

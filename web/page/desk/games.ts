/** Tables and games, the same for every mode. */
import type { Json, JsonObject } from "./values";

/** A table, as `GET /tables/{id}` of the API describes it. */
export interface TableInfo {
  id: string;
  mode: string;
  options: JsonObject;
  seats: ({ name?: string; handle?: string; bot?: string } & JsonObject | null)[];
  state: "open" | "playing" | "cancelled" | "expired";
  game: string | null;
  opened_by: string;
  private: boolean;
  spectators: boolean;
  invitation: string | null;
  rematch_of: string | null;
  /** The format that every deck must keep. */
  format: string | null;
  /** True if the game changes its players' ratings. */
  rated: boolean;
}

export interface SeatView {
  name: string;
  /** The player's key. */
  key: string;
  points: number;
  /** True if an answer of this seat is awaited. */
  asked: boolean;
  /** The seat's seal of this step, once its proof was checked here. */
  seal: SealView | null;
  /** True if the seat owes a reveal of an earlier step. */
  owes: boolean;
  offers_draw: boolean;
  /** True if the seat is out while the game goes on. */
  gone: boolean;
  /** Milliseconds left of the seat's bank; null without one. */
  bank_ms: number | null;
}

export interface SealView {
  at: number;
  /** 32 hexadecimal digits, for people to compare. */
  fingerprint: string;
  /** True if the reveal was enclosed, so that the house can open it in time. */
  envelope: boolean;
}

/** What is asked at the moment. */
export interface Asking {
  kind: "enter" | "ready" | "link" | "move" | "seal" | "reveal" | "lock" | "mix" | "share" | "unlock";
  /** The mode's word for it: "redraw", "meal", "expose", "card" … */
  topic: string;
  seats: number[];
  /** The deadline of our own seat if it is asked, else the latest. */
  deadline: number;
  /** The whole time that the clock gave. */
  given_ms: number;
}

/** A card of our own, or one that lies open. With own decks the face is a slug, with a house pack a code ("QS"). */
export interface FaceView {
  position: number;
  face: string;
}

export interface Offered {
  /** The move in the mode's own form: give it to `match.choose`. */
  move: JsonObject;
  /** A stable key of this move, for lists. */
  key: string;
}

export interface Outcome {
  points: number[];
  winners: number[];
  reason: string;
}

/** A game as one seat, or a spectator (`seat` null), sees it. The same for all modes. */
export interface MatchView {
  game: string;
  mode: string;
  options: JsonObject;
  /** The number of the newest entry. */
  seq: number;
  step: number;
  at: number;
  seat: number | null;
  seats: SeatView[];
  asking: Asking | null;
  /** What our seat must choose now: null if nothing is asked, or the choice was made and only has to be sent. */
  choice: Choice | null;
  /** Deals so far, and the mode's round where it counts rounds. */
  deals: number;
  round: number;
  /** The mode's own state, with the faces that this seat may see (docs/api.md: `state` by mode). */
  state: JsonObject;
  /** Positions by the name of their place, as the mode names places ("hand 0"). */
  places: { [place: string]: number[] };
  /** The faces that this seat may see, by position. */
  faces: { [position: string]: string };
  /** The mode's drawing data of this seat; its type goes with `mode` (see `ChefTable`). Null for a spectator. */
  table: Json;
  outcome: Outcome | null;
  over: boolean;
  /** True if the game takes envelopes. */
  envelopes: boolean;
  /** True if our seat must open a seal that another device made: only that device can. */
  locked_out: boolean;
  /** What has been checked so far, for the proof drawer. */
  proven: Proven;
}

/** What the rules want from our player. */
export interface Choice {
  kind: "move" | "seal";
  topic: string;
  step: number;
  /** The first legal moves (at most 60); empty where there are too many to list, as for a meal. */
  moves: Offered[];
  /** True if there are more than `moves` holds. */
  more: boolean;
}

/** Counts of what was checked here, of the record that the house has sent. */
export interface Proven {
  entries: number;
  signatures: number;
  /** Entries by kind: seals, shuffles of match decks, reveals, draws, accounts … */
  kinds: { [kind: string]: number };
}

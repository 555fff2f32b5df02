/** Accounts of games: what was scored and why, in codes that any language can say. */
import type { JsonObject } from "./values";

/** One thing that an account tells. With `values` any language can say it (docs/modes.md lists the codes). */
export interface Told {
  code: string;
  /** Seats, points, cards and words, by name. */
  values: JsonObject;
  /** English, for a code that has no words here. It names players as "Seat 0". */
  text: string;
  /** The parts of which the points are made. */
  reasons: Told[];
}

/** A part of an account: a course, a round, or what needs no heading. */
export interface Section {
  heading: Told | null;
  lines: Told[];
  /** The seats that win what the section is about; null if there is nothing to win. */
  winners: number[] | null;
}

export interface AccountEvent {
  seq: number;
  /** The mode's round that it is about. */
  round: number;
  sections: Section[];
}

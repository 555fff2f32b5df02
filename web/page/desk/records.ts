/** Records that are verified or stepped through. */
import type { Outcome } from "./games";

/** The report of `cloche verify`. */
export interface Report {
  valid: boolean;
  fault: { entry: number | null; pointer: string; code: string; text: string; section: string } | null;
  /** "entries", "signatures", "proofs", "draws", "accounts", "reveals" … and how many were checked. */
  checked: { [what: string]: number };
  game: string | null;
  mode: string | null;
  house_key: string | null;
  seats: { name: string; key: string }[] | null;
  outcome: Outcome | null;
  /** True if the record is of the house at which this player is registered; null if that can't be said. */
  known_house: boolean | null;
  bytes: number;
  took_ms: number;
}

// --- Replay ---------------------------------------------------------------------------------------------------

export interface ReplayInfo {
  replay: string;
  game: string;
  mode: string;
  seats: { name: string; key: string }[];
  outcome: Outcome | null;
  /** The entries, for the scrubber's ticks. */
  ticks: { seq: number; kind: string; seat: number | null; at: number; round: number }[];
}

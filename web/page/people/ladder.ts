/** What the house tells of opponents: ratings, challenges, the queue (docs/ratings.md). */
import type { JsonObject } from "../desk";
import type { ModeFacts } from "../house";
import { dayTime, t } from "../words";

export interface Rating {
  mode: string;
  points: number;
  deviation: number;
  provisional: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  last_game: string;
}

/** A rating after a game, the newest first in the house's lists. */
export interface RatingStep {
  at: string;
  result: "won" | "drew" | "lost";
  points: number;
  deviation: number;
}

export interface Placed {
  rank: number;
  handle: string;
  points: number;
  deviation: number;
  sure: number;
  games: number;
  wins: number;
}

export interface Challenge {
  id: string;
  challenger: string;
  challenged: string;
  mode: string;
  options: JsonObject;
  format: string | null;
  rated: boolean;
  expires_at: string;
  state: "open" | "accepted" | "declined" | "withdrawn" | "expired";
  game: string | null;
}

/** Our place in the queue. */
export interface Place {
  mode: string;
  pace: string;
  format: string | null;
  rated: boolean;
  waited_ms: number;
  /** The points by which an opponent's rating may differ now. */
  window: number;
  bots: string[];
}

/** Paces of the house. */
export const PACES = ["usual", "quick", "1-day", "2-days", "3-days", "4-days", "5-days", "6-days", "7-days"] as const;
export type PaceName = (typeof PACES)[number];

/** Modes that two can play: only these are for challenges and tournaments. */
export function forTwo(modes: readonly ModeFacts[]): ModeFacts[] {
  return modes.filter((mode) => mode.seats.min <= 2);
}

/** "1612 ± 305" */
export function ratingWords({ points, deviation }: { points: number; deviation: number }): string {
  return t("rating.points", { points: String(points), deviation: String(deviation) });
}

/** Who has won of how many, and until when a challenge stands, in one line. */
export function until(challenge: Challenge): string {
  return t("challenge.until", { time: dayTime(challenge.expires_at) });
}

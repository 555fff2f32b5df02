/** What the house tells of tournaments (docs/tournaments.md). */
import type { Copies, JsonObject } from "../desk";
import { t } from "../words";

export interface Tournament {
  id: string;
  name: string;
  system: "swiss" | "elimination" | "round_robin";
  mode: string;
  options: JsonObject;
  format: string | null;
  rated: boolean;
  director: string;
  fee: number;
  added: number;
  /** Percents of all coins for the first places. */
  prizes: number[];
  places: number;
  entered: number;
  rounds: number | null;
  round: number;
  late_rounds: number;
  pause: number;
  state: "open" | "running" | "over" | "cancelled";
  reason: string | null;
  starts_at: string;
  next_at: string | null;
  ended_at: string | null;
}

export type Result = "first" | "second" | "draw" | "neither";

export interface Pairing {
  round: number;
  board: number;
  first: string;
  second: string | null;
  state: "pending" | "playing" | "over";
  result: Result | null;
  played: boolean;
  game: string | null;
  ruling: string | null;
}

export interface Standing {
  handle: string;
  rank: number;
  place: number | null;
  points: number;
  buchholz: number;
  sonneborn_berger: number;
  wins: number;
  out_round: number | null;
  out_reason: string | null;
  prize: number;
}

export interface Entry extends Standing {
  deck: Copies | null;
  match: Pairing | null;
}

/** All coins of a tournament: fees of those who take part, and what the director has added. */
export function pot({ fee, entered, added }: Tournament): number {
  return fee * entered + added;
}

/** "60 · 30 · 10 %"; empty where there are no prizes. */
export function prizeWords({ prizes }: Tournament): string {
  return prizes.length ? t("tournament.prizes", { shares: prizes.join(" · ") }) : "";
}

/** Percents that were typed, such as "60, 30, 10"; null if they are none that make 100, the first the greatest. */
export function prizesIn(text: string): number[] | null {
  const found = text.split(/[\s,;·/%]+/).filter((each) => each !== "").map(Number);
  if (!found.length) return [];
  const falling = found.every((each, i) => Number.isInteger(each) && each >= 1 && each <= (found[i - 1] ?? 100));
  return falling && found.reduce((sum, each) => sum + each, 0) === 100 ? found : null;
}

/** A result as standings write it: "1 : 0", "½ : ½", "0 : 0"; a bye brings its player a point, a rest none. */
export function resultWords(pairing: Pairing): string {
  switch (pairing.result) {
    case "first":
      return pairing.second === null ? "+" : "1 : 0";
    case "second":
      return "0 : 1";
    case "draw":
      return "½ : ½";
    case "neither":
      return pairing.second === null ? "–" : "0 : 0";
    case null:
      return "";
  }
}

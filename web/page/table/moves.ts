/**
 * Legal moves on the table: which cards of the table a move uses, and what it is called. It reads the forms that the
 * modes describe in the house's API document; the rules stay in the kitchen.
 */
import type { Json, JsonObject, Offered } from "../desk";
import { listed, said, t } from "../words";
import { cardName } from "./french";

const TAKES = ["play", "transfer", "lay", "expose", "present"] as const;

/** The positions of the cards that a move uses. */
export function uses(move: JsonObject): number[] {
  for (const verb of TAKES) {
    const value = move[verb];
    if (typeof value === "number") return [value];
    if (Array.isArray(value)) return value.filter((each): each is number => typeof each === "number");
  }
  return [];
}

export function verbOf(move: JsonObject): string {
  return Object.keys(move).find((name) => name !== "card" && name !== "cards" && name !== "stack") ?? "";
}

function same(a: readonly number[], b: ReadonlySet<number>): boolean {
  return a.length === b.size && a.every((each) => b.has(each));
}

/** The moves with exactly these cards. */
export function movesWith(moves: readonly Offered[], selected: ReadonlySet<number>): Offered[] {
  return moves.filter((offered) => {
    const cards = uses(offered.move);
    return cards.length > 0 && same(cards, selected);
  });
}

/** Moves that use no card and have no number: pass, draw, done. */
export function bareMoves(moves: readonly Offered[]): Offered[] {
  return moves.filter((offered) => uses(offered.move).length === 0 && numberOf(offered.move) === null);
}

/** The number that a move names: how many cards are cut, how many points are claimed. */
export function numberOf(move: JsonObject): number | null {
  const verb = verbOf(move);
  const value = move[verb];
  return ["cut", "claim", "object", "serve"].includes(verb) && typeof value === "number" ? value : null;
}

/** Moves of one verb that differ in a number alone, in order. */
export function numbered(moves: readonly Offered[]): Map<string, Offered[]> {
  const found = new Map<string, Offered[]>();
  for (const offered of moves) {
    if (numberOf(offered.move) === null) continue;
    const verb = verbOf(offered.move);
    found.set(verb, [...(found.get(verb) ?? []), offered]);
  }
  return found;
}

/** Cards that some move uses. */
export function usable(moves: readonly Offered[]): Set<number> {
  return new Set(moves.flatMap((offered) => uses(offered.move)));
}

/** A move of several cards that is not among the listed ones: the mode's own form with these cards. */
export function composed(topic: string, cards: readonly { position: number; face: string }[]): JsonObject | null {
  if (!cards.length) return null;
  if (topic === "lay") return { lay: cards.map((card) => card.position).sort((a, b) => a - b) };
  if (topic === "lead" || topic === "follow" || topic === "beat") {
    const ordered = [...cards].sort((a, b) => a.position - b.position);
    return { play: ordered.map((card) => card.position), cards: ordered.map((card) => card.face) };
  }
  return null;
}

function names(value: Json | undefined, faces: { [position: string]: string }): string {
  if (typeof value === "string") return cardName(value);
  if (Array.isArray(value))
    return listed(value.map((each) => (typeof each === "number" ? cardName(faces[each] ?? "?") : cardName(String(each)))));
  return "";
}

/** A move in words: "Play the queen of spades". */
export function moveWords(move: JsonObject, faces: { [position: string]: string }): string {
  const verb = verbOf(move);
  const cards = names(move["card"] ?? move["cards"] ?? move[verb], faces);
  const stack = typeof move["stack"] === "number" ? move["stack"] : 0;
  const number = numberOf(move) ?? 0;
  const key = stack ? `${verb}.stack` : verb;
  return said("move", key, JSON.stringify(move), { cards, stack, n: number });
}

export function numberWords(verb: string): string {
  return said("move", `${verb}.label`, verb);
}

export function topicWords(topic: string): string {
  return said("topic", topic, t("match.choose"));
}

/**
 * Legal moves on the table: which cards of the table a move uses, and what it is called. It reads the forms that the
 * modes describe in the house's API document, with the verbs that a mode's drawing names; the rules stay in the kitchen.
 */
import type { Json, JsonObject, Offered } from "../desk";
import { listed, said, t } from "../words";
import { cardName } from "./french";

/** The verbs of a mode's moves. */
export interface Verbs {
  /** Verbs whose value is the position of a card, or a list of them. */
  takes: readonly string[];
  /** Verbs whose value is a number that a player chooses: how deep to cut, how much to claim. */
  numbers: readonly string[];
}

/** A card of the hand that was picked. */
export interface Held {
  position: number;
  face: string;
}

/** The faces of the cards that a move uses, beside their positions. */
const FACES: readonly string[] = ["card", "cards"];

/** The positions of the cards that a move uses. */
export function uses(move: JsonObject, { takes }: Verbs): number[] {
  for (const verb of takes) {
    const value = move[verb];
    if (typeof value === "number") return [value];
    if (Array.isArray(value)) return value.filter((each): each is number => typeof each === "number");
  }
  return [];
}

export function verbOf(move: JsonObject, { takes, numbers }: Verbs): string {
  return [...takes, ...numbers].find((verb) => verb in move) ?? Object.keys(move).find((name) => !FACES.includes(name)) ?? "";
}

function same(a: readonly number[], b: ReadonlySet<number>): boolean {
  return a.length === b.size && a.every((each) => b.has(each));
}

/** The moves with exactly these cards. */
export function movesWith(moves: readonly Offered[], selected: ReadonlySet<number>, verbs: Verbs): Offered[] {
  return moves.filter((offered) => {
    const cards = uses(offered.move, verbs);
    return cards.length > 0 && same(cards, selected);
  });
}

/** Moves that use no card and have no number: pass, draw, done. */
export function bareMoves(moves: readonly Offered[], verbs: Verbs): Offered[] {
  return moves.filter((offered) => uses(offered.move, verbs).length === 0 && numberOf(offered.move, verbs) === null);
}

/** The number that a move names: how many cards are cut, how many points are claimed. */
export function numberOf(move: JsonObject, verbs: Verbs): number | null {
  const verb = verbOf(move, verbs);
  const value = move[verb];
  return verbs.numbers.includes(verb) && typeof value === "number" ? value : null;
}

/** Moves of one verb that differ in a number alone, in order. */
export function numbered(moves: readonly Offered[], verbs: Verbs): Map<string, Offered[]> {
  const found = new Map<string, Offered[]>();
  for (const offered of moves) {
    if (numberOf(offered.move, verbs) === null) continue;
    const verb = verbOf(offered.move, verbs);
    found.set(verb, [...(found.get(verb) ?? []), offered]);
  }
  return found;
}

/** Cards that some move uses. */
export function usable(moves: readonly Offered[], verbs: Verbs): Set<number> {
  return new Set(moves.flatMap((offered) => uses(offered.move, verbs)));
}

function names(value: Json | undefined, faces: { [position: string]: string }): string {
  if (typeof value === "string") return cardName(value);
  if (Array.isArray(value))
    return listed(value.map((each) => (typeof each === "number" ? cardName(faces[each] ?? "?") : cardName(String(each)))));
  return "";
}

/** A move in words: "Play the queen of spades". A move that names more than its cards has words of its own. */
export function moveWords(move: JsonObject, faces: { [position: string]: string }, verbs: Verbs): string {
  const verb = verbOf(move, verbs);
  const more = Object.entries(move).filter(([name]) => name !== verb && !FACES.includes(name));
  const cards = names(move["card"] ?? move["cards"] ?? move[verb], faces);
  const values = Object.fromEntries(more.filter((each): each is [string, number] => typeof each[1] === "number"));
  const key = [verb, ...more.map(([name]) => name)].join(".");
  return said("move", key, JSON.stringify(move), { ...values, cards, n: numberOf(move, verbs) ?? 0 });
}

export function numberWords(verb: string): string {
  return said("move", `${verb}.label`, verb);
}

export function topicWords(topic: string): string {
  return said("topic", topic, t("match.choose"));
}

/**
 * What anybody may ask of the house, without a token: lists that are the same for all.
 * Everything that a player asks goes through the kitchen (`kitchen.ts`), which holds the token.
 */
import type { CardText, Category, Units } from "./desk";

const API = "/api/v1";

export class HouseError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

/** Fetch a public list or object. Throws `HouseError`; status 0 means that nobody answered. */
export async function fetched<T>(path: string): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(API + path, { headers: { Accept: "application/json" } });
  } catch {
    throw new HouseError(0, "unreachable", "The house does not answer.");
  }
  const body = (await answer.json().catch(() => ({}))) as { code?: string; detail?: string };
  if (!answer.ok) throw new HouseError(answer.status, body.code ?? "failed", body.detail ?? "");
  return body as T;
}

export interface Listed<T> {
  items: T[];
  next: string | null;
}

/** All pages of a list. */
export async function all<T>(path: string): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const join = path.includes("?") ? "&" : "?";
    const at: string = cursor ? `${join}limit=200&cursor=${encodeURIComponent(cursor)}` : `${join}limit=200`;
    const page: Listed<T> = await fetched(path + at);
    found.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return found;
}

/** A card as the house lists it. */
export interface HouseCard extends CardText {
  set: string;
  number_in_set: number;
  rarity: string;
  basic: boolean;
  flavour: string;
  retired: boolean;
}

export interface LiveGame {
  id: string;
  mode: string;
  names: string[];
  created_at: string;
  seq: number;
}

export interface ModeFacts {
  name: string;
  title: string;
  summary: string;
  rules: string;
  seats: { min: number; max: number };
  own_decks: boolean;
  bots: string[];
  options: OptionFacts[];
}

export interface OptionFacts {
  name: string;
  kind: "seconds" | "integer" | "flag" | "choice";
  default: string | number | boolean;
  text: string;
  low?: number;
  high?: number;
  off?: number;
  choices?: string[];
}

export interface Starter {
  slug: string;
  name: string;
  text: string;
  cards: Record<string, number>;
}

let modes: Promise<ModeFacts[]> | null = null;

/** The games of this house. */
export function modesOfHouse(): Promise<ModeFacts[]> {
  modes ??= fetched<Listed<ModeFacts>>("/modes")
    .then((list) => list.items)
    .catch((error: unknown) => {
      modes = null;
      throw error;
    });
  return modes;
}

/** A restriction on decks, such as "home-cooking" (docs/decks.md). */
export interface FormatFacts {
  name: string;
  title: string;
  text: string;
}

let formats: Promise<FormatFacts[]> | null = null;

/** The formats of this house. */
export function formatsOfHouse(): Promise<FormatFacts[]> {
  formats ??= all<FormatFacts>("/formats").catch((error: unknown) => {
    formats = null;
    throw error;
  });
  return formats;
}

/** Modes in the order of the lobby: first those that are played with decks of one's own. */
export function byTable(modes: readonly ModeFacts[]): ModeFacts[] {
  return [...modes].sort((a, b) => Number(b.own_decks) - Number(a.own_decks));
}

let cards: Promise<Map<string, HouseCard>> | null = null;

/** All cards by slug. They are public and the same for everybody, so they are asked for all at once or not at all. */
export function cardsOfHouse(): Promise<Map<string, HouseCard>> {
  cards ??= all<HouseCard>("/cards")
    .then((list) => new Map(list.map((card) => [card.slug, card])))
    .catch((error: unknown) => {
      cards = null;
      throw error;
    });
  return cards;
}

let sets: Promise<Map<string, string>> | null = null;

/** The names of the card sets, by their codes. */
export function setNames(): Promise<Map<string, string>> {
  sets ??= all<{ code: string; name: string }>("/sets")
    .then((list) => new Map(list.map((set) => [set.code, set.name])))
    .catch((error: unknown) => {
      sets = null;
      throw error;
    });
  return sets;
}

export function amount(units: Units): number {
  return Object.values(units).reduce((sum, count) => sum + (count ?? 0), 0);
}

export function unitList(units: Units): Category[] {
  return (Object.entries(units) as [Category, number][]).flatMap(([name, count]) => Array<Category>(count).fill(name));
}

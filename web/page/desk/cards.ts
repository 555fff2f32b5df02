/** Cards and deck lists. */
import type { Json } from "./values";

export const CATEGORIES = ["starch", "vegetable", "oil", "protein", "seasoning"] as const;
export type Category = (typeof CATEGORIES)[number];
/** Units by category. Categories with none are left out. */
export type Units = Partial<Record<Category, number>>;
/** Units in the order of `CATEGORIES`; negative where units lack. */
export type Balance = [number, number, number, number, number];

/** A card as the rules see it (a record's `cards`). */
export interface CardText {
  number: number;
  slug: string;
  name: string;
  type: "ingredient" | "recipe";
  provides: Units;
  costs: Units;
  kinds: string[];
  list: string[];
  bonus: number;
  one_time: boolean;
}

/** A card as the catalogue of this build describes it. */
export interface CardFacts extends CardText {
  set: string;
  rarity: "common" | "uncommon" | "rare" | "legendary" | null;
  text: string;
  retired: boolean;
}

export interface DeckFault {
  code: string;
  text: string;
  pointer: string;
  /** The card's slug, if it is about one. */
  card?: string;
  [more: string]: Json | undefined;
}
export interface DeckCheck {
  legal: boolean;
  size: number;
  faults: DeckFault[];
  warnings: DeckFault[];
}

/** Where a copy is that has left the house as a token on a chain. */
export interface OutsideCopy {
  /** The chain's number. */
  chain: number;
  /** The address of the house's pantry there. */
  pantry: string;
  /** The address to which the token went first. */
  receiver: string;
  /** When the statement that let it out lapses. */
  until: string;
  /** Its id: 0x and 64 hexadecimal digits. */
  token: string;
  /** "lapsed" and "back" only in the moment before the copy is inside again. */
  state: "leaving" | "outside" | "lapsed" | "back" | "lost";
}

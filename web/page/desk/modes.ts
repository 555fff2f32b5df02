/** What the drawing of one mode needs beside the common view. */
import type { Balance } from "./cards";

/** The table data of Pancake (mode "chef"). */
export interface ChefTable {
  /** The hand: indices in our own deck (0 … 39), which a meal names, with their cards. */
  hand: { index: number; slug: string }[];
  /** Courses of this round by number; a final round has only the entree. */
  courses: { number: number; name: "appetizer" | "entree" | "dessert"; points: number }[];
  /** The meal that we have sealed in this step, once it is sealed. */
  sealed: ChefMeal | null;
  phase: "deal" | "redraw" | "meal" | "over";
  final: number;
  piles: [number, number];
  hands: [number, number];
  /** Discarded cards that have been seen, by seat: slugs. */
  served: [string[], string[]];
}
export interface ChefPlate {
  course: number;
  recipe: number | null;
  ingredients: number[];
}
/** A meal as `match.choose` takes it for mode "chef". A redraw is answered by `{ choice: "keep" | "redraw" }`. */
export interface ChefMeal {
  dishes: ChefPlate[];
}
/** A plate as it stands: `match.try` answers with one for each plate of the meal. */
export interface ChefTried {
  plates: ChefTriedPlate[];
  yum: number;
}
export interface ChefTriedPlate {
  course: number;
  /** Units too many, or (negative) too few. All zero: the plate is paid for. */
  balance: Balance;
  /** Units that the recipe and special ingredients ask for, and that the other ingredients give. */
  needs: Balance;
  gives: Balance;
  paid: boolean;
  /** The yum, with each reason; null unless it is paid for and has a recipe. */
  yum: number | null;
  items: YumItem[];
}
export interface YumItem {
  kind: "units" | "match" | "word" | "bonus";
  points: number;
  /** The slug of the ingredient; not with "units". */
  card?: string;
  /** The entry of the list, or the word of the name. */
  what?: string;
  text: string;
}

/** The table data of the other modes: our hand, and what the rules let us play of it. */
export interface PackTable {
  /** The hand in the order that the mode draws it. `playable` is false where a rule holds the card back now. */
  hand: { position: number; face: string; playable: boolean }[];
}

/** Accounts in the player's language: from the codes and values of what is told, never from the house's English. */
import type { AccountEvent, Json, JsonObject, Told } from "../desk";
import { known, listed, signed, t, type Values } from "../words";

/** What an account needs to be told: the game, who sits where, and what cards are called. */
export interface Teller {
  mode: string;
  names: readonly string[];
  /** The name of a card by its slug or its code. */
  card: (slug: string) => string;
  /** Values of the mode's own sentences, beside those that every mode has. */
  values?: ((values: JsonObject) => Values) | undefined;
}

/** Values that change the sentence: the first whose words are there is taken. */
const VARIANTS: readonly (readonly [string, (values: JsonObject) => boolean])[] = [
  ["none", (values) => values["winner"] === null],
  ["cards", (values) => cardsOf(values).length > 0],
  ["claim", (values) => typeof values["claim"] === "number"],
  ["hands", (values) => typeof values["hands"] === "number"],
  ["final", (values) => count(values["final"]) > 0],
  ["times", (values) => count(values["times"]) > 1],
];

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function cardsOf(values: JsonObject): string[] {
  return [...texts(values["cards"]), ...texts(values["ingredients"])];
}

/** "Bread, Bread and Tuna" as "2 × Bread and Tuna". */
function counted(names: readonly string[]): string {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return listed([...found].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)));
}

/** The values of a sentence as its words name them. */
function valuesOf(values: JsonObject, teller: Teller): Values {
  const seat = (name: string) => (typeof values[name] === "number" ? (teller.names[values[name]] ?? "") : "");
  const card = (name: string) => (typeof values[name] === "string" ? teller.card(values[name]) : "");
  const amounts = ["count", "cards", "points"].map((name) => values[name]);
  const numbers = Object.entries(values).filter((each): each is [string, number] => typeof each[1] === "number");
  return {
    ...Object.fromEntries(numbers),
    n: amounts.find((value) => typeof value === "number") ?? 0,
    points: signed(count(values["points"])),
    name: seat("seat"),
    winner: seat("winner"),
    under: seat("under"),
    order: Array.isArray(values["order"]) ? listed(values["order"].map((each) => teller.names[count(each)] ?? "")) : "",
    card: card("card"),
    recipe: card("recipe"),
    cards: counted(cardsOf(values).map(teller.card)),
    what: typeof values["what"] === "string" ? values["what"] : "",
    ...teller.values?.(values),
  };
}

/** The key of a sentence, or null where its code is new to us. `part` is "why" for what points are made of. */
export function keyOf(told: Told, mode: string, part: "told" | "why" = "told"): string | null {
  const key = part === "told" ? `told.${mode}.${told.code}` : `why.${mode}.${told.code}`;
  const variant = VARIANTS.find(([name, fits]) => known(`${key}.${name}`) && fits(told.values));
  if (variant) return `${key}.${variant[0]}`;
  return known(key) ? key : null;
}

/** A thing told, in the player's language; as the house tells it where the code is new to us. */
export function toldWords(told: Told, teller: Teller, part: "told" | "why" = "told"): string {
  const key = keyOf(told, teller.mode, part);
  return key !== null && known(key) ? t(key, valuesOf(told.values, teller)) : named(told.text, teller.names);
}

/** The reasons of a thing told, in one line. */
export function whyWords(told: Told, teller: Teller): string {
  return told.reasons.map((why) => toldWords(why, teller, "why")).join(" · ");
}

/** A text of the house's with the seats' names in it. */
export function named(line: string, names: readonly string[]): string {
  return line.replace(/\b[Ss]eat (\d+)/g, (all, seat: string) => names[Number(seat)] ?? all);
}

/** The round that an account is about, as its heading says; 0 where it tells of none, as before the first. */
export function roundOf(account: AccountEvent): number {
  const told = account.sections.find((section) => section.heading?.code === "round")?.heading?.values["round"];
  return count(told);
}

/** Accounts in the player's language: from the codes and values of what is told, never from the house's English. */
import type { AccountEvent, Json, JsonObject, Section, Told, YumItem } from "../desk";
import { known, listed, said, signed, t, type Values } from "../words";

/** What an account needs to be told: the game, who sits where, and what cards are called. */
export interface Teller {
  mode: string;
  names: readonly string[];
  /** The name of a card by its slug or its code. */
  card: (slug: string) => string;
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

export const COURSES = ["", "appetizer", "entree", "dessert"] as const;

export function courseName(number: number): string {
  return said("course", COURSES[number] ?? "", String(number));
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
    servings: t("flip.servings", { n: count(values["servings"]) }),
    name: seat("seat"),
    winner: seat("winner"),
    under: seat("under"),
    order: Array.isArray(values["order"]) ? listed(values["order"].map((each) => teller.names[count(each)] ?? "")) : "",
    card: card("card"),
    recipe: card("recipe"),
    cards: counted(cardsOf(values).map(teller.card)),
    course: courseName(count(values["course"])),
    what: typeof values["what"] === "string" ? values["what"] : "",
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

/** A reason of a plate that is only tried, told like one of an account. */
export function yumReason(item: YumItem): Told {
  const { kind, text, ...values } = item;
  return { code: kind, values, text, reasons: [] };
}

/** A dish of a round, as the reveal shows it. */
export interface ServedDish {
  seat: number;
  course: number;
  recipe: string | null;
  ingredients: string[];
  yum: number | null;
  reasons: Told[];
}

/** A course of a round: both dishes, and who won. */
export interface JudgedCourse {
  course: number;
  dishes: ServedDish[];
  winner: number | null;
  points: number;
}

function isCourse(section: Section): boolean {
  return section.heading?.code === "course";
}

/** The courses of an account of Pancake; empty for accounts that judge none, such as that of a redraw. */
export function coursesOf(sections: readonly Section[]): JudgedCourse[] {
  return sections.filter(isCourse).map(({ heading, lines, winners }) => ({
    course: count(heading?.values["course"]),
    dishes: lines.map((line) => ({ ...(line.values as unknown as Omit<ServedDish, "reasons">), reasons: line.reasons })),
    winner: winners?.[0] ?? null,
    points: count(heading?.values["points"]),
  }));
}

/** What an account of Pancake tells beside its courses and the number of the round. */
export function asideOf(sections: readonly Section[]): Told[] {
  return sections
    .filter((section) => !isCourse(section))
    .flatMap(({ heading, lines }) => [...(heading && heading.code !== "round" ? [heading] : []), ...lines]);
}

/** The round that an account is about: 0 before the first. */
export function roundOf(account: AccountEvent): number {
  const told = account.sections.find((section) => section.heading?.code === "round")?.heading?.values["round"];
  const early = account.sections.some((section) => section.lines.some((line) => line.code === "redraw"));
  return typeof told === "number" ? told : early ? 0 : account.round;
}

/** Pancake's courses, and its account as the reveal shows it: both dishes of each course, and who won. */
import type { ChefTable, Json, JsonObject, MatchView, Section, Told, YumItem } from "../../../desk";
import { said, type Values } from "../../../words";

const NAMES: readonly string[] = ["", "appetizer", "entree", "dessert"];

/** Courses with their points, for a reader who sees no table data. */
export const COURSES = [
  { number: 1, points: 2 },
  { number: 2, points: 3 },
  { number: 3, points: 1 },
] as const;

/** The only course of a final round. */
export const FINAL = 2;

/** The points that win a match. */
export const GOAL = 30;

export function tableOf(view: MatchView): ChefTable {
  return view.table as unknown as ChefTable;
}

function count(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

export function courseName(number: number): string {
  return said("course", NAMES[number] ?? "", String(number));
}

/** The values of Pancake's sentences. */
export function courseValues(values: JsonObject): Values {
  return { course: courseName(count(values["course"])) };
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

/** The courses of an account; empty for accounts that judge none, such as that of a redraw. */
export function coursesOf(sections: readonly Section[]): JudgedCourse[] {
  return sections.filter(isCourse).map(({ heading, lines, winners }) => ({
    course: count(heading?.values["course"]),
    dishes: lines.map((line) => ({ ...(line.values as unknown as Omit<ServedDish, "reasons">), reasons: line.reasons })),
    winner: winners?.[0] ?? null,
    points: count(heading?.values["points"]),
  }));
}

/** What an account tells beside its courses and the number of the round. */
export function asideOf(sections: readonly Section[]): Told[] {
  return sections
    .filter((section) => !isCourse(section))
    .flatMap(({ heading, lines }) => [...(heading && heading.code !== "round" ? [heading] : []), ...lines]);
}

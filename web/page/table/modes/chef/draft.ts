/**
 * The meal while it is put together: which card of the hand lies on which course. No rule stands here: what a plate
 * lacks or is worth, the kitchen says (`match.try`).
 */
import type { ChefMeal, ChefPlate, ChefTable } from "../../../desk";

export interface Laid {
  recipe: number | null;
  ingredients: readonly number[];
}
/** Plates by the course's number. Courses with nothing on them are left out. */
export type Draft = Readonly<Record<number, Laid>>;

export const EMPTY: Laid = { recipe: null, ingredients: [] };

export function plate(draft: Draft, course: number): Laid {
  return draft[course] ?? EMPTY;
}

/** The course on which a card lies; null if it is in the hand. */
export function courseOf(draft: Draft, index: number): number | null {
  for (const [course, laid] of Object.entries(draft))
    if (laid.recipe === index || laid.ingredients.includes(index)) return Number(course);
  return null;
}

/** Lay a card on a course. A recipe that lay there before goes back to the hand. */
export function lay(draft: Draft, course: number, index: number, recipe: boolean): Draft {
  const cleared = takeBack(draft, index);
  const laid = plate(cleared, course);
  return {
    ...cleared,
    [course]: recipe ? { ...laid, recipe: index } : { ...laid, ingredients: [...laid.ingredients, index] },
  };
}

/** Take a card back into the hand. */
export function takeBack(draft: Draft, index: number): Draft {
  const left: Record<number, Laid> = {};
  for (const [course, laid] of Object.entries(draft)) {
    const now = {
      recipe: laid.recipe === index ? null : laid.recipe,
      ingredients: laid.ingredients.filter((other) => other !== index),
    };
    if (now.recipe !== null || now.ingredients.length) left[Number(course)] = now;
  }
  return left;
}

/** Clear a course. */
export function clear(draft: Draft, course: number): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([number]) => Number(number) !== course));
}

/** The draft as the rules take it: courses and ingredients ascending. */
export function mealOf(draft: Draft): ChefMeal {
  const dishes: ChefPlate[] = Object.keys(draft)
    .map(Number)
    .sort((a, b) => a - b)
    .map((course) => ({
      course,
      recipe: plate(draft, course).recipe,
      ingredients: [...plate(draft, course).ingredients].sort((a, b) => a - b),
    }));
  return { dishes };
}

export function draftOf(meal: ChefMeal): Draft {
  return Object.fromEntries(
    meal.dishes.map((dish) => [dish.course, { recipe: dish.recipe, ingredients: dish.ingredients }]),
  );
}

/** What is left of a draft when the hand has changed, as after a redraw or a round. */
export function kept(draft: Draft, table: ChefTable): Draft {
  const held = new Set(table.hand.map((card) => card.index));
  const courses = new Set(table.courses.map((course) => course.number));
  let now = draft;
  for (const [course, laid] of Object.entries(draft)) {
    if (!courses.has(Number(course))) now = clear(now, Number(course));
    for (const index of [laid.recipe, ...laid.ingredients])
      if (index !== null && !held.has(index)) now = takeBack(now, index);
  }
  return now;
}

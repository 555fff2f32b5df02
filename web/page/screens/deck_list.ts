/** A deck while it is built: copies by slug. Whether it is legal, the kitchen says. */
import type { Copies } from "../desk";
import type { HouseCard } from "../house";

export function added(cards: Copies, slug: string, change: number): Copies {
  const now = Math.max(0, (cards[slug] ?? 0) + change);
  const rest = Object.fromEntries(Object.entries(cards).filter(([other]) => other !== slug));
  return now ? { ...rest, [slug]: now } : rest;
}

export function size(cards: Copies): number {
  return Object.values(cards).reduce((sum, count) => sum + count, 0);
}

export type Group = "recipe" | "starch" | "vegetable" | "oil" | "protein" | "seasoning" | "special";
export const GROUPS: readonly Group[] = ["recipe", "starch", "vegetable", "oil", "protein", "seasoning", "special"];

export function groupOf(card: HouseCard): Group {
  if (card.type === "recipe") return "recipe";
  return (Object.keys(card.provides)[0] as Group | undefined) ?? "special";
}

/** The deck's cards by group, each with its copies. */
export function grouped(cards: Copies, known: ReadonlyMap<string, HouseCard>): [Group, [HouseCard, number][]][] {
  const found = new Map<Group, [HouseCard, number][]>();
  for (const [slug, count] of Object.entries(cards)) {
    const card = known.get(slug);
    if (card) found.set(groupOf(card), [...(found.get(groupOf(card)) ?? []), [card, count]]);
  }
  const cost = (card: HouseCard) => Object.values(card.costs).reduce((sum: number, n) => sum + (n ?? 0), 0);
  return GROUPS.filter((group) => found.has(group)).map((group) => [
    group,
    (found.get(group) ?? []).sort(([a], [b]) => cost(a) - cost(b) || a.name.localeCompare(b.name)),
  ]);
}

/** The list as text, one line for each card. */
export function asText(cards: Copies, known: ReadonlyMap<string, HouseCard>): string {
  return Object.entries(cards)
    .map(([slug, count]) => `${count} ${known.get(slug)?.name ?? slug}`)
    .join("\n");
}

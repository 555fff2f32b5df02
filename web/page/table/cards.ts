/** The texts of the cards of this build, from the kitchen: asked for all together, before any match. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { CardFacts } from "../desk";
import { ask } from "../kitchen";

const facts = signal<ReadonlyMap<string, CardFacts>>(new Map());
let asked = false;

/** Cards by slug; empty until the kitchen has answered. */
export function useCards(): ReadonlyMap<string, CardFacts> {
  useEffect(() => {
    if (asked) return;
    asked = true;
    ask("cards.all").then(
      ({ cards }) => (facts.value = new Map(cards.map((card) => [card.slug, card]))),
      () => (asked = false),
    );
  }, []);
  return facts.value;
}

export function nameIn(cards: ReadonlyMap<string, CardFacts>): (slug: string) => string {
  return (slug) => cards.get(slug)?.name ?? slug;
}

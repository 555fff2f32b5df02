"""What tells two deck lists apart: cards that came, went or are more or fewer, and what that does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cards.catalog.cards import CATEGORIES, Catalog
from cards.decks.deck_lists import DeckList
from cards.decks.odds import costs, supplies

Pair = tuple[int, int]
"""A figure of the first deck list and of the second."""


@dataclass(frozen=True, slots=True)
class Difference:
    """From one deck list to another. Cards are numbers, ascending; one that the house lost counts nowhere
    but in `size`."""

    added: Mapping[int, int]
    """Copies of cards that only the second has."""
    removed: Mapping[int, int]
    """Copies of cards that only the first has."""
    changed: Mapping[int, Pair]
    """Copies of cards of which both have some, and not equally many."""
    size: Pair
    recipes: Pair
    ingredients: Pair
    costs: Mapping[int, Pair]
    """Recipes by the units that they cost, from 1 on without gaps."""
    provided: Mapping[str, Pair]
    """Units by category."""
    needed: Mapping[str, Pair]
    """Units by category, to serve every recipe once with every special ingredient."""

    @property
    def came(self) -> int:
        """Copies that came."""
        return sum(self.added.values()) + sum(max(0, to - was) for was, to in self.changed.values())

    @property
    def went(self) -> int:
        """Copies that went."""
        return sum(self.removed.values()) + sum(max(0, was - to) for was, to in self.changed.values())


def difference(first: DeckList, second: DeckList, catalog: Catalog) -> Difference:
    """What changes from the first deck list to the second."""
    was, now = first.counts, second.counts
    decks = [
        {catalog.cards[number]: n for number, n in counts.items() if number in catalog.cards and n > 0}
        for counts in (was, now)
    ]
    recipes = [sum(n for card, n in deck.items() if card.is_recipe) for deck in decks]
    others = [sum(n for card, n in deck.items() if not card.is_recipe) for deck in decks]
    curves, units = [costs(deck) for deck in decks], [supplies(deck) for deck in decks]
    dearest = max((cost for curve in curves for cost in curve), default=0)
    return Difference(
        added={number: n for number, n in now.items() if number not in was},
        removed={number: n for number, n in was.items() if number not in now},
        changed={number: (was[number], n) for number, n in now.items() if was.get(number, n) != n},
        size=(len(first), len(second)),
        recipes=(recipes[0], recipes[1]),
        ingredients=(others[0], others[1]),
        costs={cost: (curves[0].get(cost, 0), curves[1].get(cost, 0)) for cost in range(1, dearest + 1)},
        provided={name: (units[0][name].provided, units[1][name].provided) for name in CATEGORIES},
        needed={name: (units[0][name].needed, units[1][name].needed) for name in CATEGORIES},
    )

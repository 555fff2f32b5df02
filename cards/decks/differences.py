"""The difference between two deck lists: cards added, removed and changed in number, and the consequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cards.catalog.cards import CATEGORIES, Catalog
from cards.decks.deck_lists import DeckList
from cards.decks.odds import costs, supplies

FigurePair = tuple[int, int]
"""A figure of the first deck list, and the same of the second."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference from one deck list to another, with cards by number, ascending.

    Cards that the house's sets no longer have count in `size` and as added, removed or changed, nowhere else.
    """

    added: Mapping[int, int]
    """Copies of cards that only the second has."""
    removed: Mapping[int, int]
    """Copies of cards that only the first has."""
    changed: Mapping[int, FigurePair]
    """Copies of cards that both have in different numbers."""
    size: FigurePair
    recipes: FigurePair
    ingredients: FigurePair
    costs: Mapping[int, FigurePair]
    """Recipes by their cost in units, from 1 on without gaps."""
    provided: Mapping[str, FigurePair]
    """Units that the ingredients provide, by category."""
    needed: Mapping[str, FigurePair]
    """Units needed to serve every recipe once with every special ingredient, by category."""

    @property
    def came(self) -> int:
        """The number of copies that were added."""
        return sum(self.added.values()) + sum(max(0, to - was) for was, to in self.changed.values())

    @property
    def went(self) -> int:
        """The number of copies that were removed."""
        return sum(self.removed.values()) + sum(max(0, was - to) for was, to in self.changed.values())


def difference(first: DeckList, second: DeckList, catalog: Catalog) -> Difference:
    """The difference from the first deck list to the second."""
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

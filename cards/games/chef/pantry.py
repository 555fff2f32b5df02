"""Every dish that a hand makes, costs met exactly, and which dishes can be served together.

Equal cards are one kind of card with a count, so a dish is found once, however many copies there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cards.catalog.cards import NONE, Card, Units
from cards.games.chef.search import NEVER, AlikeCards, DishSearch, plus, yum

FIELD = 4
"""Bits for the count of one card in a `load`: three copies of it and room to add three loads."""

MOST_COPIES = 3
MOST_SPECIALS = 3
"""Special ingredients tried in one dish."""

MOST_DISHES = 3000
"""Dishes of one recipe, after which its search ends; the likely best come first."""

_ENOUGH = 1 << 30
"""More than the yum of any dish."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A dish that could be served."""

    yum: int
    recipe: Card
    ingredients: tuple[Card, ...]
    """The dish's ingredients, by number."""
    load: int
    """The number of each card that it takes, `FIELD` bits a card in the order of the pantry."""
    fleeting: int
    """The number of its cards that are one-time."""

    @property
    def rank(self) -> tuple[int, int, int, int, tuple[int, ...]]:
        """Better dishes first; of equal yum those that spend less."""
        numbers = tuple(card.number for card in self.ingredients)
        return (-self.yum, self.fleeting, len(numbers), self.recipe.number, numbers)


class Pantry:
    """The cards of a hand, counted, and the dishes that they make."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.counts: Mapping[Card, int] = {
            card: min(n, MOST_COPIES)
            for card, n in sorted(Counter(cards).items(), key=lambda pair: pair[0].number)
        }
        self._unit = {card: 1 << (FIELD * i) for i, card in enumerate(self.counts)}
        self._stock = sum(n * self._unit[card] for card, n in self.counts.items())
        self._guard = sum((1 << (FIELD - 1)) * unit for unit in self._unit.values())

    def has(self, load: int) -> bool:
        """Tell whether the cards suffice for a load, which may be the sum of two dishes that each fit."""
        return (self._stock + self._guard - load) & self._guard == self._guard

    def dishes(self) -> list[Candidate]:
        """All dishes, best first."""
        found = [dish for card in self.counts if card.is_recipe for dish in self._of(card)]
        found.sort(key=lambda dish: dish.rank)
        return found

    def _of(self, recipe: Card) -> Iterator[Candidate]:
        """The dishes of a recipe: first its special ingredients, which raise the cost, then the filling."""
        bare = yum(recipe, ())
        likely = sorted(
            (card for card in self.counts if not card.is_recipe),
            key=lambda card: bare - yum(recipe, (card,)),
        )
        found: list[tuple[Card, ...]] = []

        def served(ingredients: tuple[Card, ...]) -> int:
            if len(found) < MOST_DISHES:
                found.append(ingredients)
            return NEVER if len(found) < MOST_DISHES else _ENOUGH

        # Those that provide an earlier category go first: what it lacks then, nothing later can bring.
        filling = sorted(
            (card for card in likely if card.provides != NONE), key=lambda card: _first(card.provides)
        )
        search = DishSearch([AlikeCards([card] * self.counts[card]) for card in filling], served)
        for special in self._specials([card for card in likely if card.provides == NONE]):
            need = recipe.costs
            for card in special:
                need = plus(need, card.costs, 1)
            search.chosen = [*special]
            search.run(need)
            if len(found) == MOST_DISHES:
                break
        return (self._candidate(recipe, ingredients) for ingredients in found)

    def _specials(self, cards: Sequence[Card]) -> list[tuple[Card, ...]]:
        chosen: list[tuple[Card, ...]] = [()]
        for card in cards:
            chosen += [
                (*some, *(card,) * n)
                for some in chosen
                for n in range(1, self.counts[card] + 1)
                if len(some) + n <= MOST_SPECIALS
            ]
        return chosen

    def _candidate(self, recipe: Card, ingredients: tuple[Card, ...]) -> Candidate:
        return Candidate(
            yum=yum(recipe, ingredients),
            recipe=recipe,
            ingredients=ingredients,
            load=self._unit[recipe] + sum(self._unit[card] for card in ingredients),
            fleeting=recipe.one_time + sum(card.one_time for card in ingredients),
        )


def _first(provided: Units) -> int:
    """The first category of some units, by index."""
    return next(i for i, n in enumerate(provided) if n)


def best_apart(pantry: Pantry, dishes: Iterable[Candidate], count: int) -> list[Candidate]:
    """The best dish, then the best that can be served beside it, and so on; `dishes` are best first."""
    chosen: list[Candidate] = []
    load = 0
    for dish in dishes:
        if len(chosen) == count:
            break
        if pantry.has(load + dish.load):
            chosen.append(dish)
            load += dish.load
    return chosen

"""The search for dishes: every way to serve every recipe of a hand, costs met exactly.

Equal cards are one kind of card with a count, so a dish is found once however many
copies there are. What a dish is worth is asked of the rules, `cards.games.chef.yum`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cards.catalog.cards import CATEGORIES, NONE, Card
from cards.games import chef

FIELD = 4
"""Bits for the count of one card in a `load`: three copies of it and room to add three loads."""

MOST_COPIES = 3
MOST_SPECIALS = 3
"""Special ingredients tried in one dish."""

MOST_DISHES = 3000
"""Dishes of one recipe, after which its search ends; the likely best come first."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A dish that could be served."""

    yum: int
    recipe: Card
    ingredients: tuple[Card, ...]
    """By number."""
    load: int
    """How many of each card it takes, `FIELD` bits a card in the order of the pantry."""
    fleeting: int
    """How many of its cards are one-time."""

    @property
    def rank(self) -> tuple[int, int, int, int, tuple[int, ...]]:
        """Better dishes first; of equal yum those that spend less."""
        numbers = tuple(card.number for card in self.ingredients)
        return (-self.yum, self.fleeting, len(numbers), self.recipe.number, numbers)


@lru_cache(maxsize=1 << 16)
def _yum(recipe: Card, ingredients: tuple[Card, ...]) -> int:
    return chef.yum(recipe, ingredients)


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
        """Whether there are cards enough for a load, which may be the sum of two dishes that each fit."""
        return (self._stock + self._guard - load) & self._guard == self._guard

    def dishes(self) -> list[Candidate]:
        """All dishes, best first."""
        found = [dish for card in self.counts if card.is_recipe for dish in self._of(card)]
        found.sort(key=lambda dish: dish.rank)
        return found

    def _of(self, recipe: Card) -> Iterator[Candidate]:
        """The dishes of a recipe: first its special ingredients, which raise the cost, then the filling."""
        bare = _yum(recipe, ())
        likely = sorted(
            (card for card in self.counts if not card.is_recipe),
            key=lambda card: bare - _yum(recipe, (card,)),
        )
        shelves = [
            [card for card in likely if card.provides[i] and not any(card.provides[:i])]
            for i in range(len(CATEGORIES))
        ]
        found = 0
        for special in self._specials([card for card in likely if card.provides == NONE]):
            need = [n + sum(card.costs[i] for card in special) for i, n in enumerate(recipe.costs)]
            for filling in self._fill(need, shelves):
                ingredients = tuple(sorted((*special, *filling), key=lambda card: card.number))
                yield self._candidate(recipe, ingredients)
                found += 1
                if found == MOST_DISHES:
                    return

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

    def _fill(self, need: list[int], shelves: Sequence[Sequence[Card]]) -> Iterator[tuple[Card, ...]]:
        """Every choice of providers that gives exactly `need`.

        A card stands on the shelf of its first category. When the categories before
        that are met, only cards of that shelf can bring it; so they are tried in order.
        """
        chosen: list[Card] = []

        def search(shelf: int, start: int, left: int) -> Iterator[tuple[Card, ...]]:
            while shelf < len(need) and not need[shelf]:
                shelf, start, left = shelf + 1, 0, -1
            if shelf == len(need):
                yield tuple(chosen)
                return
            cards = shelves[shelf]
            for i in range(start, len(cards)):
                card = cards[i]
                copies = left if i == start and left >= 0 else self.counts[card]
                if not copies or any(p > n for p, n in zip(card.provides, need, strict=True)):
                    continue
                for k, p in enumerate(card.provides):
                    need[k] -= p
                chosen.append(card)
                yield from search(shelf, i, copies - 1)
                chosen.pop()
                for k, p in enumerate(card.provides):
                    need[k] += p

        return search(0, 0, -1)

    def _candidate(self, recipe: Card, ingredients: tuple[Card, ...]) -> Candidate:
        return Candidate(
            yum=_yum(recipe, ingredients),
            recipe=recipe,
            ingredients=ingredients,
            load=self._unit[recipe] + sum(self._unit[card] for card in ingredients),
            fleeting=recipe.one_time + sum(card.one_time for card in ingredients),
        )


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


def plates(hand: Mapping[int, Card], served: Mapping[int, Candidate]) -> list[dict[str, object]]:
    """The dishes of a choice (protocol section 9): which positions of the hand go into which course.

    `hand` holds the cards by index; `served` the dishes by course. Of equal cards the lowest index goes
    first.
    """
    free: dict[Card, list[int]] = {}
    for index in sorted(hand, reverse=True):
        free.setdefault(hand[index], []).append(index)
    return [
        {
            "course": course,
            "recipe": free[served[course].recipe].pop(),
            "ingredients": sorted(free[card].pop() for card in served[course].ingredients),
        }
        for course in sorted(served)
    ]

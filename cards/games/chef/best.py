"""The best dish of a hand, and nothing else: what a deck is judged by many thousand times.

A bot that plans a meal needs every dish (`bots.dishes`). Here only the best counts, so of one recipe
all ingredients that are alike to it (the same units, entries, words and bonus) are one, and a recipe that
can't beat what was found is passed over. What a dish is worth is asked of the rules, `yum`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cards.catalog.cards import NONE, Card, Units
from cards.games.chef.dish import matching, named, yum

Counts = Mapping[Card, int]
"""A hand: copies by card."""


@dataclass(frozen=True, slots=True)
class Best:
    """A dish of a hand that no other of the hand's dishes beats."""

    yum: int
    recipe: Card
    ingredients: tuple[Card, ...]
    """By number."""


class Meter:
    """How many steps searches have taken."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


@lru_cache(maxsize=1 << 16)
def appeal(recipe: Card, card: Card) -> tuple[Units, int, tuple[int, ...], tuple[str, ...]]:
    """All of an ingredient that a recipe can tell: its net, bonus, the entries it fits, the words it has."""
    fits = tuple(i for i, entry in enumerate(recipe.list) if matching((entry,), (card,)))
    return card.net, card.bonus, fits, tuple(word for word, _ in named(recipe, (card,)))


@lru_cache(maxsize=1 << 16)
def _yum(recipe: Card, ingredients: tuple[Card, ...]) -> int:
    return yum(recipe, ingredients)


def most(recipe: Card, ingredients: Iterable[tuple[Card, int]]) -> int:
    """What no dish of a recipe exceeds: each entry matched, each word named, every bonus added."""
    entries, words, bonus = set[int](), set[str](), 0
    for card, n in ingredients:
        _, extra, fits, has = appeal(recipe, card)
        entries.update(fits)
        words.update(has)
        bonus += n * extra
    return sum(recipe.costs) + len(entries) + len(words) + bonus


def best(hand: Counts, above: int = 0, using: Card | None = None, meter: Meter | None = None) -> Best | None:
    """The best dish worth more than `above`, of those with the card `using` if one is given.

    None if there is none. Equal hands give the same dish. `using` must be in the hand.
    """
    meter = meter or Meter()
    ingredients = [(card, n) for card, n in hand.items() if n and not card.is_recipe]
    ingredients.sort(key=lambda pair: pair[0].number)
    recipes = (
        [using] if using and using.is_recipe else [card for card, n in hand.items() if n and card.is_recipe]
    )
    bounds = [(most(card, ingredients), card) for card in recipes]
    found: Best | None = None
    for bound, recipe in sorted(bounds, key=lambda pair: (-pair[0], pair[1].number)):
        if bound <= above:
            break
        search = _Search(recipe, ingredients, None if using is recipe else using, above)
        search.run(0, search.need, search.worth)
        meter.steps += search.steps
        if search.found:
            found, above = search.found, search.found.yum
    return found


class _Search:
    """The choices of ingredients whose nets add up to a recipe's cost, the likely best first.

    Of ingredients that are alike the first by number is taken. A branch is left where even the best of what
    is left to choose would not exceed what was found.
    """

    def __init__(
        self, recipe: Card, ingredients: Sequence[tuple[Card, int]], using: Card | None, above: int
    ) -> None:
        alike: dict[object, list[Card]] = {}
        for card, n in ingredients:
            if n > (card is using):
                alike.setdefault(appeal(recipe, card), []).extend([card] * (n - (card is using)))
        # Special ones first: with them chosen, what is needed only falls. Then those with most to add.
        groups = sorted(alike.values(), key=lambda cards: _order(recipe, cards[0]))
        self.groups = [
            (cards, cards[0].net, worth(recipe, cards[0]), cards[0].is_special) for cards in groups
        ]
        self.supply: list[Units] = [NONE]
        for cards in reversed(groups):
            self.supply.append(_plus(self.supply[-1], cards[0].provides, len(cards)))
        self.supply.reverse()
        self.recipe = recipe
        self.above = above
        self.chosen = [using] if using else []
        self.need = _plus(recipe.costs, using.net, -1) if using else recipe.costs
        self.worth = sum(recipe.costs) + (worth(recipe, using) if using else 0)
        self.found: Best | None = None
        self.steps = 0

    def run(self, at: int, need: Units, reached: int) -> None:
        """Choose of the groups from `at` on; `reached` is what the dish so far is worth at most."""
        self.steps += 1
        cards, net, each, special = self.groups[at] if at < len(self.groups) else _END
        if not special:
            if need == NONE:
                self._serve()
                return
            # No card of a later group adds more than `each`, and every one meets a unit at least.
            if min(need) < 0 or reached + each * sum(need) <= self.above:
                return
        if any(n > have for n, have in zip(need, self.supply[at], strict=True)):
            return
        ways = [need]
        while len(ways) <= len(cards):
            left = _plus(ways[-1], net, -1)
            if not special and min(left) < 0:
                break
            ways.append(left)
        for n in range(len(ways) - 1, -1, -1):
            self.chosen.extend(cards[:n])
            self.run(at + 1, ways[n], reached + n * each)
            del self.chosen[len(self.chosen) - n :]

    def _serve(self) -> None:
        dish = tuple(sorted(self.chosen, key=lambda card: card.number))
        points = _yum(self.recipe, dish)
        if points > self.above:
            self.above, self.found = points, Best(points, self.recipe, dish)


_END: tuple[list[Card], Units, int, bool] = ([], NONE, 0, False)


def _plus(units: Units, more: Units, n: int) -> Units:
    a, b, c, d, e = units
    v, w, x, y, z = more
    return (a + n * v, b + n * w, c + n * x, d + n * y, e + n * z)


@lru_cache(maxsize=1 << 16)
def worth(recipe: Card, card: Card) -> int:
    """What an ingredient adds to the yum of a recipe's dish at most."""
    _, bonus, fits, has = appeal(recipe, card)
    return bonus + bool(fits) + len(has)


@lru_cache(maxsize=1 << 16)
def _order(recipe: Card, card: Card) -> tuple[bool, int, Units, int]:
    return (not card.is_special, -worth(recipe, card), card.net, card.number)

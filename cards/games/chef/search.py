"""The search for dishes: choices of a hand's ingredients that meet a cost exactly.

`DishSearch` walks the choices. `cards.games.chef.pantry` has it list all dishes of a hand, for a player who
plans a meal. `best` here looks for the best dish alone, many thousand times when a deck is judged. It counts
ingredients that a recipe can't tell apart as one, and leaves branches that can't beat what it has found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cards.catalog.cards import NONE, Card, Units
from cards.games.chef import dish as dishes
from cards.games.chef.dish import matching, named

Counts = Mapping[Card, int]
"""A hand: copies by card."""

BestSoFar = Callable[[tuple[Card, ...]], int]
"""Takes the ingredients of a dish that was found, by number; returns the yum that another must exceed."""

NEVER = -1
"""Less than the yum of any dish."""


@lru_cache(maxsize=1 << 16)
def yum(recipe: Card, ingredients: tuple[Card, ...]) -> int:
    """The yum of a dish by the rules (section 5), remembered."""
    return dishes.yum(recipe, ingredients)


@dataclass(frozen=True, slots=True)
class AlikeCards:
    """Ingredients that are alike to a search, the first to be taken first."""

    cards: Sequence[Card]
    worth: int = 0
    """The most that each of them adds to a dish's yum."""


class DishSearch:
    """A search for choices from groups of cards whose nets add up to a need.

    Of each group it tries as many cards as fit first.

    Special ingredients must stand first, since they raise the need and all others only lower it. A branch is
    left where the rest of the groups can't meet the need, or can't raise the yum beyond `above`. After the
    special groups each must be worth no less than the next, or `above` stay `NEVER`.
    """

    __slots__ = ("_above", "_groups", "_served", "chosen", "steps")

    def __init__(self, groups: Sequence[AlikeCards], served: BestSoFar, above: int = NEVER) -> None:
        supply = NONE
        self._groups: list[tuple[Sequence[Card], Units, int, bool, Units]] = [((), NONE, 0, False, NONE)]
        """Cards, the net and the worth of each, whether they are special, what they and the rest provide."""
        for group in reversed(groups):
            first = group.cards[0]
            supply = plus(supply, first.provides, len(group.cards))
            self._groups.append((group.cards, first.net, group.worth, first.is_special, supply))
        self._groups.reverse()
        self._served = served
        self._above = above
        self.chosen: list[Card] = []
        """The dish so far; ingredients that every dish shall have are put here before `run`."""
        self.steps = 0

    def run(self, need: Units, reached: int = 0, start: int = 0) -> None:
        """Choose from the groups from `start` on; `reached` is what the dish so far is worth at most."""
        a, b, c, d, e = need
        lowest, total = min(need), sum(need)
        for at in range(start, len(self._groups)):
            self.steps += 1
            cards, net, each, special, (v, w, x, y, z) = self._groups[at]
            if not special:
                if need == NONE:
                    self._above = self._served(tuple(sorted(self.chosen, key=_number)))
                    return
                # No card of a later group adds more than `each`, and every one meets a unit at least.
                if lowest < 0 or reached + each * total <= self._above:
                    return
            if a > v or b > w or c > x or d > y or e > z:
                return
            ways = [need]
            while len(ways) <= len(cards):
                left = plus(ways[-1], net, -1)
                if not special and min(left) < 0:
                    break
                ways.append(left)
            for n in range(len(ways) - 1, 0, -1):
                self.chosen.extend(cards[:n])
                self.run(ways[n], reached + n * each, at + 1)
                del self.chosen[-n:]


def _number(card: Card) -> int:
    return card.number


def plus(units: Units, more: Units, n: int) -> Units:
    """`units` with `n` times `more`."""
    a, b, c, d, e = units
    v, w, x, y, z = more
    return (a + n * v, b + n * w, c + n * x, d + n * y, e + n * z)


# The best dish


@dataclass(frozen=True, slots=True)
class Best:
    """A dish of a hand that no other of the hand's dishes beats."""

    yum: int
    recipe: Card
    ingredients: tuple[Card, ...]
    """The dish's ingredients, by number."""


class Meter:
    """A counter of the steps that searches have taken."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


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
        dish = _best_of(recipe, ingredients, None if using is recipe else using, above, meter)
        if dish:
            found, above = dish, dish.yum
    return found


def _best_of(
    recipe: Card, ingredients: Sequence[tuple[Card, int]], using: Card | None, above: int, meter: Meter
) -> Best | None:
    """The best dish of a recipe worth more than `above`; of alike ingredients the first by number."""
    alike: dict[object, list[Card]] = {}
    for card, n in ingredients:
        if n > (card is using):
            alike.setdefault(appeal(recipe, card), []).extend([card] * (n - (card is using)))
    # Special ones first: with them chosen, what is needed only falls. Then those with most to add.
    groups = sorted(alike.values(), key=lambda cards: _order(recipe, cards[0]))
    found: Best | None = None

    def served(dish: tuple[Card, ...]) -> int:
        nonlocal above, found
        points = yum(recipe, dish)
        if points > above:
            above, found = points, Best(points, recipe, dish)
        return above

    search = DishSearch([AlikeCards(cards, worth(recipe, cards[0])) for cards in groups], served, above)
    need, reached = recipe.costs, sum(recipe.costs)
    if using:
        search.chosen.append(using)
        need, reached = plus(need, using.net, -1), reached + worth(recipe, using)
    search.run(need, reached)
    meter.steps += search.steps
    return found


@lru_cache(maxsize=1 << 16)
def appeal(recipe: Card, card: Card) -> tuple[Units, int, tuple[int, ...], tuple[str, ...]]:
    """Return what matters of an ingredient to a recipe: net, bonus, the entries it fits, its words."""
    fits = tuple(i for i, entry in enumerate(recipe.list) if matching((entry,), (card,)))
    return card.net, card.bonus, fits, tuple(word for word, _ in named(recipe, (card,)))


def most(recipe: Card, ingredients: Iterable[tuple[Card, int]]) -> int:
    """A bound on the yum of a recipe's dishes: each entry matched, each word named, every bonus added."""
    entries, words, bonus = set[int](), set[str](), 0
    for card, n in ingredients:
        _, extra, fits, has = appeal(recipe, card)
        entries.update(fits)
        words.update(has)
        bonus += n * extra
    return sum(recipe.costs) + len(entries) + len(words) + bonus


@lru_cache(maxsize=1 << 16)
def worth(recipe: Card, card: Card) -> int:
    """The most that an ingredient adds to the yum of a recipe's dish."""
    _, bonus, fits, has = appeal(recipe, card)
    return bonus + bool(fits) + len(has)


@lru_cache(maxsize=1 << 16)
def _order(recipe: Card, card: Card) -> tuple[bool, int, Units, int]:
    return (not card.is_special, -worth(recipe, card), card.net, card.number)

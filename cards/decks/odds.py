"""Exact statistics of a deck: costs and units, shared ingredients, and the odds of its hands.

The odds are of the cards *drawn* by a round from a shuffled deck: six for the opening hand, and two more for
every round after the first (docs/rules/chef.md, section 3). They assume that nobody redraws, and they still
count one-time cards that were served. They are exact fractions; `cards.decks.forecast` has simulations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from cards.catalog.cards import CATEGORIES, Card, Units
from cards.games.chef.dish import matching
from cards.games.chef.rules import DRAWN, HAND

CardCounts = Mapping[Card, int]
"""Copies by card, each at least 1."""

MOST_CARDS = 60
"""Cards of the largest deck whose odds are computed."""

_UNITS: tuple[Units, ...] = (
    (1, 0, 0, 0, 0),
    (0, 1, 0, 0, 0),
    (0, 0, 1, 0, 0),
    (0, 0, 0, 1, 0),
    (0, 0, 0, 0, 1),
)

MOST_OPTIONS = 100_000
"""The odds of a servable dish are not counted where more plans than this arise: about a second of work."""


def drawn(size: int, round: int) -> int:
    """Count the cards of a deck that a chef has drawn by a round (rounds count from 1).

    >>> [drawn(40, n) for n in (1, 2, 18, 40)]
    [6, 8, 40, 40]
    """
    return min(size, HAND + DRAWN * (round - 1))


def at_least(k: int, copies: int, size: int, hand: int) -> Fraction:
    """The odds that `hand` cards of a deck of `size` hold at least k of the `copies` of a card.

    Hypergeometric: the sum over i >= k of C(copies, i) C(size - copies, hand - i) / C(size, hand).

    >>> at_least(1, 3, 40, 6)
    Fraction(487, 1235)
    """
    ways = sum(comb(copies, i) * comb(size - copies, hand - i) for i in range(k, min(copies, hand) + 1))
    return Fraction(ways, comb(size, hand))


def costs(deck: CardCounts) -> dict[int, int]:
    """The cost curve: recipes by how many units they cost, ascending, without gaps from 1."""
    found = Counter[int]()
    for card, n in deck.items():
        if card.is_recipe:
            found[sum(card.costs)] += n
    return {cost: found[cost] for cost in range(1, max(found, default=0) + 1)}


@dataclass(frozen=True, slots=True)
class Supply:
    """The units of a category in a deck: those provided by ingredients, and the costs of recipes and of
    special ingredients."""

    provided: int
    recipes: int
    specials: int

    @property
    def needed(self) -> int:
        """The units needed to serve every recipe once, with every special ingredient."""
        return self.recipes + self.specials


def supplies(deck: CardCounts) -> dict[str, Supply]:
    """Units provided and needed, by category."""

    def total(units: Iterable[tuple[Units, int]], i: int) -> int:
        return sum(n * each[i] for each, n in units)

    recipes = [(card.costs, n) for card, n in deck.items() if card.is_recipe]
    specials = [(card.costs, n) for card, n in deck.items() if card.is_special]
    provided = [(card.provides, n) for card, n in deck.items()]
    return {
        category: Supply(total(provided, i), total(recipes, i), total(specials, i))
        for i, category in enumerate(CATEGORIES)
    }


@dataclass(frozen=True, slots=True)
class IngredientLink:
    """An ingredient that matches an entry of a recipe's list."""

    recipe: Card
    entry: str
    ingredient: Card


def links(deck: CardCounts) -> list[IngredientLink]:
    """The edges of the graph of shared ingredients, sorted by recipe, entry and ingredient."""
    ingredients = sorted((card for card in deck if not card.is_recipe), key=lambda card: card.number)
    return [
        IngredientLink(recipe, entry, card)
        for recipe in sorted((card for card in deck if card.is_recipe), key=lambda card: card.number)
        for entry in recipe.list
        for card in ingredients
        if matching((entry,), (card,))
    ]


@dataclass(frozen=True, slots=True)
class Servable:
    """The exact odds of a hand that can serve a dish, by round."""

    any: tuple[Fraction, ...]
    """The odds that the hand can serve at least one recipe."""
    each: Mapping[Card, tuple[Fraction, ...]]
    """The odds that the hand has a recipe and ingredients that meet its cost, by recipe."""


def servable(deck: CardCounts, rounds: int) -> Servable | None:
    """The odds of a hand that can serve a dish, by round; None if counting them takes too long.

    Whether a hand can serve a recipe depends only on how many cards of each net it has. Let W_S(z) be the sum
    of z^(number of ingredients) over all choices of the deck's ingredients that can serve the recipes of S
    and no others. Let the deck have R recipe cards, R(S) of them in S. Then the number of hands of n cards
    that can serve nothing is

        [z^n] sum over S of W_S(z) (1 + z)^(R - R(S))

    and the number of those that can serve a recipe with c copies is

        [z^n] sum over S with it of W_S(z) ((1 + z)^R - (1 + z)^(R - c)).

    `_ways` computes W_S. Each polynomial is kept as one whole number, its value at z = 2^(cards + 1). No
    coefficient exceeds the number of all choices of cards, so none overlaps with the next.
    """
    size = sum(deck.values())
    recipes = sorted((card for card in deck if card.is_recipe), key=lambda card: card.number)
    kinds = sorted({card.costs for card in recipes})
    ways = _ways(deck, kinds, size + 1)
    if ways is None:
        return None
    total = sum(deck[card] for card in recipes)
    copies = [sum(deck[card] for card in recipes if card.costs == kind) for kind in kinds]
    unit = 1 + (1 << (size + 1))
    nothing = sum(
        way * unit ** (total - sum(n for i, n in enumerate(copies) if served >> i & 1))
        for served, way in ways.items()
    )
    hands = [drawn(size, round) for round in range(1, rounds + 1)]

    def odds(polynomial: int) -> tuple[Fraction, ...]:
        mask = (1 << (size + 1)) - 1
        return tuple(Fraction(polynomial >> (size + 1) * n & mask, comb(size, n)) for n in hands)

    with_kind = [sum(way for served, way in ways.items() if served >> i & 1) for i in range(len(kinds))]
    each = {
        card: odds(with_kind[kinds.index(card.costs)] * (unit**total - unit ** (total - deck[card])))
        for card in recipes
    }
    return Servable(tuple(1 - p for p in odds(nothing)), each)


_Plan = tuple[int, Units]
"""A way to serve something: the index of a cost (in `kinds`), and the units that it still needs."""

_Plans = frozenset[_Plan]
"""All ways to serve something that are still open."""


def _ways(deck: CardCounts, kinds: Sequence[Units], bits: int) -> dict[int, int] | None:
    """W_S by S, as whole numbers with z = 2^bits; None where there are too many plans.

    S is a number with a bit for each kind of recipes, that is, of recipes with equal cost. Ingredients are
    taken one kind after another; those of a kind have equal nets. `states` counts in how many ways the cards
    taken so far lead to each set of plans.

    Ingredients that are not a single unit come first, special ones before all others, so that needs only fall
    afterwards; any number of those held may be used. Then, category by category, the single units held rule
    out the plans that need more of them.
    """
    nets = Counter[Units]()
    for card, n in deck.items():
        if not card.is_recipe:
            nets[card.net] += n
    single = [nets.pop(unit, 0) for unit in _UNITS]
    states: dict[_Plans, int] = {frozenset(enumerate(kinds)): 1}
    most = [supply.provided for supply in supplies(deck).values()]
    # Special ingredients have a net below 0, so they come first.
    for net, n in sorted(nets.items()):
        reached = _counted(((_used(state, net, n, most), way) for state, way in states.items()), n, bits)
        if reached is None:
            return None
        states = reached
    for i, n in enumerate(single):
        reached = _counted(((_struck(state, i, n), way) for state, way in states.items()), n, bits)
        if reached is None:
            return None
        states = reached
    ways: dict[int, int] = {}
    for state, weight in states.items():
        served = sum(1 << kind for kind in {kind for kind, _ in state})
        ways[served] = ways.get(served, 0) + weight
    return ways


def _counted(steps: Iterable[tuple[Iterator[_Plans], int]], n: int, bits: int) -> dict[_Plans, int] | None:
    """The number of ways to each set of plans with 0, 1, ... n cards of a kind; None if too many arise."""
    found: dict[_Plans, int] = {}
    options = 0
    for states, way in steps:
        for k, state in enumerate(states):
            if state not in found:
                found[state] = 0
                options += len(state)
            found[state] += way * comb(n, k) << bits * k
        if options > MOST_OPTIONS:
            return None
    return found


def _used(state: _Plans, net: Units, n: int, most: Sequence[int]) -> Iterator[_Plans]:
    """The plans that are open with 0, 1, ... n cards of a net in hand, of which any number may be used."""
    yield state
    newest = state
    for _ in range(n):
        newest = frozenset(
            (kind, (a, b, c, d, e))
            for kind, need in newest
            for a, b, c, d, e in [[x - y for x, y in zip(need, net, strict=True)]]
            if all(0 <= x <= y for x, y in zip((a, b, c, d, e), most, strict=True))
        )
        state |= newest
        yield state


def _struck(state: _Plans, i: int, n: int) -> Iterator[_Plans]:
    """The plans left with 0, 1, ... n single units of category i: those whose need of it these units meet."""
    left, met = frozenset[_Plan](), -1
    for k in range(n + 1):
        if met < 0 or any(need[i] == k for _, need in state):
            left = _least((kind, (*need[:i], 0, *need[i + 1 :])) for kind, need in state if need[i] <= k)
            met = k
        yield left


def _least(options: Iterable[tuple[int, tuple[int, ...]]]) -> _Plans:
    """The plans that need least: a plan is dropped if another for the same kind needs no more of anything."""
    kept: dict[int, list[tuple[int, ...]]] = {}
    for kind, need in sorted(options, key=lambda option: sum(option[1])):
        others = kept.setdefault(kind, [])
        if not any(all(x <= y for x, y in zip(other, need, strict=True)) for other in others):
            others.append(need)
    return frozenset((kind, (a, b, c, d, e)) for kind, needs in kept.items() for a, b, c, d, e in needs)

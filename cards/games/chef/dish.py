"""A dish: whether its costs are met, and its yum, item by item (docs/rules/chef.md, sections 4 and 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cards.catalog.cards import CATEGORIES, NONE, Card, Units

SMALL_WORDS = frozenset(("and", "with", "of", "the", "a", "an", "in", "on", "or"))
"""Words of a name that never count."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class YumItem:
    """One reason for yum."""

    kind: str
    """"units", "match", "word" or "bonus"."""
    points: int
    card: str | None
    """The slug of the ingredient; None for the units."""
    what: str | None
    """The list's entry or the name's word."""
    text: str

    def line(self) -> dict[str, Any]:
        """Return it as JSON; a field that says nothing is left out."""
        given = {"kind": self.kind, "points": self.points, "text": self.text}
        if self.card is not None:
            given["card"] = self.card
        if self.what is not None:
            given["what"] = self.what
        return given


@dataclass(frozen=True, slots=True)
class Dish:
    """A dish whose costs are met, and why it is worth what it is worth."""

    recipe: Card
    ingredients: tuple[Card, ...]
    items: tuple[YumItem, ...]
    yum: int


@lru_cache(maxsize=4096)
def words(name: str) -> tuple[str, ...]:
    """The words of a name, folded to one case, each once, in order; small words left out.

    >>> words("The Bread and the Butter")
    ('bread', 'butter')
    """
    found = (word.casefold() for word in _WORD.findall(name))
    return tuple(dict.fromkeys(word for word in found if word not in SMALL_WORDS))


def balance(recipe: Card | None, ingredients: Sequence[Card]) -> Units:
    """Units that are too many (or, negative, too few), by category, in the order of `CATEGORIES`."""
    starch = vegetable = oil = protein = seasoning = 0
    for card in ingredients if recipe is None else (recipe, *ingredients):
        net = card.net
        starch += net[0]
        vegetable += net[1]
        oil += net[2]
        protein += net[3]
        seasoning += net[4]
    return (starch, vegetable, oil, protein, seasoning)


def told(units: Units) -> str:
    """Say in words what is wrong with a balance.

    >>> told((-1, 0, 0, 2, 0))
    '1 starch is lacking, 2 protein too much'
    """
    lacking = [f"{-n} {name}" for n, name in zip(units, CATEGORIES, strict=True) if n < 0]
    spare = [f"{n} {name}" for n, name in zip(units, CATEGORIES, strict=True) if n > 0]
    parts = []
    if lacking:
        parts.append(f"{' and '.join(lacking)} {'is' if len(lacking) == 1 else 'are'} lacking")
    if spare:
        parts.append(f"{' and '.join(spare)} too much")
    return ", ".join(parts)


@lru_cache(maxsize=4096)
def _counts_as(card: Card) -> frozenset[str]:
    return frozenset(name.casefold() for name in (card.name, *card.kinds))


def matching(entries: Sequence[str], ingredients: Sequence[Card]) -> tuple[tuple[int, int], ...]:
    """The best matching of cards to listed entries: pairs (ingredient, entry), ascending by entry.

    An ingredient fits an entry that is its name or one of its kinds; each card and
    each entry is matched once at most. Maximum by augmenting paths; entries and cards
    are tried in order, so equal input gives equal pairs.
    """
    fits = [
        [i for i, card in enumerate(ingredients) if entry.casefold() in _counts_as(card)] for entry in entries
    ]
    holder: dict[int, int] = {}

    def place(entry: int, tried: set[int]) -> bool:
        for card in fits[entry]:
            if card not in tried:
                tried.add(card)
                if card not in holder or place(holder[card], tried):
                    holder[card] = entry
                    return True
        return False

    for entry in range(len(entries)):
        place(entry, set())
    return tuple(sorted(holder.items(), key=lambda pair: pair[1]))


@lru_cache(maxsize=4096)
def _countable(recipe: Card) -> tuple[str, ...]:
    """The words of a recipe's name that its list has not."""
    listed = {word for entry in recipe.list for word in words(entry)}
    return tuple(word for word in words(recipe.name) if word not in listed)


def named(recipe: Card, ingredients: Sequence[Card]) -> tuple[tuple[str, int], ...]:
    """The name words that count: pairs of (word, index of an ingredient whose name has it)."""
    found = []
    for word in _countable(recipe):
        holder = next((i for i, card in enumerate(ingredients) if word in words(card.name)), None)
        if holder is not None:
            found.append((word, holder))
    return tuple(found)


def yum(recipe: Card, ingredients: Sequence[Card]) -> int:
    """The yum of a dish whose costs are met: units of the cost, matches, name words, bonuses."""
    return (
        sum(recipe.costs)
        + len(matching(recipe.list, ingredients))
        + len(named(recipe, ingredients))
        + sum(card.bonus for card in ingredients)
    )


def taste(recipe: Card, ingredients: Sequence[Card]) -> Dish | None:
    """The dish with its yum item by item; None where its costs are not met exactly."""
    if balance(recipe, ingredients) != NONE:
        return None
    cost = ", ".join(f"{n} {name}" for n, name in zip(recipe.costs, CATEGORIES, strict=True) if n)
    items = [YumItem("units", sum(recipe.costs), None, None, f"{cost}: +{sum(recipe.costs)}")]
    for i, entry in matching(recipe.list, ingredients):
        card, listed = ingredients[i], recipe.list[entry]
        items.append(YumItem("match", 1, card.slug, listed, f"{card.name} matches {listed} +1"))
    for word, i in named(recipe, ingredients):
        card = ingredients[i]
        items.append(YumItem("word", 1, card.slug, word, f'{card.name} has the word "{word}" of the name +1'))
    for card in ingredients:
        if card.bonus:
            items.append(
                YumItem("bonus", card.bonus, card.slug, None, f"{card.name} adds a bonus of +{card.bonus}")
            )
    return Dish(recipe, tuple(ingredients), tuple(items), sum(item.points for item in items))


def servings(
    need: Units, stock: Sequence[tuple[int, Card]], steps: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Every choice from `stock`, pairs of (index, ingredient), whose nets add up to `need`; lazily.

    Each choice is the ascending indices. Searches depth first, taking a card before
    leaving it, and turns back where what is left of the stock cannot mend the balance.
    Cards of a category stand together, special ones first, so that it turns back early.
    With `steps`, gives up after so many.
    """
    ordered = sorted(stock, key=lambda pair: pair[1].provides, reverse=True)
    ordered.sort(key=lambda pair: not pair[1].is_special)
    nets = [card.net for _, card in ordered]
    bounds: list[tuple[tuple[int, int], ...]] = [((0, 0),) * 5]
    for net in reversed(nets):
        bounds.append(
            tuple((low + min(n, 0), high + max(n, 0)) for (low, high), n in zip(bounds[-1], net, strict=True))
        )
    bounds.reverse()
    taken: list[int] = []
    left = -1 if steps is None else steps

    def search(at: int, a: int, b: int, c: int, d: int, e: int) -> Iterator[tuple[int, ...]]:
        nonlocal left
        if left == 0:
            return
        left -= 1
        (a0, a1), (b0, b1), (c0, c1), (d0, d1), (e0, e1) = bounds[at]
        if not (a0 <= a <= a1 and b0 <= b <= b1 and c0 <= c <= c1 and d0 <= d <= d1 and e0 <= e <= e1):
            return
        if at == len(nets):
            yield tuple(sorted(taken))
            return
        net = nets[at]
        taken.append(ordered[at][0])
        yield from search(at + 1, a - net[0], b - net[1], c - net[2], d - net[3], e - net[4])
        taken.pop()
        yield from search(at + 1, a, b, c, d, e)

    return search(0, *need)

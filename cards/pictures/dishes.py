"""A dish apart from any game: a recipe with ingredients, its key, and its drawing.

The key has the recipe's number and then those of the ingredients, ascending: "1090-1003-1004". So a dish has one key,
whoever serves it, and as whichever course.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cards.catalog.cards import Card
from cards.catalog.deck_rules import DECK_SIZE
from cards.pictures.served import ServedDish, picture

MOST_INGREDIENTS = DECK_SIZE - 1
"""The most ingredients of a dish: the rest of the deck that its recipe comes from."""
_KEY = re.compile(rf"[1-9][0-9]{{0,9}}(-[1-9][0-9]{{0,9}}){{0,{MOST_INGREDIENTS}}}")


@dataclass(frozen=True, slots=True)
class PlainDish:
    """A recipe with ingredients, which come by number."""

    recipe: Card
    ingredients: tuple[Card, ...]

    @property
    def key(self) -> str:
        """The key of the dish."""
        return key_of(self.recipe, self.ingredients)


def key_of(recipe: Card, ingredients: Iterable[Card]) -> str:
    """The key of a dish."""
    return "-".join(map(str, (recipe.number, *sorted(card.number for card in ingredients))))


def dish_of(key: str, cards: Mapping[int, Card]) -> PlainDish | None:
    """The dish of a key, made of these cards by number; None for a text that is no dish's key."""
    if not _KEY.fullmatch(key):
        return None
    numbers = [int(number) for number in key.split("-")]
    if any(number not in cards for number in numbers):
        return None
    recipe, *ingredients = [cards[number] for number in numbers]
    if (
        not recipe.is_recipe
        or any(card.is_recipe for card in ingredients)
        or key_of(recipe, ingredients) != key
    ):
        return None
    return PlainDish(recipe, tuple(ingredients))


def drawing(dish: PlainDish) -> str:
    """Draw a dish as SVG; the same bytes each time."""
    return picture(ServedDish(dish.recipe, dish.ingredients, None, None, (), frozenset(), 0))

"""The base set: how many cards of which type it has, and that each card is of use."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from cards.catalog.card_sets import load
from cards.catalog.cards import CATEGORIES, RARITIES, Card, Printing

BASE = next(card_set for card_set in load().sets if card_set.code == "PB")
INGREDIENTS = [p for p in BASE.printings if not p.card.is_recipe]
RECIPES = [p for p in BASE.printings if p.card.is_recipe]


def called(card: Card) -> set[str]:
    """The names by which a recipe may list an ingredient."""
    return {card.name, *card.kinds}


def listed_by(card: Card) -> list[Card]:
    return [p.card for p in RECIPES if called(card) & {*p.card.list}]


def cost(card: Card) -> int:
    return sum(card.costs)


def test_it_holds_120_recipes_and_105_ingredients_numbered_without_gaps() -> None:
    assert [p.number_in_set for p in BASE.printings] == list(range(1, 226))
    assert (len(RECIPES), len(INGREDIENTS)) == (120, 105)
    assert all(p.number_in_set <= 105 for p in INGREDIENTS)


def test_fifteen_are_basic_three_of_each_category() -> None:
    basics = [p for p in INGREDIENTS if p.basic]
    provided = Counter(
        category for p in basics for category, n in zip(CATEGORIES, p.card.provides, strict=True) if n
    )
    assert provided == dict.fromkeys(CATEGORIES, 3)
    assert [p.number_in_set for p in basics] == list(range(1, 16))


@pytest.mark.parametrize(
    ("category", "about"),
    [("starch", 19), ("vegetable", 34), ("oil", 10), ("protein", 23), ("seasoning", 19)],
)
def test_ingredients_are_spread_over_the_categories(category: str, about: int) -> None:
    index = CATEGORIES.index(category)
    found = [p for p in INGREDIENTS if p.card.provides[index]]
    assert abs(len(found) - about) <= 4


def test_costs_are_spread_from_one_to_five() -> None:
    assert Counter(cost(p.card) for p in RECIPES) == {1: 12, 2: 43, 3: 38, 4: 18, 5: 9}


def test_the_dearest_recipes_and_only_they_are_one_time() -> None:
    for printing in RECIPES:
        assert printing.card.one_time == (cost(printing.card) == 5), printing.card.name


def words(recipe: Card) -> set[str]:
    """The words of a recipe's name for which some ingredient could score."""
    said = {word for entry in recipe.list for word in entry.lower().split()}
    own = {*re.findall(r"[\w']+", recipe.name.lower())} - said
    return own & {word for p in INGREDIENTS for word in p.card.name.lower().split()}


def test_words_of_names_are_mostly_on_cheap_recipes() -> None:
    shares = {
        band: sum(bool(words(p.card)) for p in found) / len(found)
        for band, found in {
            "cheap": [p for p in RECIPES if cost(p.card) <= 2],
            "middle": [p for p in RECIPES if cost(p.card) == 3],
            "dear": [p for p in RECIPES if cost(p.card) >= 4],
        }.items()
    }
    assert shares["cheap"] > 0.5 > shares["middle"] > 0.3 > shares["dear"]


def test_most_dear_recipes_list_an_ingredient_that_is_not_common() -> None:
    rare = {name for p in INGREDIENTS if p.rarity != "common" for name in called(p.card)}
    common = {name for p in INGREDIENTS if p.rarity == "common" for name in called(p.card)}
    dear = [p for p in RECIPES if cost(p.card) >= 4]
    assert sum(bool({*p.card.list} & (rare - common)) for p in dear) / len(dear) >= 0.6


def test_every_ingredient_is_listed_by_two_recipes_and_every_basic_one_by_five() -> None:
    for printing in INGREDIENTS:
        assert len(listed_by(printing.card)) >= (5 if printing.basic else 2), printing.card.name


def test_every_kind_is_listed_by_some_recipe() -> None:
    kinds = {kind for p in INGREDIENTS for kind in p.card.kinds}
    assert kinds == kinds & {entry for p in RECIPES for entry in p.card.list}


def test_a_rare_card_is_no_stronger_than_a_common_one_of_its_cost() -> None:
    """A recipe's greatest yum depends on its cost and its list, not on its rarity."""

    def ceiling(printing: Printing) -> int:
        return cost(printing.card) + len(printing.card.list)

    for units in range(1, 5):
        best = {
            rarity: max(
                (ceiling(p) for p in RECIPES if p.rarity == rarity and cost(p.card) == units), default=0
            )
            for rarity in RARITIES
        }
        assert max(best["rare"], best["legendary"]) <= max(best["common"], best["uncommon"])

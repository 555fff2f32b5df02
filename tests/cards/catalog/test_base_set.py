"""The base set: how many cards of which type it has, and that each card is of use."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest

from cards.catalog.card_sets import load
from cards.catalog.cards import CATEGORIES, RARITIES, Card, Printing
from cards.games.chef.dish import balance, named

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


def test_it_holds_167_recipes_and_154_ingredients_numbered_without_gaps() -> None:
    assert [p.number_in_set for p in BASE.printings] == list(range(1, 322))
    assert (len(RECIPES), len(INGREDIENTS)) == (167, 154)


def test_there_are_plenty_of_special_and_of_one_time_ingredients() -> None:
    special = [p.card for p in INGREDIENTS if p.card.is_special]
    assert len(special) >= 20
    assert sum(not card.one_time for card in special) >= 9
    assert sum(p.card.one_time for p in INGREDIENTS) >= 30


def test_what_stays_costs_what_it_is_worth() -> None:
    """A special ingredient that stays adds no more yum than it costs units; one-time ones add more."""
    for printing in INGREDIENTS:
        card = printing.card
        if card.is_special:
            assert (card.bonus > sum(card.costs)) == card.one_time, card.name


def test_fifteen_are_basic_three_of_each_category() -> None:
    basics = [p for p in INGREDIENTS if p.basic]
    provided = Counter(
        category for p in basics for category, n in zip(CATEGORIES, p.card.provides, strict=True) if n
    )
    assert provided == dict.fromkeys(CATEGORIES, 3)
    assert [p.number_in_set for p in basics] == list(range(1, 16))


@pytest.mark.parametrize(
    ("category", "about"),
    [("starch", 19), ("vegetable", 34), ("oil", 22), ("protein", 31), ("seasoning", 25)],
)
def test_ingredients_are_spread_over_the_categories(category: str, about: int) -> None:
    index = CATEGORIES.index(category)
    found = [p for p in INGREDIENTS if p.card.provides[index]]
    assert abs(len(found) - about) <= 4


def test_fourteen_oils_and_more_provide_nothing_else() -> None:
    assert (
        sum(
            set(p.card.provides[:2] + p.card.provides[3:]) == {0} and p.card.provides[2] > 0
            for p in INGREDIENTS
        )
        >= 14
    )


def test_costs_are_spread_from_one_to_five() -> None:
    assert Counter(cost(p.card) for p in RECIPES) == {1: 26, 2: 61, 3: 48, 4: 23, 5: 9}


def test_the_dearest_recipes_and_only_they_are_one_time() -> None:
    for printing in RECIPES:
        assert printing.card.one_time == (cost(printing.card) == 5), printing.card.name


def spread(recipe: Card, chosen: tuple[Card, ...]) -> bool:
    """Whether some ingredients beside the chosen ones meet a recipe's cost: basics can provide any units."""
    return all(n <= 0 for n in balance(recipe, chosen))


def test_every_list_can_be_matched_in_full() -> None:
    """For each recipe some choice of an ingredient for each entry leaves no unit over.

    What is still lacking, Basic Ingredients provide unit by unit.
    """
    cards = [p.card for p in INGREDIENTS]
    for printing in RECIPES:
        recipe = printing.card
        choices = [[card for card in cards if entry in called(card)] for entry in recipe.list]
        assert any(spread(recipe, chosen) for chosen in product(*choices)), recipe.name


WORDS = {
    "Chili Oil Noodles": {"Chili"},
    "Garlic Bread": {"Black Garlic", "Garlic"},
    "Miso Soup": {"Miso"},
    "Sesame Dressing": {"Sesame Seeds"},
    "Sesame Tofu": {"Sesame Oil", "Sesame Seeds"},
    "Tomato Soup": {"Heirloom Tomato", "Tomato"},
    "Walnut Bread": {"Bread"},
}
"""Ingredients that a recipe likes for a word of its name alone; none of them reads like a mistake."""


def test_a_word_of_a_name_likes_no_ingredient_by_mistake() -> None:
    """Where the list does not ask for an ingredient, its word in the name must mean the ingredient itself."""
    found: dict[str, set[str]] = {}
    for recipe in (p.card for p in RECIPES):
        liked = {
            p.card for p in INGREDIENTS if named(recipe, (p.card,)) and not called(p.card) & {*recipe.list}
        }
        if liked:
            found[recipe.name] = {card.name for card in liked}
    assert found == WORDS


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

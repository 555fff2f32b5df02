"""Dishes of Pancake: legality and yum (rulings, chef 1 to 5)."""

from __future__ import annotations

from itertools import combinations, permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from cards.catalog.cards import NONE, Card, Units
from cards.games.chef import servings, taste, yum
from cards.games.chef.dish import balance, matching, words
from tests.cards.games.chef_table import (
    BREAD,
    HOLY_BREAD,
    MAYO,
    RICE,
    SALT,
    SANDWICH,
    TOAST,
    TRUFFLE,
    TUNA,
    ingredient,
    recipe,
    special,
)


def kinds(cards: list[Card], of: Card = SANDWICH) -> list[tuple[str, int]]:
    """The items of a dish, as (kind, points)."""
    dish = taste(of, cards)
    assert dish is not None
    return [(item.kind, item.points) for item in dish.items]


def test_ruling_2_costs_are_met_exactly() -> None:
    assert taste(SANDWICH, [TUNA, BREAD, MAYO]) is not None
    assert taste(SANDWICH, [TUNA, BREAD]) is None, "1 oil is lacking"
    assert taste(SANDWICH, [TUNA, BREAD, MAYO, SALT]) is None, "no padding"
    assert taste(SANDWICH, [TUNA, BREAD, BREAD, MAYO]) is None, "no surplus"


def test_ruling_1_a_special_ingredient_costs_units_itself() -> None:
    assert taste(TOAST, [BREAD, TRUFFLE]) is None
    assert taste(TOAST, [BREAD, SALT, TRUFFLE]) is not None


def test_ruling_3_a_special_ingredients_own_cost_adds_no_yum() -> None:
    assert yum(TOAST, [BREAD]) == 2
    assert yum(TOAST, [BREAD, SALT, TRUFFLE]) == 4
    assert kinds([BREAD, SALT, TRUFFLE], TOAST) == [("units", 1), ("match", 1), ("bonus", 2)]


def test_ruling_1_a_providing_ingredient_may_have_a_bonus() -> None:
    assert yum(TOAST, [HOLY_BREAD]) == 4


def test_ruling_4_an_ingredient_matches_by_name_or_kind() -> None:
    assert kinds([TUNA, BREAD, MAYO]) == [("units", 3), ("match", 1), ("match", 1), ("match", 1), ("word", 1)]
    assert kinds([ingredient("Hake", "Fish", protein=1), RICE, ingredient("Butter", oil=1)]) == [
        ("units", 3),
        ("match", 1),
    ]


def test_ruling_4_a_category_is_no_name() -> None:
    oily = recipe("Oily Bread", "Oil", "Bread", starch=1, oil=1)
    assert kinds([BREAD, MAYO], oily) == [("units", 2), ("match", 1)]


def test_ruling_4_one_card_matches_one_entry_and_the_best_matching_counts() -> None:
    stew = recipe("Stew", "Fish", "Tuna", protein=2)
    hake = ingredient("Hake", "Fish", protein=1)
    assert yum(stew, [TUNA, hake]) == 4, "Tuna leaves the Fish to the hake"
    assert yum(stew, [hake, TUNA]) == 4
    double = ingredient("Tuna Steak", "Fish", "Tuna", protein=2)
    assert yum(stew, [double]) == 3, "one card, one entry"


def test_ruling_5_words_of_the_name() -> None:
    def named(name: str, *cards: Card, listed: str = "Nothing") -> list[str | None]:
        dish = taste(recipe(name, listed, starch=len(cards)), cards)
        assert dish is not None
        return [item.what for item in dish.items if item.kind == "word"]

    assert named("TUNA on Bread", ingredient("tuna", starch=1), BREAD) == ["tuna", "bread"], (
        "case does not matter"
    )
    assert named("Bread or Breadcrumbs", BREAD) == ["bread"], "whole words only"
    assert named("Bread, Bread and more Bread", BREAD, BREAD) == ["bread"], "each word once a dish"
    assert named("Fish and Chips", ingredient("Salt and Vinegar", starch=1)) == [], "small words do not count"
    assert named("Bread and Butter", BREAD, listed="Bread") == [], "a word of the list does not count"
    assert named("Rye Toast", BREAD, listed="Rye Bread") == [], "nor one of several words of an entry"
    assert named("Sea Fish", ingredient("Hake", "Fish", starch=1)) == [], "a kind is no name"


def test_ruling_5_anything_but_letters_separates_words() -> None:
    assert words("Stir-Fry & Shepherd's Pie (two)") == ("stir", "fry", "shepherd's", "pie", "two")


def test_items_add_up_and_speak() -> None:
    dish = taste(SANDWICH, [TUNA, BREAD, MAYO, SALT, TRUFFLE])
    assert dish is not None
    assert dish.yum == sum(item.points for item in dish.items) == 9
    assert [item.line()["text"] for item in dish.items] == [
        "1 starch, 1 oil, 1 protein: +3",
        "Bread matches Bread +1",
        "Tuna matches Fish +1",
        "Mayo matches Mayo +1",
        'Tuna has the word "tuna" of the name +1',
        "Truffle adds a bonus of +2",
    ]


NAMES = ("Ash", "Bay", "Cod", "Dill")
SMALL = st.integers(0, 2)
SOME_UNITS = st.tuples(SMALL, SMALL, SMALL, SMALL, SMALL).filter(any)
INGREDIENTS = st.one_of(
    st.builds(
        lambda name, kinds, provides: Card(
            7, "x", name, "ingredient", provides, NONE, tuple(sorted(kinds)), (), 0, False
        ),
        st.sampled_from(NAMES),
        st.sets(st.sampled_from(NAMES)),
        SOME_UNITS,
    ),
    st.builds(
        lambda category, bonus: special("Spice", bonus, **{category: 1}),
        st.sampled_from(("oil", "protein")),
        st.integers(1, 3),
    ),
)


@given(st.lists(st.sampled_from(NAMES), max_size=4), st.lists(INGREDIENTS, max_size=5))
def test_matching_is_the_best_there_is(entries: list[str], cards: list[Card]) -> None:
    pairs = matching(entries, cards)
    assert len({i for i, _ in pairs}) == len({e for _, e in pairs}) == len(pairs)
    assert all(entries[e] in (cards[i].name, *cards[i].kinds) for i, e in pairs)
    padded = [*range(len(cards)), *[None] * len(entries)]
    best = max(
        sum(i is not None and entries[e] in (cards[i].name, *cards[i].kinds) for e, i in enumerate(chosen))
        for chosen in set(permutations(padded, len(entries)))
    )
    assert len(pairs) == best


@settings(max_examples=60)
@given(SOME_UNITS, st.lists(INGREDIENTS, max_size=8))
def test_servings_are_all_choices_that_meet_the_cost(cost: Units, cards: list[Card]) -> None:
    wanted = Card(1, "r", "Ash Cod", "recipe", NONE, cost, (), ("Bay",), 0, False)
    stock = [(10 + i, card) for i, card in enumerate(cards)]
    found = list(servings(cost, stock))
    brute = [
        tuple(10 + i for i in chosen)
        for size in range(len(cards) + 1)
        for chosen in combinations(range(len(cards)), size)
        if balance(wanted, [cards[i] for i in chosen]) == NONE
    ]
    assert sorted(found) == sorted(brute)
    for chosen in found:
        dish = taste(wanted, [cards[i - 10] for i in chosen])
        assert dish is not None
        assert dish.yum == yum(wanted, dish.ingredients)


def test_servings_give_up_after_so_many_steps() -> None:
    stock = [(i, BREAD) for i in range(12)]
    # Six units of starch from twelve breads: 12! / (6! 6!) = 924 choices.
    assert len(list(servings((6, 0, 0, 0, 0), stock))) == 924
    assert len(list(servings((6, 0, 0, 0, 0), stock, steps=100))) < 100

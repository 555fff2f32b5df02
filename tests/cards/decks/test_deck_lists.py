"""Legality of decks (rulings, chef 10): every fault at once, each with code, pointer and numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks.deck_lists import ADVISED_RECIPES, DeckFault, DeckList, faults, read, warnings

CATALOG = load()
LEGAL = DeckList(CATALOG.starters["trattoria"].counts)
SOME = next(iter(LEGAL.counts))


def changed(**counts: int) -> DeckList:
    """The legal deck, with some counts changed by slug."""
    return DeckList({**LEGAL.counts, **{CATALOG.by_slug(slug).number: n for slug, n in counts.items()}})


def codes(found: list[DeckFault]) -> list[str]:
    return [fault.code for fault in found]


@pytest.mark.parametrize("slug", [*CATALOG.starters])
def test_a_starter_is_legal_and_has_more_recipes_than_advised(slug: str) -> None:
    """More of a starter's first courses are filled that way (docs/balance.md)."""
    deck = DeckList(CATALOG.starters[slug].counts)
    assert len(deck) == DECK_SIZE
    assert faults(deck, CATALOG) == []
    assert faults(deck, CATALOG, owned=deck.counts) == []
    (warning,) = warnings(deck, CATALOG)
    assert warning.code == "advice_recipes"
    assert warning.data["recipes"] > ADVISED_RECIPES


def test_a_deck_that_keeps_the_advice_has_no_warning() -> None:
    cards = CATALOG.cards.values()
    recipes = [card.number for card in cards if card.is_recipe][:ADVISED_RECIPES]
    others = [card.number for card in cards if not card.is_recipe][: DECK_SIZE - ADVISED_RECIPES]
    deck = DeckList(dict.fromkeys([*recipes, *others], 1))
    assert faults(deck, CATALOG) == warnings(deck, CATALOG) == []


def test_exactly_forty_cards() -> None:
    """Rulings, chef 10."""
    for deck, n in ((DeckList({SOME: 1}), 1), (DeckList({}), 0), (changed(oats=1), 41)):
        (fault,) = faults(deck, CATALOG)
        assert (fault.code, fault.pointer) == ("deck_size", "")
        assert fault.data == {"cards": n, "exactly": 40}


def test_at_most_three_copies_basics_included() -> None:
    basics = [number for number, p in CATALOG.printings.items() if p.basic]
    deck = DeckList(dict.fromkeys(basics[:10], 4))
    found = faults(deck, CATALOG)
    assert codes(found) == ["too_many_copies"] * 10
    assert found[0].pointer == f"/{basics[0]}"
    assert found[0].data == {"number": basics[0], "copies": 4, "at_most": MOST_COPIES}
    assert codes(faults(DeckList(dict.fromkeys(basics[:13], 3) | {1106: 1}), CATALOG)) == []


def test_an_unknown_card() -> None:
    deck = DeckList(
        {number: n for number, n in LEGAL.counts.items() if number != SOME} | {999: LEGAL.counts[SOME]}
    )
    (fault,) = faults(deck, CATALOG)
    assert (fault.code, fault.pointer) == ("unknown_card", "/999")


@pytest.mark.parametrize("n", [0, -1])
def test_a_count_is_at_least_one(n: int) -> None:
    assert codes(faults(changed(oats=n), CATALOG)) == ["bad_count"]


def test_a_card_that_is_not_owned() -> None:
    owned = dict(LEGAL.counts)
    have = owned.pop(SOME) - 1
    owned[SOME] = have
    (fault,) = faults(LEGAL, CATALOG, owned)
    assert (fault.code, fault.pointer) == ("not_owned", f"/{SOME}")
    assert fault.data == {"number": SOME, "copies": have + 1, "owned": have, "missing": 1}
    assert codes(faults(LEGAL, CATALOG, owned={})) == ["not_owned"] * len(LEGAL.counts)


def test_every_fault_at_once() -> None:
    deck = DeckList({1001: 5, 1002: 0, 1003: 3, 4242: 7})
    found = faults(deck, CATALOG, owned={1001: 4}, pointer="/counts")
    assert [(fault.code, fault.pointer) for fault in found] == [
        ("deck_size", "/counts"),
        ("too_many_copies", "/counts/1001"),
        ("not_owned", "/counts/1001"),
        ("bad_count", "/counts/1002"),
        ("not_owned", "/counts/1003"),
        ("unknown_card", "/counts/4242"),
        ("too_many_copies", "/counts/4242"),
    ]
    assert all(fault.text.endswith(".") for fault in found)


def test_another_ratio_is_advised_against_but_legal() -> None:
    basics = [number for number, p in CATALOG.printings.items() if p.basic]
    deck = DeckList(dict.fromkeys(basics[:13], 3) | {1106: 1})
    assert faults(deck, CATALOG) == []
    (warning,) = warnings(deck, CATALOG)
    assert warning.code == "advice_recipes"
    assert warning.data == {"recipes": 1, "ingredients": 39, "advised": ADVISED_RECIPES}


def test_the_canonical_form() -> None:
    deck = DeckList({1125: 2, 1001: 1})
    assert [*deck.counts] == [1001, 1125]
    assert deck == DeckList({1001: 1, 1125: 2})
    assert hash(deck) == hash(DeckList({1001: 1, 1125: 2}))
    assert deck != DeckList({1001: 1})
    assert deck.numbers() == (1001, 1125, 1125)
    assert [card.slug for card in deck.cards(CATALOG)] == ["bread", "tuna-sandwich", "tuna-sandwich"]
    assert deck.to_json() == {"1001": 1, "1125": 2}
    with pytest.raises(AttributeError):
        deck.counts = {}
    with pytest.raises(TypeError):
        deck.counts[1001] = 3


def test_the_forty_cards_stand_in_order_of_number() -> None:
    """Protocol section 5: the certificate's order."""
    cards = LEGAL.cards(CATALOG)
    assert len(cards) == DECK_SIZE
    assert [card.number for card in cards] == sorted(LEGAL.numbers())


@given(st.dictionaries(st.integers(1, 2**31), st.integers(-3, 50)))
def test_its_json_form_reads_back(counts: dict[int, int]) -> None:
    deck = DeckList(counts)
    assert read(deck.to_json()) == (deck, [])


@pytest.mark.parametrize(
    ("data", "code", "pointer"),
    [
        (None, "bad_form", "/deck"),
        ([], "bad_form", "/deck"),
        ({"bread": 1}, "bad_number", "/deck/bread"),
        ({"01001": 1}, "bad_number", "/deck/01001"),
        ({"-1": 1}, "bad_number", "/deck/-1"),
        ({"": 1}, "bad_number", "/deck/"),
        ({"١": 1}, "bad_number", "/deck/١"),
        ({"a/b~c": 1}, "bad_number", "/deck/a~1b~0c"),
        ({1001: 1}, "bad_number", "/deck/1001"),
        ({"1001": "3"}, "bad_count", "/deck/1001"),
        ({"1001": 3.0}, "bad_count", "/deck/1001"),
        ({"1001": True}, "bad_count", "/deck/1001"),
        ({"1001": None}, "bad_count", "/deck/1001"),
    ],
)
def test_what_cannot_be_read_is_told(data: Any, code: str, pointer: str) -> None:
    deck, found = read(data, "/deck")
    assert deck == DeckList({})
    assert [(fault.code, fault.pointer) for fault in found] == [(code, pointer)]


def test_the_readable_part_is_kept() -> None:
    deck, found = read({"1001": 3, "x": 1, "1002": "y", "1003": 2})
    assert deck == DeckList({1001: 3, 1003: 2})
    assert codes(found) == ["bad_number", "bad_count"]

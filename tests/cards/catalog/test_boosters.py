"""The contents of boosters and their odds (docs/boosters.md, section 1)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.catalog.boosters import (
    Booster,
    BoosterError,
    booster_flaws,
    counted,
    draw,
    odds,
    of_set,
    read_booster,
)
from cards.catalog.card_sets import load
from cards.catalog.cards import RARITIES, Pity, Slot
from tests.paths import DOCS

BASE = of_set(load().sets[0])
assert BASE is not None
PRINTINGS = load().printings


def packs(booster: Booster, seed: int, count: int) -> list[tuple[int, ...]]:
    rng, since, found = Random(seed), 0, []
    for _ in range(count):
        pack = draw(booster, since, rng.randrange)
        since = counted(booster, since, pack)
        found.append(pack.cards)
    return found


def rarities(cards: tuple[int, ...]) -> Counter[str]:
    return Counter(PRINTINGS[card].rarity for card in cards)


def test_a_booster_of_the_base_set_is_five_two_and_one_and_no_card_twice() -> None:
    for cards in packs(BASE, 1, 500):
        found = rarities(cards)
        assert (found["common"], found["uncommon"]) == (5, 2)
        assert found["rare"] + found["legendary"] == 1
        assert len({*cards}) == 8
        assert not any(PRINTINGS[card].basic or PRINTINGS[card].retired for card in cards)


def test_a_legendary_comes_at_the_latest_in_the_twentieth() -> None:
    gaps, gap = Counter[int](), 0
    for cards in packs(BASE, 2, 20_000):
        gap += 1
        if rarities(cards)["legendary"]:
            gaps[gap], gap = gaps[gap] + 1, 0
    assert max(gaps) == 20
    # The share of cards that come with the twentieth booster, after nineteen without one by the weights.
    share = gaps[20] / gaps.total()
    assert abs(share - (7 / 8) ** 19) < 4 * ((7 / 8) ** 19 / gaps.total()) ** 0.5


def test_the_published_odds_are_what_comes() -> None:
    """Each card of 30,000 boosters is within some standard deviations of its odds."""
    count = 30_000
    alone = replace(BASE, pity=None)
    cards = Counter(card for pack in packs(alone, 3, count) for card in pack)
    for found in odds(BASE):
        for card in BASE.cards[found.rarity]:
            expected = float(found.each * count)
            assert abs(cards[card] - expected) < 4.5 * expected**0.5, card
    legendary = odds(BASE)[-1]
    assert (legendary.rarity, legendary.chance, legendary.each) == (
        "legendary",
        Fraction(1, 8),
        Fraction(1, 48),
    )
    assert legendary.with_pity is not None
    came = sum(bool(rarities(pack)["legendary"]) for pack in packs(BASE, 4, count))
    expected = float(legendary.with_pity) * count
    assert abs(came - expected) < 4 * expected**0.5
    assert 0.134 < float(legendary.with_pity) < 0.135


def test_what_the_pity_counter_gives_takes_no_draw() -> None:
    asked: list[int] = []

    def below(n: int) -> int:
        asked.append(n)
        return 0

    draw(BASE, 0, below)
    # The number of choices of each draw: five of 175 commons without repeats, two of 94 uncommons,
    # the weights 7 + 1 of the last slot, one of 31 rares.
    assert asked == [175, 174, 173, 172, 171, 94, 93, 8, 31]
    asked.clear()
    pack = draw(BASE, 19, below)
    # The pity counter replaces the last two draws by one of six legendaries.
    assert asked == [175, 174, 173, 172, 171, 94, 93, 6]
    assert pack.pity
    assert counted(BASE, 19, pack) == 0


@st.composite
def boosters(maker: Any) -> Booster:
    """Any booster that can be filled."""
    named = maker(st.lists(st.sampled_from(RARITIES), min_size=1, max_size=4, unique=True))
    shapes = st.tuples(
        st.integers(1, 4), st.dictionaries(st.sampled_from(named), st.integers(1, 9), min_size=1)
    )
    slots = tuple(
        Slot(count, tuple((r, weights[r]) for r in RARITIES if r in weights))
        for count, weights in maker(st.lists(shapes, min_size=1, max_size=4))
    )
    used = [r for r in RARITIES if any(r in dict(slot.weights) for slot in slots)]
    cards, first = {}, 1
    for rarity in used:
        size = sum(s.count for s in slots if rarity in dict(s.weights)) + maker(st.integers(0, 5))
        cards[rarity], first = tuple(range(first, first + size)), first + size
    pity = maker(st.none() | st.builds(Pity, st.sampled_from(used), st.integers(1, 5)))
    return Booster("XX", slots, pity, MappingProxyType(cards))


@given(booster=boosters(), seed=st.integers(0, 2**32), since=st.integers(0, 6))
def test_every_booster_is_filled_from_its_rarities(booster: Booster, seed: int, since: int) -> None:
    assert [*booster_flaws(booster)] == []
    assert read_booster(booster.json()) == booster
    pack = draw(booster, since, Random(seed).randrange)
    assert len({*pack.cards}) == len(pack.cards) == sum(slot.count for slot in booster.slots)
    rarity_of = {card: rarity for rarity, cards in booster.cards.items() for card in cards}
    at = iter(pack.cards)
    for slot in booster.slots:
        for _ in range(slot.count):
            assert rarity_of[next(at)] in dict(slot.weights)
    if booster.pity is not None:
        came = any(rarity_of[card] == booster.pity.rarity for card in pack.cards)
        assert pack.pity == came
        assert came or since + 1 < booster.pity.within
        assert counted(booster, since, pack) == (0 if came else since + 1)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"set": ""}, "/set"),
        ({"slots": []}, "/slots"),
        ({"slots": [{"count": 0, "weights": {"common": 1}}]}, "/slots/0/count"),
        ({"slots": [{"count": 1, "weights": {}}]}, "/slots/0/weights"),
        ({"slots": [{"count": 1, "weights": {"common": True}}]}, "/slots/0/weights/common"),
        ({"slots": [{"count": 1, "weights": {"epic": 1}}]}, "/slots/0/weights"),
        ({"slots": [{"count": 99, "weights": {"legendary": 1}}]}, "/slots"),
        ({"pity": {"rarity": "legendary"}}, "/pity"),
        ({"pity": {"rarity": "epic", "within": 3}}, "/pity/rarity"),
        ({"pity": {"rarity": "rare", "within": 0}}, "/pity/within"),
        ({"cards": {}}, "/slots"),
        ({"cards": []}, "/cards"),
        ({"more": 1}, ""),
    ],
)
def test_what_can_not_be_opened_is_not_read(change: dict[str, Any], field: str) -> None:
    with pytest.raises(BoosterError) as refused:
        read_booster(BASE.json() | change)
    assert refused.value.field == field


@pytest.mark.parametrize("common", [[1002, 1001], [1001, 1001], [1001.0], [0], ["1001"], [1047]])
def test_cards_ascend_and_have_one_rarity(common: list[Any]) -> None:
    """1047, Saffron, is rare."""
    data = BASE.json()
    data["cards"]["common"] = data["cards"]["common"][-8:] + common if common == [1047] else common
    data["cards"]["common"].sort() if common == [1047] else None
    with pytest.raises(BoosterError):
        read_booster(data)


def test_the_page_says_the_odds_of_the_base_set() -> None:
    page = (DOCS / "boosters.md").read_text(encoding="utf-8")
    for found in odds(BASE):
        each = f"{found.each.numerator} in {found.each.denominator}"
        assert f"| {found.rarity} | {len(BASE.cards[found.rarity])} | {found.expected} | {each} |" in page
    share = odds(BASE)[-1].with_pity
    assert share is not None
    assert f"it is {float(share):.2%}".removesuffix("%") in " ".join(page.split())

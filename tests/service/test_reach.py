"""How far away cards are that a player lacks: in coins, in boosters, in wins."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

import pytest

from cards.catalog.deck_rules import MOST_COPIES
from service.operations import reach
from service.operations.reach import Way
from service.runtime import Runtime
from tests.service.service_kit import Guest
from tests.service.trade_kit import enrich

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def worths(items: list[dict[str, Any]]) -> list[tuple[int, float]]:
    """What each suggestion gains: without a win, for each win, or where no number of wins brings the card."""
    found = []
    for item in items:
        gain, wins = item["gain"]["mean"], item["way"]["wins"]
        found.append((0, gain) if wins is None else (2, gain) if wins == 0 else (1, gain / wins))
    return found


@ONE
def test_beyond_what_is_owned_cards_come_with_their_way(ann: Guest, bob: Guest, house: Runtime) -> None:
    deck = ann.get("/decks").json["items"][0]
    starter, cards = deck["id"], deck["cards"]
    found = ann.get(f"/decks/{starter}/suggestions?beyond=true").json
    assert found["items"] == []  # all that is owned is in the deck
    assert 1 <= len(found["beyond"]) <= 6
    assert len({item["add"] for item in found["beyond"]}) == len(found["beyond"])
    assert worths(found["beyond"]) == sorted(worths(found["beyond"]), reverse=True)
    for item in found["beyond"]:
        numbers = {slug: house.catalog.by_slug(slug).number for slug in (item["add"], *item["alike"])}
        assert not any(house.catalog.printings[number].retired for number in numbers.values())
        assert cards.get(item["add"], 0) < MOST_COPIES
        with house.read() as session:
            ways = reach.ways(house, session, ann.id, numbers.values())
        assert ways[numbers[item["add"]]].order == min(way.order for way in ways.values())
        assert item["way"]["wins"] == ways[numbers[item["add"]]].wins
    first = next(item for item in found["beyond"] if item["way"]["how"] != "free")
    slug = (first["alike"] or [first["add"]])[-1]
    enrich(house, bob, **{slug.replace("-", "_"): 1})
    bob.post("/offers", {"gives": {"cards": {slug: 1}}, "wants": {"coins": 12}})
    again = ann.get(f"/decks/{starter}/suggestions?beyond=true").json["beyond"]
    offered = next(item for item in again if item["add"] == slug)
    assert (offered["way"]["how"], offered["way"]["coins"], offered["way"]["wins"]) == ("offer", 12, 2)
    assert {offered["add"], *offered["alike"]} == {first["add"], *first["alike"]}


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_what_gains_most_for_a_win_comes_first(kind: str) -> None:
    def way(wins: int | None) -> Way:
        return Way(1, None if wins is None else "offer", None, (), Fraction(0), wins)

    best_first = [
        (0.5, way(0)),
        (0.1, way(0)),
        (0.3, way(1)),
        (1.0, way(5)),
        (1.9, way(40)),
        (9.0, way(None)),
    ]
    worst_first = best_first[::-1]
    assert sorted(worst_first, key=lambda pair: reach.order_of(*pair)) == best_first


def test_a_way_is_as_long_as_its_wins(ann: Guest, bob: Guest, house: Runtime) -> None:
    caviar, saffron, salt = (house.catalog.by_slug(slug).number for slug in ("caviar", "saffron", "salt"))
    chances = {
        number: odds["each"]
        for rules in ann.get("/boosters/odds").json["items"]
        for odds in rules["odds"]
        for number in rules["rules"]["cards"][odds["rarity"]]
    }

    def way(card: int) -> tuple[str | None, int | None, int | None]:
        with house.read() as session:
            found = reach.ways(house, session, ann.id, [card])[card]
        assert float(found.chance) == pytest.approx(chances.get(card, 0))
        return found.how, found.coins, found.wins

    def settle(**settings: Any) -> None:
        object.__setattr__(house, "settings", replace(house.settings, **settings))

    assert way(salt) == ("free", None, 0)
    # A win brings 10 of a booster's 50 coins, and a third of a booster: 8 boosters in 15 wins.
    boosters = ceil(Fraction(1) / Fraction(chances[caviar]).limit_denominator(10_000) / Fraction(8, 15))
    assert way(caviar) == ("boosters", None, boosters)
    enrich(house, bob, saffron=1, caviar=2)
    for gives, coins in (({"saffron": 1}, 45), ({"caviar": 2}, 50), ({"caviar": 1}, 5000)):
        bob.post("/offers", {"gives": {"cards": gives}, "wants": {"coins": coins}})
    assert way(saffron) == ("offer", 45, 5)
    assert way(caviar) == ("offer", 50, 5)  # the cheapest offer brings two
    enrich(house, ann, coins=36)
    assert way(saffron) == ("offer", 45, 1)
    enrich(house, ann, coins=9)
    assert way(saffron) == ("offer", 45, 0)
    settle(reward_coins=())
    assert way(caviar) == (None, 50, None)  # nothing can be won, and 45 coins are too few

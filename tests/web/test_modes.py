"""The classic games in the page, in Chromium at a real house: played to their ends, verified, replayed."""

from __future__ import annotations

from typing import Any

import pytest

from client.http import Api
from tests.stack import Stack
from tests.web.site_kit import flow

MODES = ("flip", "hearts", "cribbage", "big-c")


@pytest.fixture(scope="module")
def played(house: Stack) -> dict[str, Any]:
    """What the flow saw: on a phone in German flip and cribbage, on a desktop in English the others."""
    found: dict[str, Any] = flow("modes", house.url)
    return found


def test_nothing_goes_wrong_in_the_page(played: dict[str, Any]) -> None:
    assert played["faults"] == []
    assert set(played["games"]) == set(MODES)


def test_the_form_offers_who_may_deal_as_the_house_does(house: Stack, played: dict[str, Any]) -> None:
    """Three of the games were played without a dealer, cribbage with one."""
    with Api(house.url) as api:
        options = {mode["name"]: mode["options"] for mode in api.modes()}
    dealers = {
        mode: next((option["choices"] for option in options[mode] if option["name"] == "dealer"), [])
        for mode in MODES
    }
    assert {mode: game["dealers"] for mode, game in played["games"].items()} == dealers
    assert all("nobody" in names for names in dealers.values())


@pytest.mark.parametrize("mode", MODES)
def test_a_game_is_played_to_its_end(played: dict[str, Any], mode: str) -> None:
    """Hearts has no short match: its player resigns after a round."""
    game = played["games"][mode]
    assert game["moves"] > 0
    assert game["accounts"] > 0
    assert game["over"]


@pytest.mark.parametrize("mode", MODES)
def test_everything_on_the_table_is_in_words_and_fits(played: dict[str, Any], mode: str) -> None:
    """No code, no empty place of a text, no number of a seat; and nothing to scroll sideways."""
    game = played["games"][mode]
    assert (game["unsaid"], game["wide"]) == ([], False)


@pytest.mark.parametrize("mode", MODES)
def test_a_game_is_verified_and_replayed_in_the_page(played: dict[str, Any], mode: str) -> None:
    after = played["games"][mode]["after"]
    assert after["verdict"]
    assert after["ended"]
    assert (after["told"], after["wide"]) == ([], False)

"""Visits in the page, in Chromium at a real house: signing in, an invitation, watching, a trade."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.client.guests import PASSPHRASE, Guest
from tests.stack import Stack
from tests.web.site_kit import flow

TWO_MINUTES = 120_000


@pytest.fixture(scope="module")
def seen(house: Stack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the flow saw: two players come with their files, one is new, and one is nobody."""
    folder = tmp_path_factory.mktemp("players")
    anne, ben = (Guest.register(house.url, folder / name, i) for i, name in enumerate(("anne", "ben")))
    rare = next(card for card in anne.api.cards() if card["rarity"] == "rare")
    slug = rare["slug"]
    _grant(house, anne, "--card", f"{slug}=1", "--coins", "1")
    _grant(house, ben, "--coins", "20")
    visitors = {"anne": _visitor(anne, folder / "anne.json"), "ben": _visitor(ben, folder / "ben.json")}
    found: dict[str, Any] = flow("visits", house.url, **visitors, card={"slug": slug, "name": rare["name"]})
    owned = [sum(not copy["soulbound"] for copy in guest.api.copies(slug)) for guest in (anne, ben)]
    return {**found, "owned": owned, "handles": [guest.vault.identity.handle for guest in (anne, ben)]}


def _grant(house: Stack, guest: Guest, *gift: str) -> None:
    process = house.run("admin", "grant", guest.vault.identity.handle, *gift)
    assert process.popen.wait(60) == 0, process.text()


def _visitor(guest: Guest, file: Path) -> dict[str, str]:
    guest.vault.export(file)
    return {"handle": guest.vault.identity.handle, "file": str(file), "passphrase": PASSPHRASE}


def test_nothing_goes_wrong_and_everything_is_in_words(seen: dict[str, Any]) -> None:
    assert seen["faults"] == []
    assert (seen["unsaid"], seen["wide"]) == ([], [])


def test_a_fresh_profile_is_signed_in_by_the_file(seen: dict[str, Any]) -> None:
    assert seen["files"] == seen["handles"]


def test_a_fresh_profile_is_signed_in_by_handle_and_words(seen: dict[str, Any]) -> None:
    """Wrong words are refused in the page's language."""
    assert seen["words"] == {"refused": True, "handle": "newcomer"}


def test_a_private_table_is_joined_by_its_link_alone(seen: dict[str, Any]) -> None:
    assert not seen["listed"]
    assert seen["together"]
    assert seen["won"]


def test_a_newcomer_is_in_a_first_match_within_two_minutes(seen: dict[str, Any]) -> None:
    """From the first sight of the page to six cards of a real match: the taught round, a name, a deck."""
    assert seen["first_match_ms"] < TWO_MINUTES


def test_somebody_who_is_not_signed_in_watches_a_game_to_its_end(seen: dict[str, Any]) -> None:
    assert seen["watched"] == {"seats": 2, "hands": 0, "ended": True}


def test_a_trade_is_made_and_accepted_in_the_page(seen: dict[str, Any]) -> None:
    assert seen["traded"]
    assert seen["owned"] == [0, 1]

"""Tables that ask for a format: which decks may be brought there, and when that is seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from werkzeug.test import TestResponse

from cards.decks import formats
from cards.decks.deck_lists import DeckList
from cards.decks.formats import Format
from service.models import GameSeat
from service.runtime import Runtime
from tests.service.match_kit import deck_id, sit_down
from tests.service.rematch_kit import over
from tests.service.service_kit import Guest, app_of, codes

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
HOME = "home-cooking"


def keeps(house: Runtime, name: str = HOME) -> dict[str, bool]:
    """Return the starter decks that keep a format."""
    by = house.formats[name]
    starters = house.catalog.starters.items()
    return {slug: not formats.faults(DeckList(found.counts), house.catalog, by) for slug, found in starters}


@pytest.fixture
def fitting(house: Runtime) -> str:
    """A starter deck that keeps home-cooking."""
    return next(slug for slug, good in keeps(house).items() if good)


@pytest.fixture
def unfit(house: Runtime) -> str:
    """One that does not."""
    return next(slug for slug, good in keeps(house).items() if not good)


def opened(guest: Guest, **more: Any) -> Any:
    """The answer to a table of chef that asks for home-cooking."""
    return guest.post("/tables", {"mode": "chef", "deck": deck_id(guest), "format": HOME, **more})


def again(house: Runtime, guest: Guest, **known: Format | None) -> Guest:
    """The guest at the house as it is when it is opened again, with some formats changed or taken away."""
    found = {**house.formats, **{name.replace("_", "-"): by for name, by in known.items()}}
    other = replace(house)
    other._files.__dict__["formats"] = MappingProxyType({n: by for n, by in found.items() if by is not None})
    return replace(guest, client=app_of(other).test_client())


def test_only_a_deck_of_the_format_is_brought(
    house: Runtime, seat: Callable[..., Guest], fitting: str, unfit: str
) -> None:
    ann, bob, cleo = seat("ann", fitting), seat("bob", unfit), seat("cleo", fitting)
    refused = opened(bob)
    assert (refused.status_code, refused.json["code"]) == (422, "deck_illegal")
    assert refused.json["errors"]
    for fault in refused.json["errors"]:
        assert fault["rules"] == HOME
        assert fault["code"] in ("rarity_not_allowed", "too_many_of_rarity")
        assert fault["pointer"].startswith("/cards")
    assert bob.get("/tables").json["items"] == []

    table = opened(ann)
    assert (table.status_code, table.json["format"]) == (201, HOME)
    assert [each["format"] for each in bob.get("/tables").json["items"]] == [HOME]
    path = f"/tables/{table.json['id']}"
    late = bob.post(f"{path}/join", {"deck": deck_id(bob)})
    assert late.json["errors"] == refused.json["errors"]
    assert "Home Cooking" in late.json["detail"]
    assert bob.get(path).json["seats"][1] is None
    begun = cleo.post(f"{path}/join", {"deck": deck_id(cleo)}).json
    assert (begun["state"], begun["format"]) == ("playing", HOME)


@ON_SQLITE
def test_a_deck_that_is_wrong_in_many_ways_is_told_all_of_them(house: Runtime, ann: Guest) -> None:
    deck = ann.post("/decks", {"name": "Bad", "cards": {"caviar": 4}}).json["id"]
    refused = opened(ann, deck=deck)
    assert {(fault.get("rules"), fault["code"]) for fault in refused.json["errors"]} == {
        (None, "deck_size"),
        (None, "too_many_copies"),
        (None, "not_owned"),
        (HOME, "rarity_not_allowed"),
        (HOME, "restricted_card"),
    }
    assert refused.json["detail"] == "No match can be played with this deck."


@ON_SQLITE
@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"format": "nonsuch"}, ("unknown_format", "/format")),
        ({"format": ""}, ("unknown_format", "/format")),
        ({"format": "basic"}, ("unknown_format", "/format")),
        ({"format": 7}, ("invalid", "/format")),
        ({"mode": "hearts"}, ("no_own_deck", "/format")),
        ({"format": "one-of-each", "bots": ["greedy"]}, ("no_bot_deck", "/format")),
    ],
)
def test_what_can_not_be_asked_for_is_said(ann: Guest, body: dict[str, Any], fault: tuple[str, str]) -> None:
    answer = opened(ann, **body)
    assert (answer.status_code, codes(answer)) == (422, [fault])
    assert ann.get("/tables").json["items"] == []


@ON_SQLITE
def test_without_a_format_any_legal_deck_will_do(seat: Callable[..., Guest], unfit: str) -> None:
    table = opened(seat("bob", unfit), format=None)
    assert (table.status_code, table.json["format"]) == (201, None)


@ON_SQLITE
def test_bots_bring_decks_of_the_format(house: Runtime, seat: Callable[..., Guest], fitting: str) -> None:
    """Other than without a format, where the second starter deck is the first bot's."""
    ann = seat("ann", fitting)
    allowed = {slug for slug, good in keeps(house).items() if good}
    for number in range(2):
        table = opened(ann, bots=["greedy"]).json
        with house.read() as session:
            brought = session.get_one(GameSeat, (table["game"], 1)).cards
        found = {
            s for s, deck in house.catalog.starters.items() if DeckList(deck.counts).to_json() == brought
        }
        assert found, number
        assert found <= allowed


@ON_SQLITE
def test_a_rematch_asks_for_the_format_again(
    house: Runtime, clock: list[int], seat: Callable[..., Guest], fitting: str, unfit: str
) -> None:
    ann, bob = seat("ann", fitting), seat("bob", fitting)
    match = over(sit_down(house, clock, [ann, bob], seed=34, format=HOME))
    path = f"/games/{match.id}/rematch"
    counts = house.catalog.starters[unfit].counts
    other = bob.post("/decks", {"name": "U", "cards": {str(n): k for n, k in counts.items()}}).json["id"]
    made = ann.post(path, {"deck": deck_id(ann)}).json
    assert made["format"] == HOME
    refused = bob.post(path, {"deck": other})
    assert (refused.status_code, refused.json["code"]) == (422, "deck_illegal")
    assert HOME in {fault.get("rules") for fault in refused.json["errors"]}
    gone = again(house, bob, home_cooking=None).post(path, {"deck": deck_id(bob)})
    assert (gone.status_code, gone.json["code"]) == (409, "format_gone")
    assert ann.delete(f"/tables/{made['id']}").status_code == 204
    gone = again(house, bob, home_cooking=None).post(path, {"deck": deck_id(bob)})
    assert (gone.status_code, gone.json["code"]) == (409, "no_rematch")


@ON_SQLITE
def test_a_table_waits_while_its_format_becomes_another(house: Runtime, ann: Guest, bob: Guest) -> None:
    """A player who comes is not told what is wrong with the other's deck: the table is closed."""
    path = f"/tables/{opened(ann, format='open').json['id']}"
    joined = again(house, bob, open=None).post(f"{path}/join", {"deck": deck_id(bob)})
    assert (joined.status_code, joined.json["code"]) == (409, "format_gone")
    assert bob.get(path).json["state"] == "open"

    theirs, ours = (house.catalog.starters[slug].counts for slug in ("trattoria", "night-market"))
    banned = formats.Restriction(0, "No more.")

    def join(number: int) -> TestResponse:
        """Join a table where this card is banned by now."""
        stricter = replace(house.formats["open"], restricted={number: banned})
        return again(house, bob, open=stricter).post(f"{path}/join", {"deck": deck_id(bob)})

    refused = join(min(ours))
    assert (refused.status_code, refused.json["code"]) == (422, "deck_illegal")
    assert bob.get(path).json["state"] == "open"
    refused = join(min(theirs.keys() - ours.keys()))
    assert (refused.status_code, refused.json["code"]) == (409, "table_cancelled")
    assert "errors" not in refused.json
    assert bob.get(path).json["state"] == "cancelled"

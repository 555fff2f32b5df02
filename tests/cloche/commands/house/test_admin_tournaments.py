"""`cloche admin tournaments`: the operator directs, the players read why, and the log says so."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from service.runtime import Runtime
from tests.cloche.here_kit import run_admin
from tests.service.conftest import ann, app, bob, seat
from tests.service.service_kit import Guest, give_coins
from tests.service.tournament_kit import created, entered, look, matches, state

__all__ = ["ann", "app", "bob", "seat"]
pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
WHY = ("--reason", "It rains.")


def directed(house: Runtime, *arguments: str, code: int = 0) -> str:
    return run_admin(house, "tournaments", *arguments, code=code)


@pytest.fixture(autouse=True)
def _now(clock: list[int]) -> None:
    """A command reads the machine's clock, so the house of the test is of today, and a little later."""
    clock[0] = int(time.time() * 1000) + 600_000


@pytest.fixture
def cup(house: Runtime, ann: Guest, bob: Guest, seat: Callable[..., Guest]) -> str:
    """A tournament of ann's for a fee, which bob, cleo and dora have entered."""
    people = [bob, seat("cleo"), seat("dora")]
    for guest in people:
        give_coins(house, guest.id, 10)
    found = created(ann, fee=10, prizes=[100], rounds=1)
    entered(found, people)
    return found


def test_tournaments_are_listed_and_shown(house: Runtime, cup: str) -> None:
    listed = directed(house, "list")
    for word in (cup, "Cup", "swiss", "open", "3/", "Ann"):
        assert word in listed
    assert "no such tournament" in directed(house, "list", "--state", "over")
    shown = directed(house, "show", cup)
    for word in ("directed by Ann", "Fee 10, added 0; prizes 100 %", "bob", "cleo", "dora"):
        assert word in shown
    assert "Round" not in shown
    assert "not_found" in directed(house, "show", "nothing", code=1)


def test_a_tournament_is_started_and_corrected_to_its_end(
    house: Runtime, ann: Guest, bob: Guest, cup: str
) -> None:
    assert "The workers start it now." in directed(house, "start", cup)
    look(house)
    assert state(ann, cup)["state"] == "running"
    assert "tournament_closed" in directed(house, "start", cup, code=1)
    found = next(each for each in matches(ann, cup, 1) if each["second"] is not None)
    shown = directed(house, "show", cup, "--round", "1")
    assert found["game"] in shown
    board = str(found["board"])
    said = directed(house, "correct", cup, "1", board, "second", *WHY)
    assert said == f"{found['first']} against {found['second']}: second.\n"
    assert "It rains." in directed(house, "show", cup)
    look(house)
    look(house)
    ended = state(ann, cup)
    assert ended["state"] == "over"
    first = ann.get(f"/tournaments/{cup}/standings").json["items"]
    assert sum(each["prize"] for each in first) == 30
    acts = json.loads(run_admin(house, "acts", "--json"))
    assert [(act["kind"], act["by"]) for act in acts] == [("match_ruled", "operator")]
    assert acts[0]["details"]["reason"] == WHY[1]
    told = [e["data"] for e in bob.get("/feed").json["events"] if e["event"] == "tournament.ruled"]
    assert all(each["reason"] == WHY[1] for each in told)


def test_players_are_taken_out_and_in_and_a_cancelled_one_gives_everything_back(
    house: Runtime, ann: Guest, bob: Guest, cup: str
) -> None:
    directed(house, "start", cup)
    look(house)
    assert directed(house, "drop", cup, "bob", *WHY) == "bob is out.\n"
    assert "It rains. (round 1)" in directed(house, "show", cup)
    assert directed(house, "restore", cup, "bob", *WHY) == "bob takes part again.\n"
    assert "It rains." not in directed(house, "show", cup)
    before = bob.get("/wallet").json["coins"]
    assert "everything is given back" in directed(house, "cancel", cup, *WHY)
    assert "It was cancelled: It rains." in directed(house, "show", cup)
    assert bob.get("/wallet").json["coins"] == before + 10
    acts = [act["kind"] for act in json.loads(run_admin(house, "acts", "--json"))]
    assert acts == ["tournament_cancelled", "player_restored", "player_dropped"]

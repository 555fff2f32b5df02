"""Tournaments at the terminal, from the creation to the standings."""

from __future__ import annotations

import re

import pytest

from service.operations import tournaments
from tests.client.guests import Guest
from tests.cloche.here_kit import House, Newcomer


@pytest.fixture
def people(newcomer: Newcomer) -> list[Guest]:
    """A director and two players."""
    return [newcomer() for _ in range(3)]


def _run(here: House, guest: Guest, *arguments: str) -> str:
    done = here.run("tournaments", *arguments, home=guest.folder)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_tournament_from_creation_to_standings(here: House, people: list[Guest]) -> None:
    director, one, other = people
    assert "There is no such tournament" in here.run("tournaments", "list", "--mine", home=one.folder).stderr
    made = _run(here, director, "create", "Friday Cup", "elimination", "big-c", "--pause", "0")
    assert made.startswith("Friday Cup: Big C, elimination, open.")
    found = re.search(r"Tournament ([0-9a-f-]{36})\.", made)
    assert found is not None
    cup = found[1]
    assert cup in _run(here, one, "list", "--state", "open")
    for guest in (one, other):
        assert _run(here, guest, "enter", cup) == "You take part in Friday Cup.\n"
    assert "No round is paired yet" in here.run("tournaments", "round", cup, home=one.folder).stderr
    assert _run(here, other, "leave", cup) == "You no longer take part.\n"
    assert "You have not entered it." in _run(here, other, "show", cup)
    _run(here, other, "enter", cup)
    assert _run(here, director, "start", cup) == "The house starts it now.\n"
    tournaments.advance(here.runtime, cup)
    shown = _run(here, one, "show", cup)
    assert re.search(r"`cloche play --game [0-9a-f-]{36}` plays it\.", shown), shown
    refused = here.run("tournaments", "rule", cup, "1", "1", "first", "--reason", "x", home=one.folder)
    assert (refused.exit_code, "[not_director]" in refused.stderr) == (1, True), refused.output
    ruled = _run(here, director, "rule", cup, "1", "1", "first", "--reason", "Both say so.")
    first, second = one.api.me()["handle"], other.api.me()["handle"]
    assert ruled == f"{first} against {second}, 1 : 0.\n"
    tournaments.advance(here.runtime, cup)
    listed = _run(here, one, "round", cup)
    assert "1 : 0 *" in listed
    assert "set by hand: Both say so." in listed
    rows = [line.split() for line in _run(here, other, "standings", cup).splitlines()[1:]]
    assert [(row[0], row[1], row[2]) for row in rows] == [("1", first, "1"), ("2", second, "0")]


def test_a_cancelled_tournament_says_why(here: House, people: list[Guest]) -> None:
    director, one, _ = people
    made = _run(here, director, "create", "Cup", "swiss", "flip", "--late", "1", "--rounds", "3")
    cup = re.search(r"Tournament (\S+)\.", made)
    assert cup is not None
    _run(here, one, "enter", cup[1])
    handle = str(one.api.me()["handle"])
    assert _run(here, director, "drop", cup[1], handle, "--reason", "x") == f"{handle} is out.\n"
    _run(here, director, "cancel", cup[1], "--reason", "No power.")
    assert "It was cancelled: No power." in _run(here, one, "show", cup[1])
    bad = here.run("tournaments", "create", "Cup", "swiss", "flip", "--prizes", "x", home=one.folder)
    assert bad.exit_code == 2

"""Commands at a house without the base set: they go by the sets that are there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from click.testing import Result

from bots import contest
from cards.catalog import card_sets
from client.http import Api
from cloche.commands.errors import CommandError
from cloche.commands.play import demo
from service.runtime import Runtime
from tests.cards.catalog.other_sets import other_sets
from tests.cloche.here_kit import House, quietly


@pytest.fixture
def kind() -> str:
    """No word of SQL is spoken here."""
    return "sqlite"


Run = Callable[..., Result]


@contextmanager
def at(house: Runtime, home: Path) -> Iterator[Run]:
    """`run("boosters", "buy")` as somebody there."""
    here = House(house)
    with quietly():
        yield partial(here.run, home=home, environment={"CLOCHE_HOUSE": here.url})


def test_one_registers_where_there_is_no_starter_deck(house: Runtime, tmp_path: Path) -> None:
    bare = replace(house, catalog=other_sets(tmp_path, whole=False))
    with at(bare, tmp_path / "home") as run:
        refused = run("register", "ada", "--starter", "trattoria")
        assert (refused.exit_code, "[unknown_starter]" in refused.output) == (1, True), refused.output
        registered = run("register", "ada")
        assert registered.exit_code == 0, registered.output
        assert re.search(r"You are registered at http://127.0.0.1:\d+\.\n", registered.output)
        for command in ("buy", "odds"):
            assert "[no_boosters]" in run("boosters", command).output
        assert "[no_deck]" in run("tables", "open", "chef").output


def test_boosters_are_of_the_set_that_is_there(house: Runtime, tmp_path: Path) -> None:
    whole = replace(house, catalog=other_sets(tmp_path, whole=True))
    with at(whole, tmp_path / "home") as run:
        registered = run("register", "ada")
        assert "with Other Start" in registered.output, registered.output
        assert "[too_few_coins]" in run("boosters", "buy").output
        assert "[no_boosters]" in run("boosters", "buy", "PB").output


def test_the_demo_says_where_there_are_no_decks_to_play_with(house: Runtime, tmp_path: Path) -> None:
    bare = replace(house, catalog=other_sets(tmp_path, whole=False))
    here = House(bare)
    with Api(here.url, transport=here.transport) as api:
        with pytest.raises(CommandError, match="no starter deck"):
            demo._guests(api, "chef", tmp_path, b"", Random(1))
        guests = demo._guests(api, "hearts", tmp_path, bare.keys.public, Random(1))
        assert {guest.deck for guest in guests} == {None}


def test_no_contest_is_played_without_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(dict.fromkeys(one.mode for one in contest.fields(["chef", "hearts"]))) == ["chef", "hearts"]
    bare = other_sets(tmp_path, whole=False)
    monkeypatch.setattr(card_sets, "load", lambda: bare)
    assert {one.mode for one in contest.fields(["chef", "hearts"])} == {"hearts"}

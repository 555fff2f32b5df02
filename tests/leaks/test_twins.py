"""The house sends a player nothing that this player may not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from flask import Response
from sqlmodel import Session, select

from cards.games import names as mode_names
from crypto.encoding import canonical
from service.models import GameSeat
from service.operations import games, watching
from service.web import context, requests
from tests.leaks import twins
from tests.leaks.compare import differences
from tests.leaks.twins import Script, play
from tests.leaks.twins_big_c import BIG_C
from tests.leaks.twins_cribbage import CRIBBAGE
from tests.leaks.twins_dealerless import DEALERLESS, HiddenHands
from tests.leaks.twins_flip import FLIP
from tests.leaks.world import template

pytestmark = pytest.mark.slow

TWINS = {**twins.TWINS, **FLIP, **CRIBBAGE, **BIG_C, **DEALERLESS}
USUAL = {
    "chef: a whole deck": 8,
    "chef: a sealed meal": 4,
    "hearts: other hands": 6,
    "flip: hands, pile and card backs": 6,
    "cribbage: what is laid away": 4,
    "big-c: a card drawn": 8,
    "hearts: hands that nobody has dealt": 30,
    "cribbage: a crib that nobody has dealt": 40,
    "flip: hands that nobody has dealt": 40,
    "big-c: hands that nobody has dealt": 40,
}
"""Played in every run, each mode at least once: after how many messages those who remember nothing look."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with today's tables."""
    return template(tmp_path_factory.mktemp("tables"))


@dataclass(frozen=True, slots=True)
class Compared:
    """Two twins that were played and compared."""

    told_apart_by: Sequence[str]
    """What the observer can tell them apart by, and listed differences that are none."""
    swapped: tuple[int, int] | None
    """The two positions whose cards differ, of twins that nobody deals."""
    hands: Sequence[Mapping[int, Any]]
    """The hands of the two, of twins that nobody deals."""


def compared(
    name: str, tables: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, every: int | None = None
) -> Compared:
    """Play two twins, and compare what the observer was sent."""
    twin, script, used = TWINS[name](folder / "scout", tables, monkeypatch), Script(), set[str]()
    one = play(twin, False, script, folder / "one", tables, monkeypatch, every=every)
    other = play(twin, True, script, folder / "other", tables, monkeypatch, every=every)
    assert len(one) > 100
    told = differences(one, other, twin.differs, used) + sorted(twin.differs.keys() - used)
    if isinstance(twin, HiddenHands):
        return Compared(told, twin.swapped, twin.hands)
    return Compared(told, None, ())


@pytest.fixture(scope="module")
def pair(tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int | None], Compared]:
    """`pair(name, every)` plays two twins and compares them, once for all tests that ask for the same."""

    @cache
    def played(name: str, every: int | None) -> Compared:
        with pytest.MonkeyPatch.context() as patch:
            return compared(name, tables, tmp_path_factory.mktemp("twins"), patch, every)

    return played


@pytest.mark.parametrize(
    ("name", "every"),
    [
        *USUAL.items(),
        *(pytest.param(name, None, marks=pytest.mark.long, id=f"{name}, at length") for name in TWINS),
    ],
)
def test_twins_can_not_be_told_apart(
    name: str, every: int | None, pair: Callable[[str, int | None], Compared]
) -> None:
    assert pair(name, every).told_apart_by == []


@pytest.mark.parametrize("name", DEALERLESS)
def test_the_twins_that_nobody_deals_have_other_hands(
    name: str, pair: Callable[[str, int | None], Compared]
) -> None:
    """Else there would be nothing to tell them apart by."""
    made = pair(name, USUAL[name])
    one, other = made.hands
    assert one != other
    assert [p for p in one if one[p] != other.get(p)] == [p for p in made.swapped or () if p in one]


def test_every_mode_of_the_house_has_twins() -> None:
    foreign = {entry.name for entry in entry_points(group="cloche.modes")}
    for names in (TWINS, USUAL):
        assert {name.partition(":")[0] for name in names} >= set(mode_names()) - foreign


# Houses that tell too much are found out


def all_faces(patch: pytest.MonkeyPatch) -> None:
    """The game is shown as it is, not as the seat sees it."""
    honest = watching.view
    patch.setattr(
        watching, "view", lambda game, seat: {**honest(game, seat), "state": game.rules.dump(game.state)}
    )


def what_waits(patch: pytest.MonkeyPatch) -> None:
    """The size of what waits beside the record is told."""
    honest = watching.seen

    def seen(session: Session, game_id: str, player_id: str | None) -> dict[str, Any]:
        waiting = games.waiting_of(session, games.fold_of(session, games.row_of(session, game_id)))
        size = sum(len(canonical(message.body)) for message in waiting.values())
        return {**honest(session, game_id, player_id), "points": [size, 0]}

    patch.setattr(watching, "seen", seen)


def a_card(patch: pytest.MonkeyPatch) -> None:
    """A line of an account names a card that the opponent has."""
    honest = watching.rounds

    def rounds(session: Session, game_id: str) -> list[dict[str, Any]]:
        deck = games.seats_of(session, game_id)[1].cards or {}
        line = {"kind": "hint", "text": f"Seat 1 has card {max(map(int, deck))}"}
        return [{**told, "lines": [*told["lines"], line]} for told in honest(session, game_id)]

    patch.setattr(watching, "rounds", rounds)


def a_header(patch: pytest.MonkeyPatch) -> None:
    """A header of every answer has the greatest number of a card that sits at a table."""
    honest = requests._end

    def end(response: Response) -> Response:
        with context.house().read() as session:
            decks = [row.cards or {} for row in session.exec(select(GameSeat))]
        response.headers["X-Greatest"] = str(max((int(card) for deck in decks for card in deck), default=0))
        return honest(response)

    patch.setattr(requests, "_end", end)


@pytest.mark.parametrize(
    ("leak", "name", "trace"),
    [
        pytest.param(all_faces, "hearts: other hands", "/state/", id="all_faces"),
        pytest.param(what_waits, "chef: a sealed meal", "/points/*", id="what_waits"),
        pytest.param(
            a_card, "chef: a whole deck", "/rounds/*/lines/*/text", id="a_card", marks=pytest.mark.long
        ),
        pytest.param(a_header, "chef: a whole deck", "X-Greatest", id="a_header", marks=pytest.mark.long),
    ],
)
def test_a_house_that_tells_too_much_is_found_out(
    leak: Callable[[pytest.MonkeyPatch], None],
    name: str,
    trace: str,
    tables: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    leak(monkeypatch)
    told = compared(name, tables, tmp_path, monkeypatch, 8).told_apart_by
    assert [text for text in told if trace in text]

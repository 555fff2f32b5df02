"""The names of a table: a player has one alone, and bots may share one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.referee.table import Table


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (("ann", "bob", "cem"), ["ann", "bob", "cem"]),
        (("ann", "careful", "careful"), ["ann", "careful 1", "careful 2"]),
    ],
)
def test_a_name_that_occurs_twice_has_its_seat_behind_it(given: tuple[str, ...], shown: list[str]) -> None:
    header = Table.open("hearts", 3).game.header
    players = (replace(player, name=name) for player, name in zip(header.players, given, strict=True))
    assert replace(header, players=tuple(players)).names == shown

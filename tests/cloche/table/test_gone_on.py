"""The table when the house refuses again and again because the game has gone on."""

from __future__ import annotations

import io
from typing import Any, cast

import pytest
from rich.console import Console

from cloche.table.look import Look
from cloche.table.played import PlayedGame
from cloche.table.presenter import Misread
from cloche.table.screen import Screen
from crypto.identity import public_key
from player.house import ApiProblem
from player.session import SendResult, Session
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, GameNote, Identity
from tests.player.here import Here
from tests.player.memory_disk import MemoryDisk
from tests.referee.table import Table


@pytest.fixture
def api() -> Here:
    return Here(Table.hearts(3, 5))


@pytest.fixture
def played(api: Here) -> PlayedGame:
    """Seat 0 at a terminal, asked for its first choice."""
    table, own = api.table, api.table.seats[0]
    who = Identity("ada", "http://127.0.0.1:9", public_key(table.keeper.private), own.private, "unused")
    vault = PlayerVault.create_on(MemoryDisk(), "passphrase", who, LOWEST_COST)
    vault.keep(table.game.header.game, GameNote(0, own.match_secret))
    session = Session(api, vault, table.game.header.game)
    session.start()
    while session.asks() is None:
        if session.answer() is not SendResult.SENT:
            table.answer(*[seat for seat in table.asked() if seat])
        session.catch_up()
    screen = Screen(Console(file=io.StringIO(), width=80), Look(ascii=True))
    found = PlayedGame(session, cast(Any, api), screen, 0)
    found.live, found.follower = False, session.follower
    return found


@pytest.mark.parametrize("kind", ["resign", "draw"])
def test_what_did_not_arrive_is_said_and_not_waited_for(played: PlayedGame, api: Here, kind: str) -> None:
    api.broken = ApiProblem(409, "too_late", "No.")
    with pytest.raises(Misread) as found:
        played.resign() if kind == "resign" else played.draw()
    assert found.value.text.startswith("That did not arrive")
    assert api.heard[-1].kind == kind

"""Where nobody deals, a program moves for its player shortly before the deadline (protocol section 20.2)."""

from __future__ import annotations

import pytest

from player.session import SendResult, Session
from player.standing_in import LEAD
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, GameNote
from player.watchfulness import Concern
from tests.player.here import Here
from tests.player.memory_disk import MemoryDisk
from tests.player.seat_kit import identity
from tests.referee.dealerless.kit import Dealerless
from tests.referee.table import Table


def at_a_choice(table: Table, concerns: list[Concern]) -> Session:
    """Seat 0 at the first choice that only it can make."""
    vault = PlayerVault.create_on(MemoryDisk(), "passphrase", identity(table), LOWEST_COST)
    vault.keep(table.game.header.game, GameNote(0, table.seats[0].match_secret))
    session = Session(Here(table), vault, table.game.header.game, warn=concerns.append)
    session.start()
    for _ in range(100):
        session.catch_up()
        asking = table.game.asking
        if asking is not None and asking.topic == "lay" and 0 in asking.seats:
            return session
        if session.answer(lambda game: game.rules.legal(game.state, 0).sample(table.rng)) is SendResult.SENT:
            continue
        table.answer(*[seat for seat in table.asked() if seat != 0][:1])
    raise AssertionError("no cards are laid away")


@pytest.mark.parametrize(("early", "wanted"), [(LEAD + 1, False), (LEAD, True), (1, True)])
def test_the_move_of_an_absent_player_goes_out_before_the_deadline(early: int, wanted: bool) -> None:
    table, concerns = Dealerless.sit("cribbage", 2, seed=4), list[Concern]()
    session = at_a_choice(table, concerns)
    asking = table.game.asking
    assert asking is not None
    session.follower.clock = lambda: asking.deadline_of(0) - early - session.follower.ahead
    session.catch_up()
    assert [concern.code for concern in concerns] == ["stood_in"] * wanted
    assert (0 in table.waiting) is wanted
    assert (session.asks() is None) is wanted


def test_a_player_can_forbid_it() -> None:
    table, concerns = Dealerless.sit("cribbage", 2, seed=4), list[Concern]()
    session = at_a_choice(table, concerns)
    session.stands_in = False
    session.follower.clock = lambda: table.now + 10**9
    session.catch_up()
    assert (concerns, table.waiting) == ([], {})


def test_at_a_table_with_a_dealer_the_house_moves_itself() -> None:
    table, concerns = Table.open("cribbage", 2, seed=4), list[Concern]()
    session = at_a_choice(table, concerns)
    assert session.until_standing_in() is None

"""What a player hears of the house's doings: early time-outs, withheld links, absences (protocol 7, 10.6)."""

from __future__ import annotations

from typing import Any

import pytest

from client.http import Api
from crypto.identity import public_key
from player.follow import Follower
from player.house import Acknowledgement
from player.watchfulness import Concern, HouseClock
from referee import Receipt, write_receipt
from referee.message import Message
from tests.referee.table import Table, at_random, quietly


class Here(Api):
    """A house in this process, whose clock is the table's."""

    def __init__(self, table: Table) -> None:
        super().__init__("http://127.0.0.1:9")
        self.table = table

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        return [entry.json() for entry in self.table.record[after + 1 :]], False

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        return []

    def send(self, message: Message) -> Acknowledgement:
        self.table.send(message)
        receipt = write_receipt(self.table.keeper.private, message.digest, self.table.now)
        return Acknowledgement(receipt, None)


def watching(table: Table, clock: Any) -> tuple[Follower, list[Concern]]:
    """Seat 1 of a table, and all that it hears."""
    heard: list[Concern] = []
    key = public_key(table.keeper.private)
    follower = Follower(Here(table), table.game.header.game, key, warn=heard.append, clock=clock)
    follower.catch_up()
    follower.seat = table.seats[1]
    return follower, heard


def codes(heard: list[Concern]) -> list[str]:
    return [concern.code for concern in heard]


@pytest.mark.parametrize(
    ("skew", "fast", "early"), [(0, 0, False), (90_000, 0, False), (0, 40_000, True), (-5_000, 3_000, True)]
)
def test_a_time_out_that_came_early_by_our_own_clock(skew: int, fast: int, early: bool) -> None:
    """The house is `skew` ms ahead all the time, or moves `fast` ms forward between receipt and time-out."""
    table = Table.hearts(3)
    ours = [table.now - skew]
    follower, heard = watching(table, lambda: ours[0])
    follower.send(table.message(1))
    for seat in (0, 2):
        table.answer(seat)
    table.answer(0, 2)  # ready; seat 1 is silent
    asking = table.game.asking
    assert asking is not None
    ours[0] += asking.deadline + 1 - table.now - fast
    table.lapse()
    follower.catch_up()
    assert codes(heard) == ["early_timeout"] * early
    if early:
        assert f"had {fast / 1000:.0f} s to go" in heard[0].text


def test_without_a_receipt_nobody_can_tell() -> None:
    assert HouseClock().early(10**15, 0) == 0


def test_the_tightest_receipt_counts() -> None:
    clock = HouseClock()
    for sent, stated in ((1_000, 9_000), (2_000, 2_300), (3_000, 7_000)):
        clock.heard(sent, Receipt(bytes(64), stated, bytes(64)))
    assert clock.ahead == 300
    assert clock.early(deadline=20_300, now=18_000) == 2_000
    assert clock.early(deadline=20_300, now=19_000) == 0, "a second is within the tolerance"


def test_each_withheld_link_is_said_aloud() -> None:
    table = Table.hearts(3, 1)
    table.choose = at_random
    follower, heard = watching(table, lambda: table.now)
    table.silent = lambda table, seat: (
        seat == 1
        and table.game.deals > 0
        and table.game.asking is not None
        and table.game.asking.kind == "link"
    )
    while not table.game.over:
        table.step()
    follower.catch_up()
    assert codes(heard) == ["link_withheld"] * 3
    first, second, third = (concern.text for concern in heard)
    assert "1 of 3" in first
    assert "2 of 3" in second
    assert "you are out" in third


def test_a_first_link_loses_the_game_and_the_player_hears_it() -> None:
    table = Table.hearts(3)
    table.choose = quietly
    table.until("link")
    follower, heard = watching(table, lambda: table.now)
    table.answer(0, 2)
    table.lapse()
    follower.catch_up()
    assert codes(heard) == ["link_withheld"]
    assert "loses the game" in heard[0].text


def test_nobody_hears_of_the_time_outs_of_others() -> None:
    table = Table.hearts(3)
    table.choose = quietly
    table.until("link")
    follower, heard = watching(table, lambda: 0)
    table.answer(0, 1)
    table.lapse()
    follower.catch_up()
    assert heard == []


def test_an_honest_absence_goes_through() -> None:
    table = Table.hearts(3)
    follower, heard = watching(table, lambda: table.now)
    follower.send(table.message(1))
    table.leave(10_000, 3_600_000)
    follower.catch_up()
    assert follower.game.away == 3_600_000
    assert heard == []

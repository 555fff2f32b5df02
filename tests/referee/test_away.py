"""Absences of the house: clocks and banks stand still, within bounds (protocol 10.6)."""

from __future__ import annotations

from typing import Any

import pytest

from crypto.encoding import timestamp
from referee import dump_game, load_game, record_bytes, was_away
from referee.clocks import LEAST_BACK, MOST_AWAY, rest
from referee.house import opening
from tests.referee.forger import Crook, refused, report
from tests.referee.table import Table, quietly

HOUR = 3_600_000


def cards(**options: Any) -> Table:
    """A game of hearts in which the first card is to be played, in 30 s."""
    table = Table.hearts(3, options=options)
    table.choose = quietly
    table.until("move", topic="card")
    return table


def deadline(table: Table, seat: int | None = None) -> int:
    asking = table.game.asking
    assert asking is not None
    return asking.deadline if seat is None else asking.deadline_of(seat)


def mover(table: Table) -> int:
    assert table.game.asking is not None
    return min(table.game.asking.seats)


def valid(table: Table) -> None:
    """The record holds for the program, and for the page where the game is over."""
    found = report(table.record, unfinished=not table.game.over)
    assert found.valid, found.fault
    if table.game.over:
        pytest.importorskip("py_arkworks_bls12381")
        from tests.docs.page_record import verified

        outcome = table.game.outcome
        assert outcome is not None
        assert verified(record_bytes(table.record))["winners"] == [*outcome.winners]


def claim(table: Table, began: int, ended: int, at: int | None = None) -> None:
    """A house says that it was away, whether that can be or not; raises `Refused`."""
    crook = Crook.of(table)
    body = {"from": timestamp(began), "until": timestamp(ended)}
    crook.write("away", body, table.game.step, ended if at is None else at)
    crook.fold()


def test_a_clock_gets_back_what_it_had_left() -> None:
    table = Table.hearts(3)
    (entry,) = table.leave(45_000, 8 * HOUR)
    assert (entry.kind, entry.body["until"]) == ("away", timestamp(table.now))
    assert deadline(table) == table.now + 45_000
    table.now += 45_000
    table.answer(0)
    valid(table)


def test_and_at_least_thirty_seconds() -> None:
    table = cards()
    table.leave(2_000, 10 * 60_000)
    assert deadline(table) == table.now + LEAST_BACK == table.now + 30_000
    table.now += 30_000
    table.answer(mover(table))
    valid(table)


def test_after_that_time_the_seat_is_late_as_ever() -> None:
    table = cards()
    table.leave(2_000, HOUR)
    seat, until = mover(table), deadline(table)
    entries = table.lapse()
    assert (entries[0].kind, entries[0].body["seat"], entries[0].at) == ("timeout", seat, until + 1)
    valid(table)


def test_the_clock_counts_on_from_the_end_of_the_absence_however_late_it_is_entered() -> None:
    table = cards()
    began, ended = table.game.at + 10_000, table.game.at + HOUR
    game, _ = was_away(table.keeper, table.game, began, ended, ended + 7_000)
    assert game.asking is not None
    assert (game.at, game.asking.deadline) == (ended + 7_000, ended + 30_000)


def test_whose_time_was_up_before_is_late() -> None:
    table = cards()
    before = deadline(table)
    table.leave(-1, HOUR)
    assert deadline(table) == before
    (timeout, *_) = table.lapse()
    assert timeout.kind == "timeout"
    valid(table)


def test_the_last_millisecond_still_ran() -> None:
    table = cards()
    table.leave(0, HOUR)
    assert deadline(table) == table.now + 30_000


def test_each_seat_has_its_own() -> None:
    """One seat's bank is nearly empty, so its clock had run out; the other's ran on."""
    table = Table.hearts(3, options={"bank": 10, "expose": 60})
    table.choose = quietly
    table.until("move", topic="expose")
    seats = sorted(table.game.asking.seats) if table.game.asking else []
    assert [deadline(table, seat) - table.game.at for seat in seats] == [10_000] * len(seats)
    table.now += 7_000
    table.answer(seats[0])
    table.leave(0, HOUR)
    assert {deadline(table, seat) for seat in seats[1:]} == {table.now + 30_000}


@pytest.mark.parametrize(("left", "used", "charged"), [(20_000, 15_000, 25_000), (4_000, 25_000, 30_000)])
def test_a_bank_is_charged_for_no_absence_nor_for_what_it_adds(left: int, used: int, charged: int) -> None:
    table = cards(bank=60)
    seat = mover(table)
    before = rest(table.game, seat)
    assert before is not None
    table.leave(left, 5 * HOUR)
    table.now += used
    table.answer(seat)
    assert rest(table.game, seat) == before - charged
    valid(table)


def test_several_absences_of_one_step() -> None:
    table = cards(bank=60)
    seat = mover(table)
    before = rest(table.game, seat)
    assert before is not None
    for _ in range(3):
        table.leave(1_000, 60_000)
    assert deadline(table) == table.now + 30_000
    assert table.game.away == 180_000
    table.answer(seat)
    assert rest(table.game, seat) == before - 30_000, "the clock as it was, however often it was added to"
    valid(table)


def test_no_game_is_away_for_more_than_a_day() -> None:
    table = cards(card=7 * 86400)
    table.leave(2 * HOUR, 23 * HOUR)
    (cut,) = table.leave(HOUR, 5 * HOUR)
    assert table.game.away == MOST_AWAY
    assert cut.body["until"] == timestamp(table.now - 4 * HOUR)
    assert table.leave(1_000, HOUR) == []
    valid(table)


def test_a_short_absence_counts_thirty_seconds_of_the_day() -> None:
    table = cards()
    for _ in range(4):
        table.leave(25_000, 10)
    assert table.game.away == 4 * LEAST_BACK


def test_an_absence_that_counts_more_than_is_left_of_the_day_is_refused() -> None:
    table = cards(card=7 * 86400)
    table.leave(2 * HOUR, MOST_AWAY - 29_999)
    began = table.game.at + 1
    with refused("away_too_long", "/body/until"):
        claim(table, began, began + 1)


def test_a_house_that_has_written_since_was_there() -> None:
    table = cards()
    at = table.game.at
    with refused("was_there", "/body/from"):
        claim(table, at - 1, at + HOUR)
    claim(table, at, at + HOUR)


def test_an_absence_lies_behind() -> None:
    table = cards()
    at = table.game.at + 5
    for began, ended, entered in ((at, at, at), (at + 1, at, at), (at, at + 2, at + 1)):
        with refused("bad_time", "/body/until"):
            claim(table, began, ended, entered)


def test_a_game_that_does_not_say_so_has_no_absences() -> None:
    table = Table.hearts(3)
    header = table.game.header
    players, at = header.players, table.now
    game, (without,) = opening(table.keeper, header.game, header.mode, {}, players, [], at, None, ())
    assert was_away(table.keeper, game, game.at, game.at + HOUR, game.at + HOUR) == (game, [])
    table.record[0] = without
    table.record[1:] = []
    with refused("not_announced", "/kind"):
        claim(table, without.at, without.at + HOUR)


def test_a_house_enters_its_absence_only_from_the_newest_entry_on() -> None:
    table = cards()
    at = table.game.at
    game, (entry,) = was_away(table.keeper, table.game, at - HOUR, at + HOUR, at + HOUR)
    assert entry.body["from"] == timestamp(at)
    assert was_away(table.keeper, game, at - HOUR, at + HOUR, at + 2 * HOUR) == (game, []), "entered once"


def test_what_waited_still_waits() -> None:
    """A held answer outlasts the absence; the other seat has its time again."""
    table = Table.chef()
    table.choose = quietly
    table.until("move")
    table.answer(0)
    table.leave(10_000, HOUR)
    assert sorted(table.waiting) == [0]
    table.now += 30_000
    table.answer(1)
    assert table.game.asking is not None
    assert table.game.asking.kind == "seal"
    valid(table)


def test_nobody_is_away_after_the_end_or_while_an_entry_is_due() -> None:
    table = cards()
    resigned = table.send(table.seats[0].resign(table.views[0]))
    assert resigned[-1].kind == "result"
    later = table.game.at + HOUR
    assert was_away(table.keeper, table.game, table.game.at, later, later) == (table.game, [])


def test_the_snapshot_has_it_all() -> None:
    table = cards(bank=60)
    table.leave(1_000, 60_000)
    loaded = load_game(dump_game(table.game), table.game.header)
    assert (loaded.asking, loaded.away) == (table.game.asking, table.game.away)
    assert loaded.asking is not None
    assert loaded.asking.given == {mover(table): 29_000}


def test_a_snapshot_of_before_there_were_absences_still_loads() -> None:
    data = dump_game(cards().game)
    del data["away"]
    for seat in data["seats"]:
        del seat["timeouts"]
    loaded = load_game(data, cards().game.header)
    assert (loaded.away, loaded.seats[0].withheld) == (0, 0)

"""The clock of a whole game: what each seat has left, and its deadlines (protocol section 10.6)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from referee import Entry, Refused, accept, close, complete_options, due, dump_game, load_game, view
from referee.clocks import late, rest
from referee.game import Asking, Between, Game
from tests.referee.forger import Crook, refused, report
from tests.referee.table import Table, quietly

SECOND = 1000
FLOOR = 5 * SECOND
"""The milliseconds that an empty bank leaves for a step (protocol section 10.6)."""


def asking(table: Table) -> Asking:
    assert table.game.asking is not None
    return table.game.asking


def sealing(bank: int = 100, **options: int) -> Table:
    """A match whose first seals are asked for, 120 seconds on the clock."""
    table = Table.chef(options={"bank": bank, **options})
    table.choose = quietly
    table.until("seal")
    return table


def exposing(seats: int = 3, **options: int) -> Table:
    """A game of hearts whose first hands are dealt."""
    table = Table.hearts(seats, options=options)
    table.choose = quietly
    table.until("move")
    return table


def passes(table: Table, at: int, grace: int = 0) -> list[Entry]:
    """The house does what is due at `at`."""
    table.now = at
    game, entries = close(table.keeper, table.game, table.waiting, at, grace)
    table.add(game, entries)
    return entries


def left(table: Table) -> list[int | None]:
    return [rest(table.game, seat) for seat in table.game.header.seats]


def test_without_a_bank_only_the_steps_have_clocks() -> None:
    table = sealing(bank=0)
    assert left(table) == [None, None]
    assert {asking(table).deadline_of(seat) for seat in (0, 1)} == {asking(table).since + 120 * SECOND}
    table.now += 60 * SECOND
    table.answer(0)
    assert [seat.thought for seat in table.game.seats] == [0, 0]


def test_without_a_bank_no_thought_is_counted() -> None:
    table = exposing(bank=0)
    table.now += 7 * SECOND
    table.answer(*table.asked())
    assert [seat.thought for seat in table.game.seats] == [0, 0, 0]
    assert left(table) == [None, None, None]


@pytest.mark.parametrize("bank", [-1, 1, 9, 2_592_001, True, "60", None])
def test_a_bank_that_no_table_can_have(bank: Any) -> None:
    mode = Table.chef().game.rules
    with pytest.raises(Refused) as caught:
        complete_options(mode, {"bank": bank})
    assert (caught.value.code, caught.value.pointer) == ("bad_option", "/bank")


@pytest.mark.parametrize("bank", [0, 10, 2_592_000])
def test_banks_from_ten_seconds_to_thirty_days(bank: int) -> None:
    mode = Table.chef().game.rules
    assert complete_options(mode, {"bank": bank})["bank"] == bank
    assert complete_options(mode, {})["bank"] == 0


def test_a_seal_costs_the_time_since_it_was_asked() -> None:
    table = sealing()
    began = asking(table).since
    table.now = began + 30 * SECOND
    table.answer(1)
    table.now = began + 45 * SECOND
    table.answer(0)
    assert left(table) == [55 * SECOND, 70 * SECOND]
    table.until("link")
    assert left(table) == [55 * SECOND, 70 * SECOND], "reveals are not counted"
    table.now += 20 * SECOND
    table.until("seal")
    assert left(table) == [55 * SECOND, 70 * SECOND], "nor are links"
    began = asking(table).since
    assert [asking(table).deadline_of(seat) - began for seat in (0, 1)] == [55 * SECOND, 70 * SECOND]
    assert asking(table).deadline == began + 70 * SECOND


def test_the_shorter_of_bank_and_clock_counts() -> None:
    table = sealing(bank=3600)
    assert asking(table).deadline_of(0) == asking(table).since + 120 * SECOND


def test_each_seat_is_timed_out_by_its_own_deadline() -> None:
    table = sealing()
    table.now = asking(table).since + 90 * SECOND
    table.answer(0)
    table.answer(1)
    table.until("seal")
    assert left(table) == [10 * SECOND, 10 * SECOND]
    table.now += 3 * SECOND
    table.answer(1)
    table.now += 6 * SECOND
    table.answer(0)
    table.until("seal")
    assert left(table)[0] is not None
    slow, quick = asking(table).deadline_of(0), asking(table).deadline_of(1)
    assert slow - asking(table).since == FLOOR
    assert quick - asking(table).since > FLOOR

    late, in_time = table.message(0), table.message(1)
    assert due(table.game, set()) == slow + 1
    assert due(table.game, set(), 500) == slow + 501
    assert passes(table, slow + 500, 500) == []
    with refused("too_late", "/step"):
        accept(table.keeper, table.game, late, slow + 1)
    (timeout,) = passes(table, slow + 501, 500)
    assert (timeout.kind, timeout.body["seat"]) == ("timeout", 0)
    assert asking(table).seats == {1}
    assert asking(table).deadline == quick
    table.now = quick
    table.send(in_time)
    assert asking(table).kind == "reveal"


def test_the_grace_of_a_later_deadline_is_its_own() -> None:
    """A time-out of one seat must not take the other, whose message may still be under validation."""
    table = sealing()
    table.now = asking(table).since + 50 * SECOND
    table.answer(0)
    table.now += 300
    table.answer(1)
    table.until("seal")
    first, second = asking(table).deadline_of(1), asking(table).deadline_of(0)
    assert second == first + 300
    entries = passes(table, first + 501, 500)
    assert [entry.body["seat"] for entry in entries] == [1]
    message = table.message(0)
    table.now = second
    (entry, *_) = table.send(message)
    assert (entry.kind, entry.at) == ("seal", first + 501)
    assert report(table.record, unfinished=True).valid


def test_an_empty_bank_leaves_five_seconds_a_step() -> None:
    table = exposing(bank=10, card=60)
    table.until("move", topic="card")
    seat = next(iter(asking(table).seats))
    for _ in range(2):
        while seat not in asking(table).seats:
            table.answer(*asking(table).seats)
        had = rest(table.game, seat)
        assert had is not None
        assert asking(table).deadline_of(seat) == asking(table).since + max(had, FLOOR)
        table.now = asking(table).deadline_of(seat)
        table.answer(seat)
    assert rest(table.game, seat) == 0
    while seat not in asking(table).seats:
        table.answer(*asking(table).seats)
    assert asking(table).deadline_of(seat) == asking(table).since + FLOOR


def test_an_exposure_is_paid_for_by_all_whom_it_asks_again() -> None:
    table = exposing(4, bank=100)
    began = asking(table).since
    table.now = began + 10 * SECOND
    table.answer(3)  # done
    exposer = next(
        seat
        for seat in (0, 1, 2)
        if any("expose" in move for move in table.game.rules.legal(table.views[seat].state, seat))
    )
    table.choose = lambda table, seat: next(iter(table.game.rules.legal(table.views[seat].state, seat)))
    table.now = began + 25 * SECOND
    table.answer(exposer)
    assert left(table) == [75 * SECOND, 75 * SECOND, 75 * SECOND, 90 * SECOND]
    assert asking(table).since == table.now
    assert asking(table).deadline_of(3) == table.now + 60 * SECOND


def test_held_moves_links_and_entering_cost_nothing() -> None:
    table = Table.chef(options={"bank": 30})
    table.choose = quietly
    for _ in range(8):
        if asking(table).kind == "seal":
            break
        assert asking(table).deadline == asking(table).since + table.game.header.clock(
            "choice" if asking(table).kind == "move" else asking(table).kind
        )
        table.now += 10 * SECOND
        table.answer(*table.asked())
    assert left(table) == [30 * SECOND, 30 * SECOND]


def test_a_house_that_was_closed_costs_nobody_more_than_the_clock() -> None:
    table = sealing(bank=1000)
    deadline = asking(table).deadline_of(0)
    entries = passes(table, deadline + 7 * 86_400 * SECOND)
    assert [entry.kind for entry in entries][:2] == ["timeout", "timeout"]
    assert left(table) == [880 * SECOND, 880 * SECOND]


def test_a_message_that_waited_for_its_turn_is_not_late() -> None:
    """An opponent can't make a good seal late by a draw offer just after the deadline."""
    table = sealing(bank=0)
    deadline = asking(table).deadline_of(0)
    seal, offer = table.message(0), table.seats[1].offer_draw(table.views[1])
    table.now = deadline + 1
    table.send(offer)
    with refused("too_late", "/step"):
        accept(table.keeper, table.game, seal, deadline + 1)
    table.now = deadline
    (entry,) = table.send(seal)
    assert (entry.kind, entry.at) == ("seal", deadline + 1)
    assert report(table.record, unfinished=True).valid


def test_a_record_that_lets_a_seat_take_more_than_its_bank() -> None:
    table = sealing(bank=10)
    crook = Crook.of(table)
    crook.enter(table.message(0), asking(table).deadline_of(0) + 1)
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert fault.code == "too_late"
    crook = Crook.of(table)
    body = {"seat": 0, "kind": "seal", "move": None}
    crook.write("timeout", body, asking(table).step, asking(table).since + 10 * SECOND)
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert fault.code == "too_early"


def test_the_view_shows_what_is_left_and_each_deadline() -> None:
    table = sealing(bank=60)
    table.now = asking(table).since + 20 * SECOND
    table.answer(0)
    seats = view(table.game, None)["seats"]
    assert [seat["bank_ms"] for seat in seats] == [40 * SECOND, 60 * SECOND]
    assert seats[0]["until"] is None
    assert seats[1]["until"] == view(table.game, 1)["asked"]["until"]
    assert [seat["bank_ms"] for seat in view(sealing(bank=0).game, 0)["seats"]] == [None, None]


def stored(game: Game) -> Game:
    return load_game(json.loads(json.dumps(dump_game(game))), game.header)


def test_banks_are_in_the_snapshot() -> None:
    table = sealing()
    table.now = asking(table).since + 30 * SECOND
    table.answer(1)
    assert stored(table.game) == table.game
    assert rest(stored(table.game), 1) == 70 * SECOND


def test_a_snapshot_of_before_there_were_banks_still_loads() -> None:
    table = sealing(bank=0)
    old = json.loads(json.dumps(dump_game(table.game)))
    old["asking"]["deadline"] = asking(table).deadline
    del old["asking"]["since"], old["asking"]["until"]
    for seat in old["seats"]:
        del seat["thought"]
    game = load_game(old, table.game.header)
    assert game.asking is not None
    assert game.asking.deadline == game.asking.deadline_of(1) == asking(table).deadline
    table.game = game
    table.answer(0, 1)
    assert asking(table).kind == "reveal"


def test_days_on_every_clock() -> None:
    """A game by correspondence: a week a step, thirty days for the whole game."""
    week = 7 * 86_400
    table = sealing(bank=2_592_000, seal=week, reveal=week, link=week)
    seals = 0
    while rest(table.game, 0) != 0:
        table.until("seal")
        table.now = asking(table).deadline_of(0)
        table.answer(0, 1)
        seals += 1
    assert seals == 5
    assert asking(table).kind == "reveal"
    table.until("seal")
    assert asking(table).deadline == asking(table).since + FLOOR
    assert report(table.record, unfinished=True).valid


# Late seats


def test_late_is_who_let_the_own_deadline_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    table = exposing(bank=100)
    before, asked = table.game, asking(table)
    uneven = replace(asked, seats=frozenset({0, 1}), until={0: asked.since + 10, 1: asked.since + 20, 2: 0})
    before = replace(before, phase=uneven)
    timeout = passes(table, asked.deadline + 1)[0]
    assert (timeout.kind, timeout.step) == ("timeout", asked.step)

    def of(seat: int, at: int, **changes: Any) -> Entry:
        return replace(timeout, at=asked.since + at, body={**timeout.body, "seat": seat}, **changes)

    assert late(before, of(0, 11))
    assert not late(before, of(0, 10)), "at the last instant"
    assert not late(before, of(1, 11)), "another's deadline"
    assert late(before, of(1, 21))
    assert not late(before, of(2, 21)), "who is not asked"
    for step in (asked.step - 1, asked.step + 1):
        assert not late(before, of(0, 11, step=step)), "what has come of an earlier entry"
    assert not late(replace(before, phase=Between()), of(0, 11))
    monkeypatch.setattr(type(before.rules), "gone", lambda self, state: frozenset({0}))
    assert not late(before, of(0, 11)), "who is out"
    assert late(before, of(1, 21))

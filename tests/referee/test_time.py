"""Deadlines, time-outs and misses (protocol section 10; rulings, chef 11 and hearts 8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cards.games.contract import Move
from crypto.encoding import b64
from referee import Message, Refused, accept, apply, close, due
from referee.game import Asking
from tests.referee.forger import Crook, again, refused, report
from tests.referee.table import Table, quietly

KEEP: Move = {"choice": "keep"}
NOTHING: Move = {"dishes": []}


def match(**options: int) -> Table:
    table = Table.chef(options=options)
    table.choose = quietly
    return table


def game(seats: int = 4, **options: int) -> Table:
    table = Table.hearts(seats, options=options)
    table.choose = quietly
    return table


def asking(table: Table) -> Asking:
    assert table.game.asking is not None
    return table.game.asking


Phase = tuple[str, Callable[[], Table], Callable[[Table], object], str]


def later_link(table: Table) -> None:
    table.until("seal")
    table.answer(0, 1)
    table.answer(0, 1)
    assert (asking(table).kind, table.game.deals) == ("link", 1)


PHASES: list[Phase] = [
    ("enter", match, lambda table: table.until("enter"), "enter"),
    ("ready", match, lambda table: table.until("ready"), "ready"),
    ("first link", match, lambda table: table.until("link"), "link"),
    ("later link", match, later_link, "link"),
    ("redraw", match, lambda table: table.until("move"), "choice"),
    ("seal", match, lambda table: table.until("seal"), "seal"),
    ("reveal", match, lambda table: table.until("reveal"), "reveal"),
    ("expose", game, lambda table: table.until("move", topic="expose"), "expose"),
    ("card", game, lambda table: table.until("move", topic="card"), "card"),
]


@pytest.mark.parametrize(("name", "make", "go", "clock"), PHASES, ids=[phase[0] for phase in PHASES])
def test_the_last_moment_counts_and_the_next_does_not(
    name: str, make: Callable[[], Table], go: Callable[[Table], object], clock: str
) -> None:
    table = make()
    go(table)
    asked = asking(table)
    option = table.game.header.options[clock]
    assert asked.deadline == table.record[asked.seq].at + option * 1000
    assert due(table.game, set()) == asked.deadline + 1
    seat = table.asked()[0]
    message = table.message(seat)
    with refused("too_late", "/step"):
        accept(table.keeper, table.game, message, asked.deadline + 1)
    accept(table.keeper, table.game, message, asked.deadline)
    for at in (asked.deadline, table.now):
        assert close(table.keeper, table.game, {}, at) == (table.game, [])
    _, entries = close(table.keeper, table.game, {}, asked.deadline + 1)
    assert (entries[0].kind, entries[0].at) == ("timeout", asked.deadline + 1)
    assert entries[0].body["seat"] in asked.seats
    assert entries[0].body["kind"] == asked.kind


@pytest.mark.parametrize(("name", "make", "go", "clock"), PHASES, ids=[phase[0] for phase in PHASES])
def test_a_house_that_times_out_too_early(
    name: str, make: Callable[[], Table], go: Callable[[Table], object], clock: str
) -> None:
    table = make()
    go(table)
    asked = asking(table)
    _, (timeout, *_) = close(table.keeper, table.game, {}, asked.deadline + 1)
    crook = Crook.of(table)
    crook.write("timeout", timeout.body, asked.step, asked.deadline)
    with refused("too_early", "/at"):
        crook.fold()
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert (fault.entry, fault.code, fault.pointer) == (
        len(table.record),
        "too_early",
        f"/entries/{len(table.record)}/at",
    )


@pytest.mark.parametrize(
    ("body", "step", "code", "pointer"),
    [
        ({"seat": 2}, 0, "not_asked", "/body/seat"),
        ({"seat": True}, 0, "bad_integer", "/body/seat"),
        ({"seat": -1}, 0, "bad_integer", "/body/seat"),
        ({"kind": "reveal"}, 0, "wrong_kind", "/body/kind"),
        ({"move": KEEP}, 0, "wrong_move", "/body/move"),
        ({"note": ""}, 0, "unknown_field", "/body/note"),
        ({}, 1, "wrong_step", "/step"),
    ],
)
def test_a_time_out_that_says_something_else(body: Any, step: int, code: str, pointer: str) -> None:
    table = match()
    table.until("seal")
    crook = Crook.of(table)
    good = {"seat": 1, "kind": "seal", "move": None}
    crook.write("timeout", {**good, **body}, asking(table).step + step, asking(table).deadline + 1)
    with refused(code, pointer):
        crook.fold()


def test_a_time_out_of_who_has_answered() -> None:
    table = match()
    table.until("seal")
    table.answer(1)
    crook = Crook.of(table)
    crook.write("timeout", {"seat": 1, "kind": "seal", "move": None}, asking(table).step, table.now + 10**9)
    with refused("not_asked", "/body/seat"):
        crook.fold()


@pytest.mark.parametrize("move", [None, {"choice": "redraw"}, "keep", {"choice": "keep", "x": 1}])
def test_what_is_played_for_who_is_away_is_what_the_rules_say(move: Any) -> None:
    """A missed keep or redraw is a keep, in everybody's eyes."""
    table = match()
    table.until("move")
    for fold in (table.game, table.spectator, *table.views):
        assert fold.rules.absent(fold.state, 0) == KEEP
    crook = Crook.of(table)
    body = {"seat": 0, "kind": "move", "move": move}
    crook.write("timeout", body, asking(table).step, asking(table).deadline + 1)
    with refused("wrong_move", "/body/move"):
        crook.fold()


def test_a_time_does_not_run_back() -> None:
    table = match()
    table.until("ready")
    message = table.message(0)
    crook = Crook.of(table)
    crook.enter(message, crook.head.at - 1)
    with refused("time_runs_back", "/at"):
        crook.fold()


def test_a_clock_that_is_set_back_makes_no_earlier_entry() -> None:
    table = match()
    table.until("ready")
    table.now -= 10_000
    (entry,) = table.answer(0)
    assert entry.at == table.record[-2].at


def test_an_entry_after_its_deadline() -> None:
    """The house can't enter what came too late, but for held messages, whose arrival their receipts tell."""
    table = match()
    table.until("seal")
    crook = Crook.of(table)
    crook.enter(table.message(0), asking(table).deadline + 1)
    with refused("too_late", "/step"):
        crook.fold()
    table.until("reveal")
    table.answer(0)
    entries = table.lapse()
    assert entries[0].kind == "reveal"
    assert entries[0].at == entries[1].at


# Misses


def seals(table: Table, *seats: int) -> None:
    """A round in which these seats seal and reveal, the others seal nothing."""
    table.until("seal")
    table.answer(*seats)
    if len(seats) < 2:
        table.lapse()
    if seats:
        table.answer(*seats)


def outcome(table: Table) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    found = report(table.record)
    assert found.valid, found.fault
    assert found.game is not None
    assert found.game.outcome is not None
    ended = found.game.outcome
    return ended.points, ended.winners, ended.reason


def test_three_seals_missed_in_a_row_lose() -> None:
    table = match()
    for _ in range(3):
        assert not table.game.over
        seals(table, 1)
    assert outcome(table) == ((0, 0), (1,), "missed")


def test_a_seal_between_begins_the_count_again() -> None:
    table = match()
    for seats in ((1,), (1,), (0, 1), (1,), (1,)):
        seals(table, *seats)
    assert not table.game.over
    seals(table, 1)
    assert outcome(table)[2] == "missed"


def test_both_missing_three_seals_draw() -> None:
    table = match()
    for _ in range(3):
        table.until("seal")
        table.lapse()
    assert outcome(table) == ((0, 0), (0, 1), "missed")


def test_a_missed_reveal_and_the_seals_that_it_forbids_lose() -> None:
    """A reveal sent late does not mend the miss; none at all forbids the seals of the next rounds."""
    table = match()
    table.until("reveal")
    table.answer(0)
    table.lapse()
    assert table.game.state.board.points == (7, 0)
    for _ in range(2):
        table.answer(0, 1)
        assert table.asked() == [0]
        with refused("reveal_owed", "/kind"):
            table.send(table.seats[1].seal(table.views[1], NOTHING)[0])
        table.answer(0)
        table.lapse()
        table.answer(0)
    assert outcome(table)[1:] == ((0,), "missed")
    assert table.game.seats[1].timeouts == {"reveal": 1, "seal": 2}


def test_nobody_reveals_and_nobody_scores() -> None:
    table = match()
    for _ in range(3):
        table.until("seal")
        for seat in table.owed():
            table.pay(seat)
        table.answer(0, 1)
        entries = table.lapse()
        assert [entry.kind for entry in entries][:3] == ["timeout", "timeout", "account"]
    assert outcome(table) == ((0, 0), (0, 1), "missed")


def test_both_may_owe_at_once() -> None:
    table = match()
    table.until("reveal")
    table.lapse()
    assert table.owed() == [0, 1]
    table.answer(0, 1)
    assert (asking(table).kind, table.asked()) == ("seal", [])
    table.pay(1)
    table.answer(1)
    table.pay(0)
    table.answer(0)
    assert table.owed() == []
    assert asking(table).kind == "reveal"


def test_three_missed_cards_in_a_row_end_a_game_of_hearts() -> None:
    table = game(3)
    table.until("move", topic="card")
    away = table.asked()[0]
    table.silent = lambda table, seat: seat == away and asking(table).topic == "card"
    final = table.play()
    _, winners, reason = outcome(table)
    assert reason == "missed"
    assert away not in winners
    assert final.state.board.missed[away] == 3
    timeouts = [entry for entry in table.record if entry.kind == "timeout"]
    assert len(timeouts) == 3
    assert all(entry.body["move"].keys() == {"play", "card"} for entry in timeouts)


def test_who_misses_exposing_is_done() -> None:
    table = game(4)
    table.until("move", topic="expose")
    table.answer(2)
    assert asking(table).seats == {0, 1, 3}, "the step and its deadline stay"
    entries = table.lapse()
    assert [(entry.body["seat"], entry.body["move"]) for entry in entries] == [
        (seat, {"done": True}) for seat in (0, 1, 3)
    ]
    assert asking(table).topic == "card"


def test_an_exposure_asks_everybody_anew() -> None:
    table = game(4)
    table.until("move", topic="expose")
    seat = next(s for s in range(4) if len(list(exposures(table, s))) > 0)
    others = [s for s in range(4) if s != seat]
    table.now += 40_000
    table.answer(others[0])
    step, deadline = asking(table).step, asking(table).deadline
    table.now += 10_000
    table.send(table.seats[seat].move(table.views[seat], next(exposures(table, seat))))
    assert asking(table).step == step + 1
    assert asking(table).seats == {0, 1, 2, 3}
    assert asking(table).deadline == table.now + 60_000 > deadline
    assert asking(table).opened == table.game.seq


def exposures(table: Table, seat: int) -> Any:
    view = table.views[seat]
    return (move for move in view.rules.legal(view.state, seat) if "expose" in move)


def test_a_house_that_plays_another_card_for_who_is_away() -> None:
    table = game(3)
    table.until("move", topic="card")
    seat = table.asked()[0]
    lowest = table.game.rules.absent(table.game.state, seat)
    other = next(m for m in table.game.rules.legal(table.game.state, seat) if m != lowest)
    crook = Crook.of(table)
    body = {"seat": seat, "kind": "move", "move": other}
    entry = crook.write("timeout", body, asking(table).step, asking(table).deadline + 1)
    crook.fold()  # a spectator can't tell before the deal is shown
    with refused("wrong_move", "/body/move"):
        apply(table.views[seat], entry)
    with refused("wrong_move", "/body/move"):
        apply(table.game, entry)


# Closing


def test_a_step_whose_answers_are_all_in_is_due_at_once() -> None:
    table = match()
    table.until("move")
    message = table.message(0)
    assert due(table.game, {0}) == asking(table).deadline + 1
    assert due(table.game, {0, 1}) == table.game.at
    waiting: dict[int, Message] = {0: message, 1: table.message(1)}
    after, entries = close(table.keeper, table.game, waiting, table.now)
    assert [entry.actor for entry in entries] == ["0", "1"]
    assert after.asking is not None


def test_closing_twice_appends_nothing() -> None:
    table = match()
    table.until("move")
    waiting = {seat: table.message(seat) for seat in (0, 1)}
    after, entries = close(table.keeper, table.game, waiting, table.now)
    assert entries
    assert close(table.keeper, after, {}, table.now) == (after, [])
    late = asking(table).deadline + 1
    after, entries = close(table.keeper, table.game, {}, late)
    assert close(table.keeper, after, {}, late) == (after, [])


def test_nothing_is_due_when_the_game_is_over() -> None:
    table = match()
    table.lapse()
    assert table.game.over
    assert due(table.game, set()) is None
    assert close(table.keeper, table.game, {}, table.now + 10**9) == (table.game, [])


def test_a_table_sets_its_own_clocks() -> None:
    table = match(enter=5, seal=604_800)
    assert asking(table).deadline == table.record[0].at + 5_000
    table.until("seal")
    assert asking(table).deadline == table.game.at + 604_800_000
    for options, code in (
        ({"seal": 4}, "bad_option"),
        ({"seal": 604_801}, "bad_option"),
        ({"speed": 1}, "unknown_option"),
    ):
        with pytest.raises(Refused) as caught:
            Table.chef(options=options)
        assert caught.value.code == code


def test_a_late_message_of_a_step_that_is_over() -> None:
    table = match()
    table.until("seal")
    late = table.message(1)
    table.answer(0)
    table.lapse()
    with refused("wrong_kind", "/kind"):
        table.send(late)
    table.answer(0)
    with refused("wrong_step", "/step"):
        table.send(again(table, late, seen={"seq": table.game.seq, "digest": b64(table.game.digest)}))

"""Seats that are out of a game that goes on: played for at once, silent, and no winners (protocol 10.6)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import Entry, Refused, accept, dump_game, load_game, record_bytes, view, write_message
from tests.referee.forger import Crook, refused, report
from tests.referee.table import Table, quietly


def game(seats: int = 4, absent: str = "play", seed: int = 0, **options: Any) -> Table:
    """A game of hearts whose first cards are being played."""
    table = Table.hearts(seats, seed, {"absent": absent, **options})
    table.choose = quietly
    table.until("move", topic="card")
    return table


def resign(table: Table, seat: int) -> list[Entry]:
    return table.send(table.seats[seat].resign(table.views[seat]))


def mover(table: Table) -> int:
    assert table.game.asking is not None
    (seat,) = table.game.asking.seats
    return seat


def checked(table: Table) -> Table:
    """The record verifies, by the program and by the page; every fold has the same board."""
    found = report(table.record, unfinished=not table.game.over)
    assert found.valid, found.fault
    boards = {repr(fold.state.board) for fold in (table.game, table.spectator, *table.views)}
    assert len(boards) == 1
    if table.game.over:
        pytest.importorskip("py_arkworks_bls12381")
        from tests.docs.page_record import verified

        outcome = table.game.outcome
        assert outcome is not None
        said = verified(record_bytes(table.record))
        assert said == {"points": [*outcome.points], "winners": [*outcome.winners], "reason": outcome.reason}
    return table


def test_a_resignation_ends_the_game_unless_the_table_plays_on() -> None:
    table = game(absent="end")
    resign(table, 0)
    assert table.game.over
    table = game(absent="play")
    resign(table, 0)
    assert not table.game.over
    assert table.game.gone == {0}
    checked(table)


def test_a_card_is_played_at_once_for_who_is_out() -> None:
    table = game()
    seat = mover(table)
    resign(table, (seat + 1) % 4)
    before = table.game.seq
    table.answer(seat)
    played, timeout = table.record[before + 1 :]
    assert (played.kind, timeout.kind, timeout.body["seat"]) == ("move", "timeout", (seat + 1) % 4)
    assert timeout.at == played.at, "nobody waits for it"
    assert mover(table) == (seat + 2) % 4
    checked(table)


def test_who_resigns_at_their_turn_is_played_for_in_that_step() -> None:
    table = game()
    seat = mover(table)
    resigned, timeout = resign(table, seat)
    assert (resigned.kind, timeout.kind, timeout.body["kind"]) == ("resign", "timeout", "move")
    assert timeout.at == resigned.at
    assert mover(table) != seat
    checked(table)


def test_three_cards_missed_in_a_row_take_a_player_out() -> None:
    table = game(3)
    seat = mover(table)
    table.silent = lambda table, other: other == seat and table.game.deals > 0
    while seat not in table.game.gone:
        assert not table.game.over
        table.step()
    assert table.game.state.board.missed[seat] == 3
    missed = [entry for entry in table.record if entry.kind == "timeout"]
    assert len(missed) == 3
    for _ in range(40):
        table.step()
    assert table.game.state.board.missed[seat] == 3, "what the house plays for it is no miss of its"
    checked(table)


def test_only_one_player_left_wins() -> None:
    table = game(3)
    resign(table, 1)
    table.answer(mover(table))
    resign(table, 2)
    assert table.game.over
    assert table.game.outcome is not None
    assert (table.game.outcome.winners, table.game.outcome.reason) == ((0,), "resigned")
    checked(table)


def test_the_game_goes_on_to_its_end_without_those_who_are_out() -> None:
    table = game(4, seed=3)
    resign(table, 0)
    table.silent = lambda table, seat: table.game.deals > 0 and seat == 2
    while not table.game.over and table.game.deals < 3:
        table.step()
    assert table.game.gone == {0, 2}
    assert not table.game.over
    links = [e.body["seat"] for e in table.record if e.kind == "timeout" and e.body["kind"] == "link"]
    assert links.count(0) == 2
    assert links.count(2) == 2
    resign(table, 1)
    assert table.game.outcome is not None
    assert (table.game.outcome.winners, table.game.outcome.reason) == ((3,), "resigned")
    checked(table)


def test_the_links_of_who_is_out_are_empty_at_once() -> None:
    table = game(3)
    resign(table, 0)
    table.until("link")
    asking = table.game.asking
    assert asking is not None
    assert asking.seats == {1, 2}
    assert table.record[-1].kind == "timeout"
    assert table.record[-1].at == asking.since
    table.answer(1, 2)
    assert table.game.deals == 2
    checked(table)


def test_who_leaves_during_the_links_has_sent_them_or_not() -> None:
    for sent in (True, False):
        table = game(3)
        table.until("link")
        if sent:
            table.answer(0)
        resign(table, 0)
        table.answer(1, 2)
        assert table.game.deals == 2
        silent = [e for e in table.record if e.kind == "timeout" and e.body["kind"] == "link"]
        assert len(silent) == (0 if sent else 1)
        checked(table)


def test_exposing_goes_on_without_who_is_out() -> None:
    table = Table.hearts(4, 1, {"absent": "play"})
    table.until("move", topic="expose")
    step = table.game.step
    _, timeout = resign(table, 2)
    assert timeout.body == {"seat": 2, "kind": "move", "move": {"done": True}}
    assert table.game.asking is not None
    assert (table.game.step, table.game.asking.seats) == (step, {0, 1, 3})
    while table.game.asking is not None and table.game.asking.topic == "expose":
        table.step()
        assert table.game.asking is not None
        assert 2 not in table.game.asking.seats
    checked(table)


@pytest.mark.parametrize("kind", ["move", "resign", "draw"])
def test_who_is_out_sends_nothing_more(kind: str) -> None:
    table = game()
    seat = mover(table)
    who, seen = table.seats[seat], table.views[seat]
    move = who.move(seen, quietly(table, seat)) if kind == "move" else None
    resign(table, seat)
    message = move or (who.resign if kind == "resign" else who.offer_draw)(table.views[seat])
    with refused("seat_out", "/seat"):
        accept(table.keeper, table.game, message, table.now)
    crook = Crook.of(table)
    crook.enter(message, table.now)
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert (fault.code, fault.pointer.rsplit("/", 1)[1]) == ("seat_out", "actor")


def test_a_draw_needs_those_who_are_left() -> None:
    table = game(3)
    resign(table, 0)
    table.send(table.seats[1].offer_draw(table.views[1]))
    assert not table.game.over
    table.send(table.seats[2].offer_draw(table.views[2]))
    assert table.game.outcome is not None
    assert (table.game.outcome.winners, table.game.outcome.reason) == ((1, 2), "agreed")
    checked(table)


def test_a_draw_that_only_the_one_who_leaves_had_not_offered() -> None:
    table = game(3)
    for seat in (1, 2):
        table.send(table.seats[seat].offer_draw(table.views[seat]))
    assert not table.game.over
    resign(table, 0)
    assert table.game.outcome is not None
    assert (table.game.outcome.winners, table.game.outcome.reason) == ((1, 2), "agreed")
    checked(table)


def test_a_house_that_lets_a_seat_that_is_out_hold_the_game() -> None:
    table = game()
    seat = mover(table)
    entries = len(table.record)
    other = (seat + 1) % 4
    resign(table, seat)
    body = table.record[entries].body
    message = write_message(
        table.seats[other].private, table.game.header.game, table.game.step, other, "draw", body
    )
    crook = Crook.of(table)
    del crook.entries[entries + 1 :]
    crook.enter(message, table.now)
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert fault.code == "not_due"


def test_only_who_is_out_is_timed_out_before_the_time() -> None:
    table = game()
    seat = mover(table)
    resign(table, seat)
    timeout = table.record[-1]
    crook = Crook.of(table)
    del crook.entries[len(table.record) - 1 :]
    crook.write("timeout", {**timeout.body, "seat": (seat + 1) % 4}, timeout.step, timeout.at)
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert fault.code in ("not_asked", "not_due")


def test_a_game_with_a_seat_that_is_out_comes_back_from_its_row() -> None:
    table = game()
    resign(table, 0)
    again = load_game(json.loads(json.dumps(dump_game(table.game))), table.game.header)
    assert again == table.game
    assert [seat["out"] for seat in view(again, None)["seats"]] == [True, False, False, False]


def test_a_state_of_before_the_option_still_loads() -> None:
    table = game(absent="end")
    mode, data = table.game.rules, table.game.rules.dump(table.game.state)
    old = {name: value for name, value in data.items() if name not in ("plays_on", "gone")}
    assert mode.load(old, {}) == table.game.state


def test_pancake_is_for_two_and_ends() -> None:
    table = Table.chef()
    table.until("seal")
    assert table.game.rules.leave(table.game.state, 0) is None
    assert not table.game.gone
    with pytest.raises(Refused):
        Table.chef(options={"absent": "play"})

"""The third withheld link takes a seat out: of every mode, one seat and all at once (protocol 7)."""

from __future__ import annotations

from typing import Any

import pytest

from referee import Entry, record_bytes
from referee.game import Withheld
from referee.house import opening
from tests.referee.forger import report
from tests.referee.shuffled_kit import lowest
from tests.referee.table import Table, at_random, quietly

MODES: list[tuple[str, int, dict[str, Any]]] = [
    ("chef", 2, {}),
    ("hearts", 4, {}),
    ("flip", 3, {"target": 100}),
    ("cribbage", 3, {"games": 9}),
    ("cribbage", 4, {"games": 9}),
    ("cribbage", 2, {"games": 9}),
]


def withholding(mode: str, seats: int, silent: set[int], **options: Any) -> Table:
    """A game in which these seats send no link from the second deal on, and play everything else."""
    table = Table.chef(1) if mode == "chef" else Table.open(mode, seats, options=options, seed=1)
    if mode == "chef":
        table.choose = redrawing
    else:
        table.choose = at_random

    def keeps_back(table: Table, seat: int) -> bool:
        asking = table.game.asking
        return seat in silent and table.game.deals > 0 and asking is not None and asking.kind == "link"

    table.silent = keeps_back
    return table


def redrawing(table: Table, seat: int) -> Any:
    """Redraw while that is possible: each redraw is a deal."""
    game = table.game
    if game.asking is not None and game.asking.kind == "move":
        return {"choice": "redraw" if game.state.board.redraws[seat] < 6 else "keep"}
    return quietly(table, seat)


def withheld(table: Table, seat: int) -> int:
    found: int = table.game.seat(seat).withheld
    return found


def until_three(table: Table, seat: int, steps: int = 20_000) -> list[Entry]:
    """Play until this seat has withheld its third link; returns the entries from that time-out on."""
    for _ in range(steps):
        before = len(table.record)
        table.step()
        if withheld(table, seat) == 3:
            new = table.record[before:]
            late = [(i, e.body) for i, e in enumerate(new) if e.kind == "timeout"]
            mine = [i for i, body in late if (body["seat"], body["kind"]) == (seat, "link")]
            return new[mine[-1] :]
        assert not table.game.over, table.game.outcome
    raise AssertionError("no third link was asked for")


def checked(table: Table) -> None:
    """The record holds by the program, and by the page where it knows the mode."""
    found = report(table.record, unfinished=not table.game.over)
    assert found.valid, found.fault
    if table.game.over and table.game.rules.facts.name in ("chef", "hearts", "big-c"):
        pytest.importorskip("py_arkworks_bls12381")
        from tests.docs.page_record import verified

        outcome = table.game.outcome
        assert outcome is not None
        said = verified(record_bytes(table.record))
        assert said == {"points": [*outcome.points], "winners": [*outcome.winners], "reason": outcome.reason}


@pytest.mark.parametrize(("mode", "seats", "options"), MODES)
def test_the_third_withheld_link_loses(mode: str, seats: int, options: dict[str, Any]) -> None:
    table = withholding(mode, seats, {1}, **options)
    entries = until_three(table, 1)
    assert table.game.over
    assert "deal" not in [entry.kind for entry in entries], "no deal follows"
    outcome = table.game.outcome
    assert outcome is not None
    assert outcome.reason == "missed"
    partners = {1, 3} if (mode, seats) == ("cribbage", 4) else {1}
    others = [seat for seat in range(seats) if seat not in partners]
    assert outcome.winners
    best = max(outcome.points[seat] for seat in others)
    assert [*outcome.winners] == [seat for seat in others if outcome.points[seat] == best]
    checked(table)


@pytest.mark.parametrize(("mode", "seats", "options"), MODES)
def test_all_at_once(mode: str, seats: int, options: dict[str, Any]) -> None:
    """Nobody is taken out: the best win, or all of them where a draw is the rule."""
    table = withholding(mode, seats, {*range(seats)}, **options)
    until_three(table, seats - 1)
    outcome = table.game.outcome
    assert outcome is not None
    assert outcome.reason == "missed"
    draw = mode in ("chef", "cribbage")
    best = [s for s in range(seats) if draw or outcome.points[s] == max(outcome.points)]
    assert [*outcome.winners] == best
    checked(table)


@pytest.mark.parametrize(
    ("mode", "seats", "options"),
    [("hearts", 4, {}), ("flip", 3, {"target": 100}), ("cribbage", 3, {"games": 9})],
)
def test_a_table_may_play_on_without_the_seat(mode: str, seats: int, options: dict[str, Any]) -> None:
    table = withholding(mode, seats, {1}, absent="play", **options)
    entries = until_three(table, 1)
    assert "deal" in [entry.kind for entry in entries], "the deal follows, with an empty link"
    assert table.game.gone == {1}
    boards = {repr(fold.state.board) for fold in (table.game, table.spectator, *table.views)}
    assert len(boards) == 1
    for _ in range(200):
        if not table.game.over:
            table.step()
    checked(table)


def test_with_one_player_left_that_one_wins() -> None:
    table = withholding("hearts", 3, {1, 2}, absent="play")
    until_three(table, 1)
    outcome = table.game.outcome
    assert outcome is not None
    assert (outcome.winners, outcome.reason) == ((0,), "missed")
    checked(table)


def test_a_lone_player_who_withholds_three_ends_the_set() -> None:
    table = withholding("flip", 1, {0}, target=0)
    table.choose = quietly
    while not table.game.over:
        table.step()
    outcome = table.game.outcome
    assert outcome is not None
    checked(table)  # a lone game has one deal


@pytest.mark.parametrize("absent", ["end", "play"])
def test_in_big_c_while_the_hands_are_secret(absent: str) -> None:
    """Played cards are dealt again in the middle of a game: a fold without the hands plays it again."""
    table = withholding("big-c", 3, {1}, absent=absent, hand=27)
    table.choose = lambda table, seat: (at_random if table.rng.random() < 0.2 else lowest)(table, seat)
    for _ in range(5_000):
        if table.game.over:
            break
        table.step()
    assert table.game.over
    checked(table)


def test_who_goes_out_while_cards_are_hidden_is_out_when_they_are_shown() -> None:
    """A spectator plays the deals again once they are shown, and the seat goes out at the same place."""
    table = withholding("big-c", 4, {1}, absent="play", hand=27)
    table.choose = lowest
    until_three(table, 1)
    assert table.game.gone == {1}
    trail = table.spectator.trail
    assert trail is not None
    assert Withheld(frozenset({1})) in trail.items
    table.send(table.seats[0].resign(table.views[0]))
    table.send(table.seats[2].resign(table.views[2]))
    assert table.game.over
    assert table.spectator.trail is None
    checked(table)


def test_two_are_forgiven_and_moves_are_counted_apart() -> None:
    table = withholding("hearts", 3, {1})
    while withheld(table, 1) < 2:
        table.step()
    table.silent = lambda table, seat: False
    rounds = table.game.state.board.round
    while not table.game.over and table.game.state.board.round < rounds + 2:
        table.step()
    assert table.game.gone == frozenset()
    assert not table.game.over
    checked(table)


def test_a_seat_that_is_out_withholds_nothing() -> None:
    table = Table.hearts(4, 1, {"absent": "play"})
    table.choose = at_random
    table.until("move", topic="card")
    table.send(table.seats[3].resign(table.views[3]))
    while table.game.deals < 5:
        table.step()
    assert withheld(table, 3) == 0
    checked(table)


def test_without_the_clause_links_are_only_counted() -> None:
    """A record of before: a seat withholds as many as it likes."""
    table = withholding("hearts", 3, {1})
    header = table.game.header
    game, entries = opening(
        table.keeper, header.game, header.mode, {}, header.players, [], table.now, None, ()
    )
    bare = Table(table.keeper, table.seats, game, [], [], game, table.rng, table.now)
    bare.spectator, bare.views = game, [game] * 3
    bare.record = list(entries)
    bare.silent, bare.choose = table.silent, at_random
    while withheld(bare, 1) < 4:
        bare.step()
    assert not bare.game.over
    assert bare.game.gone == frozenset()
    checked(bare)


def test_an_early_link_is_no_withheld_one() -> None:
    """A chef who is away for the link step has sent the link with the reveal."""
    table = Table.chef(2, {"early_links": True})
    table.choose = quietly
    table.silent = lambda table, seat: (
        seat == 0
        and table.game.asking is not None
        and table.game.asking.kind == "link"
        and table.game.deals > 0
    )
    for _ in range(120):
        if not table.game.over:
            table.step()
    assert table.game.deals >= 4
    assert withheld(table, 0) == 0

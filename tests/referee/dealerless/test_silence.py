"""Silence at messages of a table without a dealer; each record is verified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee import Entry, apply
from referee.dealerless.masked import InPlay
from tests.referee.dealerless.kit import Dealerless, verified
from tests.referee.forger import Crook, refused
from tests.referee.table import Table


def timeouts(table: Table, seat: int, kind: str) -> list[Entry]:
    """The time-outs of a seat for a kind of message."""
    late = [e for e in table.record if e.kind == "timeout" and e.body["kind"] == kind]
    return [e for e in late if e.body["seat"] == seat]


def late(kind: str, times: int, *seats: int, deals: int = 0, topic: str | None = None) -> Any:
    """Let these seats be silent at a kind of message so many times each, once so many deals were dealt."""

    def silent(table: Table, seat: int) -> bool:
        asking = table.game.asking
        if asking is None or seat not in seats or asking.kind != kind or table.game.deals < deals:
            return False
        return topic in (None, asking.topic) and len(timeouts(table, seat, kind)) < times

    return silent


def table_of(mode: str, seats: int, silent: Callable[[Table, int], bool], **options: Any) -> Dealerless:
    table = Dealerless.sit(mode, seats, seed=seats, **options)
    table.silent = silent
    return table


def kinds(table: Table) -> list[tuple[str, str]]:
    return [(entry.kind, entry.actor) for entry in table.record]


# Before the deal


@pytest.mark.parametrize("absent", ["end", "play"])
def test_who_does_not_lock_the_first_pack_loses_the_game(absent: str) -> None:
    table = table_of("cribbage", 3, late("lock", 1, 1), absent=absent)
    outcome = table.play().outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("link_withheld", (0, 2))
    verified(table)


def test_nobody_locks_and_the_game_is_void() -> None:
    outcome = table_of("hearts", 3, late("lock", 1, 0, 1, 2)).play().outcome
    assert outcome is not None
    assert outcome.winners == ()


@pytest.mark.parametrize("kind", ["mix"])
@pytest.mark.parametrize("who", [(0, 2)])
def test_who_does_not_mix_or_share_is_left_out_of_a_new_attempt(kind: str, who: tuple[int, ...]) -> None:
    table = table_of("cribbage", 3, late(kind, 1, *who))
    table.until("move", topic="cut")
    assert isinstance(table.game.masked, InPlay)
    assert table.game.masked.pack.seats == tuple(seat for seat in range(3) if seat not in who)
    attempts = sum(entry == ("lock", "house") for entry in kinds(table))
    assert attempts == 1 + (len(who) if kind == "mix" else 1), "a share step loses all who are late at once"
    assert table.game.deals == 1
    assert not any(table.game.state.board.missed), "it is no miss"
    verified(table)


def test_time_outs_of_a_share_enter_in_seat_order() -> None:
    """Shares are held until all are in, as other answers that wait."""
    table = table_of("cribbage", 3, lambda table, seat: False)
    table.until("share")
    asking = table.game.asking
    assert asking is not None
    for seat in (1, 2):
        body = {"seat": seat, "kind": "share", "move": None}
        entry = Crook.of(table).write("timeout", body, asking.step, asking.deadline_of(seat) + 1)
        with refused("out_of_order", "/actor"):
            apply(table.spectator, entry)


@pytest.mark.parametrize("stage", ["mix"])
@pytest.mark.parametrize("absent", ["play"])
def test_resigning_while_a_deal_is_made(stage: str, absent: str) -> None:
    table = table_of("cribbage", 3, lambda table, seat: False, absent=absent)
    table.until_deal(1)
    table.until(stage)
    table.send(table.seats[2].resign(table.spectator))
    if absent == "end":
        assert table.game.outcome is not None
        assert table.game.outcome.winners == (0, 1)
    else:
        table.until("move", topic="card")
        assert table.game.masked is not None
        assert table.game.masked.pack.seats == (0, 1)
        assert table.game.gone == {2}
    verified(table)


# After the deal


@pytest.mark.parametrize(("kind", "topic"), [("move", "card")])
def test_the_third_time_costs_the_game_of_two(kind: str, topic: str | None) -> None:
    table = table_of("cribbage", 2, late(kind, 3, 1, topic=topic), absent="play")
    game = table.play()
    assert [entry.kind for entry in table.record][-2:] == ["annul", "result"]
    assert table.record[-2].body == {"deal": game.deals, "seats": [1]}
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("withheld", (0,))
    verified(table)


@pytest.mark.parametrize("absent", ["play"])
def test_two_who_are_late_together_draw(absent: str) -> None:
    table = table_of("cribbage", 2, late("move", 3, 0, 1, topic="lay"), absent=absent)
    game = table.play()
    assert table.record[-2].body["seats"] == [0, 1]
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.winners) == ("withheld", (0, 1))
    verified(table)


def test_held_answers_wait_until_nobody_is_asked_again() -> None:
    table = table_of("cribbage", 3, late("move", 2, 1, topic="lay"))
    table.until("move", topic="starter")
    laid = [e for e in table.record if e.step == timeouts(table, 1, "move")[0].step]
    assert [(e.kind, e.actor) for e in laid if e.kind in ("timeout", "move")] == [
        ("timeout", "house"),
        ("timeout", "house"),
        ("move", "0"),
        ("move", "1"),
        ("move", "2"),
    ]
    verified(table)


def test_what_was_held_enters_before_the_deal_is_void() -> None:
    table = table_of("cribbage", 3, late("move", 3, 1, topic="lay"), absent="play")
    table.until_deal(2)
    table.until("lock")
    step = timeouts(table, 1, "move")[0].step
    laid = [e for e in table.record if e.step == step and e.kind in ("timeout", "move", "annul")]
    assert [(e.kind, e.actor) for e in laid] == [
        *[("timeout", "house")] * 3,
        ("move", "0"),
        ("move", "2"),
        ("annul", "house"),
    ]
    verified(table)


def test_who_resigned_is_not_waited_for_once_a_card_of_its_is_needed() -> None:
    table = table_of("hearts", 3, lambda table, seat: False, absent="play")
    table.until("move", topic="card")
    mover = table.game.state.board.mover
    gone = (mover + 1) % 3
    table.send(table.seats[gone].resign(table.spectator))
    assert table.record[-1].kind == "resign", "the deal goes on until it needs a card"
    table.step()
    tail = [e.kind for e in table.record]
    assert tail[tail.index("resign") :][:5] == ["resign", "move", "timeout", "annul", "lock"]
    annul = next(entry for entry in table.record if entry.kind == "annul")
    assert annul.body["seats"] == [gone]
    verified(table)

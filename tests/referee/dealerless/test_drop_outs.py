"""Seats that leave at every message of every phase: the game goes on as it must, and its record verifies.

The kit holds each snapshot to the fold on the way, and the house's fold to everybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from cards.games.contract import Missed
from cards.games.hearts.table import EXPOSABLE
from referee.dealerless.masked import InPlay
from tests.referee.dealerless.kit import Dealerless, verified
from tests.referee.table import Table, at_random

pytestmark = pytest.mark.slow

Where = tuple[str, str | None]
"""A kind of message, and the topic of a move."""
MAKING: tuple[Where, ...] = (("lock", None), ("mix", None), ("share", None))
PLACES: dict[str, tuple[Where, ...]] = {
    "hearts": (*MAKING, ("move", "expose"), ("move", "card"), ("unlock", None)),
    "cribbage": (
        *MAKING,
        *(("move", topic) for topic in ("cut", "lay", "starter", "card", "claim", "answer")),
        ("unlock", None),
    ),
    "flip": (*MAKING, ("move", "cook"), ("move", "serve"), ("unlock", None)),
    "big-c": (*MAKING, ("move", "present"), ("move", "lead"), ("move", "follow"), ("unlock", None)),
}
GIVEN = ("expose", "cut", "starter", "claim", "answer", "serve", "follow")
"""The topics for which the rules know a move without seeing the hand."""


def exposing(table: Table, seat: int) -> Any:
    """Expose whatever can be, and else play at random."""
    game = table.views[seat]
    held = [p for p in game.state.board.hands[seat] if game.state.faces.get(p) in EXPOSABLE]
    if game.state.board.phase == "expose" and held:
        return {"expose": min(held), "card": game.state.faces[min(held)]}
    return at_random(table, seat)


def hiding(table: Table, seat: int) -> Any:
    """Expose nothing, and else play at random."""
    return {"done": True} if table.game.state.board.phase == "expose" else at_random(table, seat)


def table_of(mode: str, seats: int, seed: int = 0, **options: Any) -> Dealerless:
    """A fresh table; whoever can exposes cards, and players count by themselves."""
    if mode == "cribbage":
        options = {"count": "muggins", "target": "61", **options}
    if mode == "flip":
        options = {"target": 100, **options}
    if mode == "big-c":
        options = {
            "hand": 27,
            **options,
        }  # so the stock is gone at once, and the played cards are dealt again
    table = Dealerless.sit(mode, seats, seed=7 * seats + 100 * seed, **options)
    if mode == "hearts":
        table.choose = exposing
    return table


@cache
def dealt(mode: str, seats: int, seed: int, absent: str, hides: bool) -> Dealerless:
    """A table whose first deal is made; it is forked, never played on."""
    table = table_of(mode, seats, seed, absent=absent)
    if hides:
        table.choose = hiding
    table.until_deal(1)
    return table


@cache
def to_be_dealt(mode: str, seats: int, seed: int, absent: str) -> Dealerless:
    """A table that has played its first deal and makes the second; it is forked, never played on."""
    table = dealt(mode, seats, seed, absent, hides=False).copy()
    table.until("lock")
    return table


def silent_at(where: Where, times: int, *seats: int) -> Callable[[Table, int], bool]:
    """These seats are silent in one deal, so many times each, at one kind of message; not before a deal."""
    kind, topic = where
    begun: list[int] = []

    def silent(table: Table, seat: int) -> bool:
        game = table.game
        if seat not in seats or game.asking is None or game.asking.kind != kind or game.deals == 0:
            return False
        if topic not in (None, game.asking.topic) or begun[:1] not in ([], [game.deals]):
            return False
        late = [e for e in table.record if e.kind == "timeout" and e.body["seat"] == seat]
        if sum(e.body["kind"] == kind for e in late) >= times:
            return False
        begun.append(game.deals)
        return True

    return silent


def annulments(table: Table) -> list[Any]:
    return [entry.body for entry in table.record if entry.kind == "annul"]


def play_on(table: Dealerless, done: Callable[[Table], bool], steps: int = 600) -> None:
    """Play until the game is over, or `done` says so."""
    for _ in range(steps):
        if table.game.over or done(table):
            return
        table.step()
    raise AssertionError("the game does not get there")


def missed(table: Table, seat: int) -> list[Any]:
    late = [entry.body for entry in table.record if entry.kind == "timeout"]
    return [body for body in late if body["seat"] == seat]


def silenced(mode: str, seats: int, where: Where, times: int, absent: str, who: int) -> Dealerless:
    """A game up to the last time that a seat is silent."""
    _, topic = where
    enough = 1 if where in MAKING else times
    # Some moves are not asked for so often. A search is over once its card is shown: another deal is tried.
    last = 2 if topic in GIVEN else 1 if (mode, where[0]) == ("hearts", "unlock") else 100
    for seed in range(100):
        # Nobody is silent before the first deal, or while it is played if the next one's making is meant.
        if where in MAKING:
            table = to_be_dealt(mode, seats, seed, absent).copy()
        else:  # four exposed cards would end the exposing before its time
            table = dealt(mode, seats, seed, absent, hides=topic == "expose").copy()
        table.silent = silent_at(where, times, who)
        play_on(table, lambda table: len(missed(table, who)) >= enough or table.game.deals > last)
        if len(missed(table, who)) >= (1 if topic in GIVEN else enough):
            return table
    raise AssertionError("the seat is never asked")


def leave(mode: str, seats: int, where: Where, times: int, absent: str) -> None:
    """A seat is silent so many times; then the game goes on for another deal, or is over."""
    who, topic = 1, where[1]
    table = silenced(mode, seats, where, times, absent, who)
    late, deal = missed(table, who), table.game.deals
    if where in MAKING or topic in GIVEN:
        assert all((body["move"] is None) == (where in MAKING) for body in late)
        assert not annulments(table)
    else:
        assert [body["move"] for body in late] == [None] * times
    table.silent = lambda table, seat: False
    play_on(table, lambda table: table.game.deals > deal + 1)
    outcome = table.game.outcome
    if where in MAKING or times < 3 or topic in GIVEN:
        assert not annulments(table)
    else:
        assert annulments(table)[0]["seats"] == [who]
        assert (outcome is not None and outcome.reason == "withheld") or who in table.game.gone
        assert outcome is None or who not in outcome.winners
    verified(table)


def cases() -> Iterator[Any]:
    """Each place; the third time, and once for a seat in the making. The rest is tried at length."""
    for mode, places in PLACES.items():
        for where in places:
            for times in (1, 2, 3):
                for absent in ("play", "end"):
                    short = times == (1 if where in MAKING else 3) and absent == "play"
                    marks = () if short else (pytest.mark.long,)
                    name = f"{mode}-{where[1] or where[0]}-{times}-{absent}"
                    yield pytest.param(mode, where, times, absent, id=name, marks=marks)


@pytest.mark.parametrize(("mode", "where", "times", "absent"), [*cases()])
def test_a_seat_falls_silent(mode: str, where: Where, times: int, absent: str) -> None:
    leave(mode, 3, where, times, absent)


@pytest.mark.long
@pytest.mark.parametrize("where", [("lock", None), ("share", None), ("move", "card")])
@pytest.mark.parametrize(("mode", "seats"), [("hearts", 5), ("hearts", 6), ("cribbage", 2), ("cribbage", 4)])
def test_a_seat_falls_silent_among_fewer_or_more(mode: str, seats: int, where: Where) -> None:
    leave(mode, seats, where, 3 if where[0] == "move" else 1, "play")


@pytest.mark.parametrize(("mode", "seats"), [("hearts", 4), ("cribbage", 4)])
def test_one_deal_after_another_is_void_until_too_few_are_left(mode: str, seats: int) -> None:
    table = table_of(mode, seats, absent="play")
    table.silent = lambda table, seat: table.game.asking is not None and table.game.asking.topic == "card"
    outcome = table.play(400).outcome
    assert outcome is not None
    assert outcome.reason == "withheld"
    named = [seat for body in annulments(table) for seat in body["seats"]]
    assert len(named) == len({*named}), "who is out is out"
    assert not {*named} & {*outcome.winners}
    assert len(annulments(table)) > 1
    deals = [entry.body["deal"] for entry in table.record if entry.kind == "deal"]
    assert deals == [*range(1, len(deals) + 1)], "a void deal keeps its number"
    verified(table)


@pytest.mark.parametrize("where", [*MAKING, ("unlock", None)])
def test_all_fall_silent_at_once(where: Where) -> None:
    table = table_of("cribbage", 2, absent="play")
    table.until_deal(1)
    table.until("lock")
    deal = 1 if where in MAKING else 2

    def silent(table: Table, seat: int) -> bool:
        asking = table.game.asking
        return asking is not None and asking.kind == where[0] and table.game.deals == deal

    table.silent = silent
    if where in MAKING:
        table.until("move", topic="lay")
        assert isinstance(table.game.masked, InPlay)
        assert not table.game.masked.pack.seats, "the house deals alone, and all hands lie open"
        assert table.game.state.faces.keys() >= {*range(12)}
        assert not any(table.game.state.board.missed)
    else:
        outcome = table.play(400).outcome
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("withheld", (0, 1)), "all are late: a draw"
    table.silent = lambda table, seat: False
    play_on(table, lambda table: table.game.deals > 3)
    verified(table)


RESIGNED: tuple[tuple[str, Where, str], ...] = (
    *(("cribbage", where, "play") for where in (*MAKING, ("move", "card"), ("unlock", None))),
    ("hearts", ("move", "card"), "end"),
    ("hearts", ("unlock", None), "end"),
)


@pytest.mark.parametrize(("mode", "where", "absent"), RESIGNED)
def test_a_seat_resigns(mode: str, where: Where, absent: str) -> None:
    table = table_of(mode, 3, absent=absent)
    table.until_deal(1)
    table.until(where[0], topic=where[1])
    deal = table.game.deals
    table.send(table.seats[2].resign(table.spectator))
    play_on(table, lambda table: table.game.deals > deal + 1)
    outcome = table.game.outcome
    if absent == "end":
        assert outcome is not None
        assert (outcome.reason, outcome.winners) == ("resigned", (0, 1))
    else:
        assert table.game.gone == {2}
        assert isinstance(table.game.masked, InPlay)
        assert 2 not in table.game.masked.pack.seats
    verified(table)


@pytest.mark.parametrize("kind", ["mix", "move"])
def test_a_draw_is_agreed_on_while_a_deal_is_made_and_in_play(kind: str) -> None:
    table = table_of("cribbage", 3)
    table.until_deal(1)
    table.until("lock")
    table.until(kind)
    for seat in range(3):
        table.send(table.seats[seat].offer_draw(table.spectator))
    outcome = table.game.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("agreed", (0, 1, 2))
    assert verified(table).game == table.spectator


def test_a_seat_left_out_of_a_deal_plays_an_open_hand_without_a_proof() -> None:
    table = table_of("hearts", 3, absent="play")
    table.silent = lambda table, seat: (
        seat == 1 and table.game.asking is not None and table.game.asking.kind == "mix"
    )
    table.until("move", topic="card")
    assert isinstance(table.game.masked, InPlay)
    assert table.game.masked.pack.seats == (0, 2)
    play_on(table, lambda table: len(table.game.state.board.collected[0]) >= 6)
    moves = [entry.body for entry in table.record if (entry.kind, entry.actor) == ("move", "1")]
    assert moves
    assert all(body.keys() == {"move", "seen"} for body in moves)
    assert not any(isinstance(choice, Missed) for choice in table.game.choices.values())
    verified(table)


# Whole games


@pytest.mark.parametrize(("mode", "seats"), [("hearts", 3), ("cribbage", 2)])
def test_a_round_without_silence(mode: str, seats: int) -> None:
    table = table_of(mode, seats)
    deals = 1 if mode == "hearts" else 3
    play_on(table, lambda table: table.game.deals > deals)
    accounts = [entry for entry in table.record if entry.kind == "account"]
    assert accounts
    assert verified(table).checked["proofs"] > 30


@pytest.mark.long
@pytest.mark.parametrize(("mode", "seats"), [("cribbage", 2), ("cribbage", 3), ("cribbage", 4)])
@pytest.mark.parametrize("absent", ["play", "end"])
def test_whole_games_of_cribbage_with_silence_anywhere(mode: str, seats: int, absent: str) -> None:
    table = table_of(mode, seats, absent=absent, target="121")
    table.silent = lambda table, seat: table.game.deals > 0 and table.rng.random() < 0.05
    assert table.play(4_000).over
    verified(table)


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_many_rounds_of_hearts_with_silence_anywhere(seats: int) -> None:
    table = table_of("hearts", seats, absent="play")
    table.silent = lambda table, seat: table.game.deals > 0 and table.rng.random() < 0.02
    play_on(table, lambda table: table.game.deals > 8, steps=3_000)
    verified(table)

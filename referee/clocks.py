"""The time that a seat may take: the clock of each step, and the seat's time bank for the whole game.

Both follow from the times in the record alone (protocol section 10.6). Where the game has the clause
`away`, they stand still while the house is away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from crypto.encoding import timestamp
from referee.bodies import fields, instant
from referee.errors import need
from referee.game import BANKED, Asking, Game
from referee.header import AWAY
from referee.record import Entry

FLOOR = 5_000
"""Milliseconds that a seat with an empty bank has for a step. It is the shortest clock, so play can go on."""

LEAST_BACK = 30_000
"""Milliseconds that a clock has at least when the house is back. Each absence counts as so long at least."""
MOST_AWAY = 24 * 3_600_000
"""Milliseconds that the house may be away in a game, by all its absences together."""


def rest(game: Game, seat: int) -> int | None:
    """The time left in a seat's bank before the running step, in milliseconds; None without limit."""
    bank = game.header.bank
    return None if bank is None else max(bank - game.seat(seat).thought, 0)


def deadlines(game: Game, seats: Iterable[int], how: str, clock: str) -> dict[int, int]:
    """The deadline of each of `seats` in a step that the newest entry begins, in milliseconds since 1970."""
    full = game.header.clock(clock)
    found = {}
    for seat in sorted(seats):
        left = rest(game, seat) if how in BANKED else None
        found[seat] = game.at + (full if left is None else min(full, max(left, FLOOR)))
    return found


def charged(before: Game, after: Game, at: int) -> Game:
    """`after`, with the bank charged of every seat that the entry at `at` freed from its ask.

    These are the seats that answered or were timed out, and all others of a step that has ended. No seat
    is charged past its own deadline, since later time is the house's, nor for what an absence has added.
    """
    asking, now = before.asking, after.asking
    if after.header.bank is None or asking is None or not asking.banked:
        return after
    still = frozenset[int]() if now is None else now.seats
    for seat in asking.seats - still:
        thought = min(at, asking.deadline_of(seat) - asking.given.get(seat, 0)) - asking.since
        after = after.with_seat(seat, thought=after.seat(seat).thought + thought)
    return after


def late(before: Game, entry: Entry) -> bool:
    """Tell whether the seat of a time-out missed its deadline, judged by the game before the entry.

    Otherwise the house answered at once, for a seat that is out or has no choice (protocol section 10).
    """
    asking, seat = before.asking, entry.body["seat"]
    return (
        asking is not None
        and entry.step == asking.step
        and seat in asking.seats - before.gone
        and entry.at > asking.deadline_of(seat)
    )


# Absences of the house


def absence_body(began: int, ended: int) -> Mapping[str, Any]:
    """The body of `away`: the house was away from `began` to `ended`, in milliseconds since 1970."""
    return {"from": timestamp(began), "until": timestamp(ended)}


def counted(began: int, ended: int) -> int:
    """The milliseconds that an absence counts of those that a game allows."""
    return max(ended - began, LEAST_BACK)


def allowed(game: Game, began: int, ended: int) -> tuple[int, int] | None:
    """The part of an absence that the house may enter in a game now; None if there is none."""
    room, began = MOST_AWAY - game.away, max(began, game.at)
    stands = isinstance(game.phase, Asking) and AWAY in game.header.clauses
    if not stands or room < LEAST_BACK or began >= ended:
        return None
    return began, min(ended, began + room)


def resumed(game: Game, asking: Asking, entry: Entry) -> Game:
    """The game after an `away`: each clock that ran gets back what it had left, and at least 30 s.

    A seat whose time was up before the house went away is late as before (protocol section 10.6).
    """
    announced = AWAY in game.header.clauses
    need(announced, "not_announced", "the first entry of this game does not name the clause", "/kind")
    body = fields(entry.body, ("from", "until"), "/body")
    began, ended = instant(body["from"], "/body/from"), instant(body["until"], "/body/until")
    need(entry.step == asking.step, "wrong_step", f"the running step is {asking.step}", "/step")
    present = "the house has written an entry after that time, so it was not away"
    need(began >= game.at, "was_there", present, "/body/from", "protocol 10.6")
    need(began < ended, "bad_time", "an absence ends after it begins", "/body/until", "protocol 10.6")
    over = "an absence is over before it is entered"
    need(ended <= entry.at, "bad_time", over, "/body/until", "protocol 10.6")
    away = game.away + counted(began, ended)
    need(away <= MOST_AWAY, "away_too_long", "a game allows 24 hours in all", "/body/until", "protocol 10.6")
    until, given = dict(asking.until), dict(asking.given)
    for seat in asking.seats:
        left = asking.deadline_of(seat) - began
        if left >= 0:
            until[seat] = ended + max(left, LEAST_BACK)
            given[seat] = given.get(seat, 0) + max(LEAST_BACK - left, 0)
    asking = replace(asking, since=asking.since + ended - began, until=until, given=given)
    return replace(game, phase=asking, away=away)

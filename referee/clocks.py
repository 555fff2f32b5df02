"""The time that a seat may take: the clock of each step, and the seat's time bank for the whole game.

Both follow from the times in the record alone (protocol section 10.6).
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.game import BANKED, Game
from referee.record import Entry

FLOOR = 5_000
"""Milliseconds that a seat with an empty bank has for a step. It is the shortest clock, so play can go on."""


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
    is charged past its own deadline, since later time is the house's.
    """
    asking, now = before.asking, after.asking
    if after.header.bank is None or asking is None or not asking.banked:
        return after
    still = frozenset[int]() if now is None else now.seats
    for seat in asking.seats - still:
        thought = min(at, asking.deadline_of(seat)) - asking.since
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

"""How long a seat may take: the clock of the step, and the bank that it has for the whole game.

All of it follows from the times in the record alone (protocol section 10.6).
"""

from __future__ import annotations

from collections.abc import Iterable

from referee.game import BANKED, Game
from referee.record import Entry

FLOOR = 5_000
"""Milliseconds that an empty bank leaves for a step: the shortest clock there is, so that play can go on."""


def rest(game: Game, seat: int) -> int | None:
    """What is left of a seat's bank, in milliseconds, the step that runs not counted; None without limit."""
    bank = game.header.bank
    return None if bank is None else max(bank - game.seat(seat).thought, 0)


def deadlines(game: Game, seats: Iterable[int], how: str, clock: str) -> dict[int, int]:
    """The deadline of each of `seats` in a step that the newest entry asks, in milliseconds since 1970."""
    full = game.header.clock(clock)
    found = {}
    for seat in sorted(seats):
        left = rest(game, seat) if how in BANKED else None
        found[seat] = game.at + (full if left is None else min(full, max(left, FLOOR)))
    return found


def charged(before: Game, after: Game, at: int) -> Game:
    """`after`, with the time taken from the bank of every seat that the entry at `at` has let off.

    That is who answered or was timed out, and everybody else whom a step that began anew had asked.
    Nobody is charged past the own deadline: what comes later is the house's time.
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
    """Whether a time-out, by the game before it, says that its seat let the time pass.

    Else the house has answered at once, for a seat that is out or has no choice (protocol section 10).
    """
    asking, seat = before.asking, entry.body["seat"]
    return (
        asking is not None
        and entry.step == asking.step
        and seat in asking.seats - before.gone
        and entry.at > asking.deadline_of(seat)
    )

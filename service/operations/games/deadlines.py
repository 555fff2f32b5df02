"""Deadlines: when the house must act next in a game. It stands in the game's row, as `due_at`."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from sqlmodel import Session

from referee import Game, due
from service import publisher
from service.live import Sitter
from service.models import GameSeat
from service.operations import envelopes
from service.operations.games.rows import seats_of, waiting_seats
from service.runtime import Runtime

GRACE_MS = 500
"""The milliseconds after a deadline in which the house still checks messages that arrived in time."""
BOT_PATIENCE_MS = 1_000
"""The milliseconds without a bot's answer after which the sweep asks again: the wake-up may be lost."""


def time_in(house: Runtime, fold: Game) -> int:
    """The time in a game. It never runs back, so no complete step waits for a clock that was put back."""
    return max(house.now(), fold.at)


def next_due(house: Runtime, session: Session, fold: Game, seats: Sequence[Sitter]) -> int | None:
    """Return when the house must act next, in milliseconds since 1970; None when the game is over.

    Workers are woken after the commit where there is something to do now. If a wake-up is lost, the sweep
    acts at the time that is returned.
    """
    now = house.now()
    waiting = waiting_seats(session, fold)
    at = due(fold, waiting, GRACE_MS)
    if at is None:
        return None
    game_id = fold.header.game
    if at <= time_in(house, fold):
        at = min(at, now)
        house.wake(session, publisher.RESOLVE, game_id)
    called = _called(fold, waiting)
    if any(sitter.bot is not None and sitter.seat in called for sitter in seats):
        at = min(at, now + BOT_PATIENCE_MS)
        house.wake(session, publisher.BOTS, game_id)
    if envelopes.to_open(session, fold, waiting):
        at = min(at, now + envelopes.patience(now - fold.at))
        house.wake(session, publisher.OPEN, game_id)
    return at


def bots_asked(session: Session, fold: Game, waiting: Any) -> list[tuple[GameSeat, str]]:
    """The house's bots that still have to answer or owe a reveal: each seat, with the bot's name.

    `waiting` holds the seats whose messages wait beside the record.
    """
    called = _called(fold, waiting)
    if not called:
        return []
    seats = seats_of(session, fold.header.game)
    return [(seat, seat.bot) for seat in seats if seat.bot is not None and seat.seat in called]


def _called(fold: Game, waiting: Set[int]) -> Set[int]:
    """The seats that still have to answer or owe a reveal, and have not left."""
    asking = fold.asking
    if asking is None or fold.over:
        return frozenset()
    called = {seat for seat in asking.seats if seat not in waiting}
    called |= {seat for seat in fold.header.seats if fold.seat(seat).owed is not None}
    return called - fold.gone

"""Resolving: closing a step that is complete, or whose time is up."""

from __future__ import annotations

from sqlmodel import Session

from referee import close, due
from service.live import LiveGame
from service.operations import game_log
from service.operations.games.deadlines import GRACE_MS, time_in
from service.operations.games.ending import drop_waiting
from service.operations.games.rows import (
    brought_up,
    keeper_of,
    live_game,
    returned,
    standing,
    waiting_of,
)
from service.operations.games.saving import reschedule, save
from service.problems import Problem
from service.runtime import Runtime


def resolve(house: Runtime, game_id: str) -> int:
    """Do what is due in a game: close a step that is complete or whose time is up. Idempotent.

    Returns the number of appended entries.
    """
    try:
        live = live_game(house, game_id)
    except Problem:  # there is no such game
        return 0
    with house.write() as session:
        return _resolve(house, session, live)


def _resolve(house: Runtime, session: Session, live: LiveGame) -> int:
    at = standing(session, live.id, lock=True)
    if at.stopped:
        return 0
    live, fold = brought_up(house, session, live, at)
    if not at.attendance.covers(house.now()):
        return 0  # the house is away, or back and has not said so yet: the sweep comes again
    before, (fold, entries) = fold, returned(house, session, fold, at)
    now, waiting = time_in(house, fold), waiting_of(session, fold)
    when = due(fold, waiting.keys(), GRACE_MS)
    if when is None or now < when:
        if entries:
            save(house, session, live, before, fold, entries)
        else:
            reschedule(house, session, live, fold)
        return len(entries)
    after, closing = close(keeper_of(house, fold), fold, waiting, now, GRACE_MS)
    if after.asking is None or after.asking.step != fold.step:
        drop_waiting(session, live.id, fold.step)  # else a seat is asked again, and the others have answered
    game_log.closed(session, fold, now - when, len(closing))
    save(house, session, live, before, after, [*entries, *closing])
    return len(entries) + len(closing)

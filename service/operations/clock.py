"""The sweep over deadlines: claim the games that are due."""

from __future__ import annotations

from sqlalchemy import update
from sqlmodel import col, select

from service import metrics
from service.models import GameRow
from service.operations.presence import attendance
from service.runtime import Runtime

CLAIM_MS = 2_000
"""The milliseconds that a sweep's claim on a game lasts. A game that is not done by then is due again."""


def due(house: Runtime, limit: int) -> list[str]:
    """Claim at most `limit` games that are due, the longest overdue first; returns their ids.

    While the house is away none is claimed: it would date what it writes within its own absence.

    Two sweeps never claim the same game at the same time: on PostgreSQL a sweep skips locked rows, and SQLite
    has one writer. A claim that ends much later than `CLAIM_MS` from now was made before the clock was put
    back, and no longer counts. One that ends a little later was made by another process just now, or with a
    clock that is ahead.
    """
    now = house.now()
    free = (col(GameRow.claimed_until) <= now) | (col(GameRow.claimed_until) > now + 2 * CLAIM_MS)
    overdue = (
        select(GameRow.id, GameRow.due_at)
        .where(col(GameRow.due_at) <= now, free)
        .order_by(col(GameRow.due_at))
        .limit(limit)
    )
    with house.read() as session:
        if session.exec(overdue.limit(1)).first() is None or not attendance(session).covers(now):
            return []
    with house.write() as session:
        found = dict(session.exec(overdue.with_for_update(skip_locked=True)).all())
        session.execute(
            update(GameRow).where(col(GameRow.id).in_(found)).values(claimed_until=now + CLAIM_MS)
        )
    for due_at in found.values():
        metrics.sweep_lag.observe((now - (due_at or now)) / 1000)
    return list(found)

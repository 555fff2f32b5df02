"""The clock of the house: which games are due."""

from __future__ import annotations

from sqlalchemy import update
from sqlmodel import col, select

from service.house import House
from service.models import Game

CLAIM_MS = 2_000
"""How long a sweep keeps a game to itself; what was not done by then is due again."""


def due(house: House, limit: int) -> list[str]:
    """Claim at most `limit` games whose time has come, the longest overdue first; returns their ids.

    Two sweeps never claim the same game at the same time: on PostgreSQL rows that another one
    holds are skipped, on SQLite there is one writer.
    """
    now = house.now()
    overdue = (
        select(Game.id)
        .where(col(Game.due_at) <= now, Game.claimed_until <= now)
        .order_by(col(Game.due_at))
        .limit(limit)
    )
    with house.read() as session:
        if session.exec(overdue.limit(1)).first() is None:
            return []
    with house.write() as session:
        claimed = list(session.exec(overdue.with_for_update(skip_locked=True)))
        session.execute(update(Game).where(col(Game.id).in_(claimed)).values(claimed_until=now + CLAIM_MS))
        return claimed

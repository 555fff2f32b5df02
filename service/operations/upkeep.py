"""Operations on all games at once, for the operator of the house."""

from __future__ import annotations

from sqlalchemy import func
from sqlmodel import Session, col, select

from service.models import GameEntry, GameRow, Player
from service.operations.games import stop


def stop_running(session: Session, at: int) -> int:
    """End every running game without a result, as of `at`; returns how many games it ended."""
    rows = list(session.exec(select(GameRow).where(col(GameRow.ended_at).is_(None)).with_for_update()))
    for row in rows:
        stop(session, row, at)
    return len(rows)


def running_by_key(session: Session) -> dict[str, int]:
    """The number of running games, by the house key that they name (base64url)."""
    key = GameEntry.entry["body"]["house_key"].as_string()
    statement = (
        select(key, func.count())
        .join(GameRow, col(GameRow.id) == col(GameEntry.game_id))
        .where(col(GameRow.ended_at).is_(None), GameEntry.seq == 0)
        .group_by(key)
    )
    return {str(name): int(count) for name, count in session.execute(statement)}


def in_use(session: Session) -> bool:
    """Tell whether anybody has ever registered here."""
    return session.exec(select(Player.id).limit(1)).first() is not None

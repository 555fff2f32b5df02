"""A player's box: one locked file that the house keeps for the player's other devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import Session, col, select

from service.models import Box, Player
from service.problems import Fault, invalid
from service.runtime import Runtime

LONGEST = 60_000
"""The most characters of a file. A request with one fits under the usual limit of bodies."""


@dataclass(frozen=True, slots=True)
class BoxContents:
    """What lies in a box; None for nothing."""

    file: str | None
    changed_at: int | None
    """Milliseconds since 1970."""


def look(session: Session, player_id: str) -> BoxContents:
    """What lies in a player's box."""
    row = session.get(Box, player_id)
    return BoxContents(None, None) if row is None else BoxContents(row.file, row.changed_at)


def put(house: Runtime, player_id: str, file: str | None, check: Callable[[object], None]) -> BoxContents:
    """Put a file into a player's box, or with None empty it.

    `check` is called under the lock with what lies there. Raises `Problem` 422 for a file that is too long.
    """
    if file is not None and not 1 <= len(file) <= LONGEST:
        detail = f"A file in a box has from 1 to {LONGEST} characters; this one has {len(file)}."
        raise invalid("box_too_large", detail, [Fault("box_too_large", detail, "/file")])
    with house.write() as session:
        # The player's row is locked, so that two devices can't both put the first file.
        session.exec(
            select(Player.id).where(col(Player.id) == player_id).with_for_update(key_share=True)
        ).one()
        check(look(session, player_id))
        row = session.get(Box, player_id)
        if file is None:
            if row is not None:
                session.delete(row)
            return BoxContents(None, None)
        now = house.now()
        if row is None:
            session.add(Box(player_id=player_id, file=file, changed_at=now))
        else:
            row.file, row.changed_at = file, now
        return BoxContents(file, now)

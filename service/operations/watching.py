"""Looking at games: what a seat or a spectator may see, the record, who plays what."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from referee import Game as Fold
from referee import view
from referee.faces import write_faces
from service.house import House
from service.models import Game, GameEntry, GameSeat
from service.operations.games import fold_of, row_of, seat_of
from service.problems import forbidden, unauthorized
from service.stopping import stopping

MOST_ENTRIES = 200
"""Entries in one answer."""
LOOK_AGAIN = 0.25
"""Seconds after which a long poll looks for entries that another process has committed."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game of a player's."""

    game: Game
    seat: int
    names: Sequence[str]


def visible(session: Session, game_id: str, player_id: str | None) -> tuple[Game, int | None]:
    """A game that somebody may look at, and their seat.

    A running game is for its players, one that is over for everybody. Raises `Problem` 404, 401, 403.
    """
    row = row_of(session, game_id)
    seat = None if player_id is None else seat_of(session, game_id, player_id)
    if seat is None and row.ended_at is None:
        if player_id is None:
            raise unauthorized("not_signed_in", "A running game is shown to its players: sign in.")
        raise forbidden("not_your_game", "A running game is shown to its players only.")
    return row, seat


def seen(session: Session, game_id: str, player_id: str | None) -> dict[str, Any]:
    """The game as this player sees it."""
    row, seat = visible(session, game_id, player_id)
    return view(fold_of(session, row), seat)


def wait_for_news(house: House, game_id: str, after: int, seconds: float) -> None:
    """Return once there is an entry past `after`, after so many seconds, or when the house closes."""
    until = time.monotonic() + seconds
    with house.notices.place() as admitted:
        while admitted and not stopping.is_set():
            with house.read() as session:
                if session.exec(select(Game.seq).where(Game.id == game_id)).one() > after:
                    return
            left = until - time.monotonic()
            if left <= 0:
                return
            house.notices.wait(game_id, min(LOOK_AGAIN, left))


def entries_after(session: Session, game_id: str, after: int, limit: int) -> list[dict[str, Any]]:
    """The entries of a record after seq `after`, in order."""
    statement = (
        select(GameEntry)
        .where(GameEntry.game_id == game_id, GameEntry.seq > after)
        .order_by(col(GameEntry.seq))
        .limit(limit)
    )
    return [row.entry for row in session.exec(statement)]


def whole_record(session: Session, game_id: str) -> list[dict[str, Any]]:
    """All entries of a record."""
    statement = select(GameEntry).where(GameEntry.game_id == game_id).order_by(col(GameEntry.seq))
    return [row.entry for row in session.exec(statement)]


def rounds(session: Session, game_id: str) -> list[dict[str, Any]]:
    """The accounts of a game, in order: what every round brought, line by line."""
    statement = (
        select(GameEntry)
        .where(GameEntry.game_id == game_id, GameEntry.kind == "account")
        .order_by(col(GameEntry.seq))
    )
    return [
        {**{name: row.entry[name] for name in ("seq", "at", "step")}, **row.entry["body"]}
        for row in session.exec(statement)
    ]


def faces(house: House, session: Session, game_id: str, player_id: str) -> list[dict[str, Any]]:
    """A seat's own cards of the deals that are still secret, signed by the house (protocol section 7).

    One statement, for the newest of those deals; none where nothing is secret.
    """
    row, seat = visible(session, game_id, player_id)
    fold: Fold = fold_of(session, row)
    if seat is None or not fold.unshown:
        return []
    own = fold.rules.sees(fold.state, seat) - fold.rules.sees(fold.state, None)
    known = {position: fold.state.faces[position] for position in own}
    return [write_faces(house.keys.signing_key, game_id, fold.unshown[-1], seat, known)]


def games_of(
    session: Session, player_id: str, *, over: bool | None, before: tuple[int, str] | None, limit: int
) -> list[Listed]:
    """A player's games, newest first, from the one before the key (created_at, id); running, over or all."""
    statement = (
        select(Game, GameSeat)
        .where(col(GameSeat.game_id) == col(Game.id), GameSeat.player_id == player_id)
        .order_by(col(Game.created_at).desc(), col(Game.id).desc())
        .limit(limit)
    )
    if over is not None:
        ended = col(Game.ended_at)
        statement = statement.where(ended.is_not(None) if over else ended.is_(None))
    if before is not None:
        at, game_id = before
        older = (col(Game.created_at) < at) | ((col(Game.created_at) == at) & (col(Game.id) < game_id))
        statement = statement.where(older)
    found = list(session.exec(statement))
    names: dict[str, list[str]] = {row.id: [] for row, _ in found}
    seats = select(GameSeat).where(col(GameSeat.game_id).in_(names)).order_by(col(GameSeat.seat))
    for other in session.exec(seats):
        names[other.game_id].append(other.name)
    return [Listed(row, seat.seat, names[row.id]) for row, seat in found]

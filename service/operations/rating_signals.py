"""Signals in rated games that a moderator may look at. They prove nothing, and nothing follows by itself.

Friends play each other a lot, and strong players are new somewhere. So the house names what is unusual, with
the numbers, and people judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, case, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from service.models import GameSeat, Player, RatedGame, RatingChange
from service.ratings import DAY_MS

CODES = ("one_sided", "same_opponent", "given_up_early", "strong_newcomer")
"""What is unusual. A code never gets a second meaning."""
PAIR_GAMES, ONE_SIDED = 10, 0.9
"""Games of two players, and the share of them that one has won."""
CIRCLE_GAMES, CIRCLE = 15, 0.8
"""Games of a player, and the share of them that were against one opponent."""
EARLY_GAMES = 5
"""Games of a player that did not count because somebody had made no choice."""
NEWCOMER_DAYS, NEWCOMER_GAMES, NEWCOMER_WINS = 30, 15, 0.9
"""Days since the registration, games, and the share of them that were won."""


@dataclass(frozen=True, slots=True)
class RatingSignal:
    """Something unusual."""

    code: str
    """One of `CODES`."""
    handles: Sequence[str]
    """Whom it is about: of `one_sided` and `same_opponent`, the second is the opponent."""
    games: int
    share: float | None
    """The share of the games that is unusual, from 0 to 1."""


def signals(session: Session, now: int, days: int, player_id: str | None = None) -> list[RatingSignal]:
    """What is unusual in the rated games of the last `days` days before `now`, by code and handle.

    With `player_id` only what is about this player, which costs no more in a house of many.
    """
    since = now - days * DAY_MS
    found = [
        *_pairs(session, since, player_id),
        *_early(session, since, player_id),
        *_newcomers(session, since, now, player_id),
    ]
    return sorted(found, key=lambda signal: (CODES.index(signal.code), signal.handles))


def _of(player: Any, player_id: str | None) -> tuple[ColumnElement[bool], ...]:
    """The condition that a row is about one player, in this column; none for all of them."""
    return () if player_id is None else (player == player_id,)


def _pairs(session: Session, since: int, player_id: str | None) -> Iterator[RatingSignal]:
    """Pairs whose games one of them wins, and players who hardly meet anybody else."""
    mine: Any = aliased(RatingChange)
    theirs: Any = aliased(RatingChange)
    one: Any = aliased(Player)
    other: Any = aliased(Player)
    played: Any = func.count()
    won: Any = func.sum(case((mine.result == "won", 1), else_=0))
    counted = sa.select(col(RatingChange.player_id), played).where(
        col(RatingChange.at) >= since, *_of(col(RatingChange.player_id), player_id)
    )
    games = {row[0]: row[1] for row in session.execute(counted.group_by(col(RatingChange.player_id)))}
    pairs = (
        sa.select(mine.player_id, one.handle, other.handle, played, won)
        .select_from(mine)
        .join(theirs, (theirs.game_id == mine.game_id) & (theirs.player_id != mine.player_id))
        .join(one, one.id == mine.player_id)
        .join(other, other.id == theirs.player_id)
        .where(mine.at >= since, *_of(mine.player_id, player_id))
        .group_by(mine.player_id, one.handle, theirs.player_id, other.handle)
        .having(played >= PAIR_GAMES)
    )
    for who, handle, opponent, count, wins in session.execute(pairs):
        if wins >= ONE_SIDED * count:
            yield RatingSignal("one_sided", (handle, opponent), count, wins / count)
        if games[who] >= CIRCLE_GAMES and count >= CIRCLE * games[who]:
            yield RatingSignal("same_opponent", (handle, opponent), count, count / games[who])


def _early(session: Session, since: int, player_id: str | None) -> Iterator[RatingSignal]:
    """Players of many games that ended before everybody had chosen."""
    count: Any = func.count()
    rows = (
        sa.select(col(Player.handle), count)
        .join(GameSeat, col(GameSeat.player_id) == col(Player.id))
        .join(RatedGame, col(RatedGame.game_id) == col(GameSeat.game_id))
        .where(
            col(RatedGame.reason) == "too_short",
            col(RatedGame.at) >= since,
            *_of(col(GameSeat.player_id), player_id),
        )
        .group_by(col(Player.id), col(Player.handle))
        .having(count >= EARLY_GAMES)
    )
    for handle, games in session.execute(rows):
        yield RatingSignal("given_up_early", (handle,), games, None)


def _newcomers(session: Session, since: int, now: int, player_id: str | None) -> Iterator[RatingSignal]:
    """New players who win nearly always."""
    count: Any = func.count()
    won: Any = func.sum(case((col(RatingChange.result) == "won", 1), else_=0))
    rows = (
        sa.select(col(Player.handle), count, won)
        .join(RatingChange, col(RatingChange.player_id) == col(Player.id))
        .where(
            col(RatingChange.at) >= since,
            col(Player.created_at) >= now - NEWCOMER_DAYS * DAY_MS,
            *_of(col(RatingChange.player_id), player_id),
        )
        .group_by(col(Player.id), col(Player.handle))
        .having(count >= NEWCOMER_GAMES)
    )
    for handle, games, wins in session.execute(rows):
        if wins >= NEWCOMER_WINS * games:
            yield RatingSignal("strong_newcomer", (handle,), games, wins / games)

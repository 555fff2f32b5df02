"""Blocks: a player keeps another away from tables, offers and challenges.

A block works in both directions. Only the blocker is told of it: to the blocked player the other's open
tables and offers look as if they were not there. Games that run go on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, delete, func
from sqlmodel import Session, col, select

from service.models import Block, Player
from service.operations import holds, players
from service.problems import Fault, Problem, conflict, invalid
from service.runtime import Runtime

MOST = 500
"""The most players whom one player may block."""


@dataclass(frozen=True, slots=True)
class ListedBlock:
    """A player whom the asking player has blocked, and since when (milliseconds since 1970)."""

    handle: str
    created_at: int


def blocked(session: Session, a: str, b: str) -> bool:
    """Tell whether one of two players, given by id, has blocked the other."""
    return apart(session, [a, b])


def apart(session: Session, ids: Collection[str]) -> bool:
    """Tell whether any of these players, given by id, has blocked another of them."""
    both = (col(Block.player_id).in_(ids), col(Block.blocked_id).in_(ids))
    return len(ids) > 1 and session.exec(select(Block.player_id).where(*both).limit(1)).first() is not None


def require_willing(session: Session, player_id: str, others: Collection[str]) -> None:
    """Raise `Problem` 409 `blocked` if the player has blocked one of these others."""
    mine = (Block.player_id == player_id, col(Block.blocked_id).in_(others))
    if others and session.exec(select(Block.blocked_id).where(*mine).limit(1)).first() is not None:
        raise you_blocked()


def kept_away(session: Session, player_id: str, others: Collection[str]) -> bool:
    """Tell whether one of these others has blocked the player."""
    theirs = (col(Block.player_id).in_(others), Block.blocked_id == player_id)
    return bool(others) and session.exec(select(Block.player_id).where(*theirs).limit(1)).first() is not None


def you_blocked() -> Problem:
    """The problem for a player who would meet somebody whom they have blocked."""
    return conflict("blocked", "You have blocked a player here. Lift the block first (DELETE /me/blocks).")


def between(player: Any, viewer_id: str) -> ColumnElement[bool]:
    """The condition of a query: the player in this column, or the viewer, has blocked the other."""
    mine = select(Block.blocked_id).where(Block.player_id == viewer_id)
    theirs = select(Block.player_id).where(Block.blocked_id == viewer_id)
    either: ColumnElement[bool] = player.in_(mine) | player.in_(theirs)
    return either


def of_player(session: Session, player_id: str) -> list[ListedBlock]:
    """The players whom a player has blocked, the newest block first."""
    query = (
        select(Player.handle, Block.created_at)
        .join(Block, col(Block.blocked_id) == col(Player.id))
        .where(Block.player_id == player_id)
        .order_by(col(Block.created_at).desc(), col(Player.folded))
    )
    return [ListedBlock(*row) for row in session.exec(query)]


def add(house: Runtime, player: Player, handle: str) -> ListedBlock:
    """Block the player with this handle. Idempotent.

    Raises `Problem` 404 for an unknown player, 409 for too many blocks, 422 for a player's own handle.
    """
    with house.write() as session:
        other = players.find(session, handle, house.now())
        if other.id == player.id:
            text = "You can't block yourself."
            raise invalid("own_block", text, [Fault("own_block", text, parameter="handle")])
        # Locked as by those who sit down or settle an offer, so that each of them comes before or after.
        holds.lock_players(session, [player.id, other.id])
        row = session.get(Block, (player.id, other.id))
        if row is None:
            mine = select(func.count()).select_from(Block).where(col(Block.player_id) == player.id)
            if session.exec(mine).one() >= MOST:
                raise conflict("too_many_blocks", f"A player blocks at most {MOST} others.", at_most=MOST)
            row = Block(player_id=player.id, blocked_id=other.id, created_at=house.now())
            session.add(row)
        return ListedBlock(other.handle, row.created_at)


def remove(house: Runtime, player: Player, handle: str) -> None:
    """Lift a block. Idempotent. Raises `Problem` 404 for an unknown player."""
    with house.write() as session:
        other = players.find(session, handle, house.now())
        mine = (col(Block.player_id) == player.id, col(Block.blocked_id) == other.id)
        session.execute(delete(Block).where(*mine))

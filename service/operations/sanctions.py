"""Sanctions: what a player may not do for a time, and what that refuses.

A suspended player opens and joins no table, asks for no rematch and does not trade. A player whose trades
are frozen does not trade. Running games go on: a sanction costs nobody a turn. What was set aside comes
back: a player may withdraw and decline offers, and leave or cancel tables.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, func
from sqlmodel import Session, col, or_, select

from crypto.encoding import timestamp
from service.models import Sanction
from service.problems import Problem

SUSPENDED, FROZEN = KINDS = ("suspended", "trades_frozen")
_SAID = {SUSPENDED: "You are suspended", FROZEN: "Your trades are frozen"}


def stands(now: int) -> ColumnElement[bool]:
    """The condition of a query that a sanction stands at `now`."""
    return or_(col(Sanction.until).is_(None), col(Sanction.until) > now)


def of_player(session: Session, player_id: str, now: int) -> list[Sanction]:
    """The sanctions that stand against a player at `now`."""
    query = select(Sanction).where(Sanction.player_id == player_id, stands(now))
    return list(session.exec(query.order_by(col(Sanction.kind))))


def require_none(session: Session, player_id: str, now: int, kinds: Sequence[str] = (SUSPENDED,)) -> None:
    """Raise `Problem` 403, with reason and end, if a sanction of these kinds stands against a player.

    Callers lock the player's row first, so that a sanction comes before what they do or after it.
    """
    found = next((row for row in of_player(session, player_id, now) if row.kind in kinds), None)
    if found is not None:
        until = None if found.until is None else timestamp(found.until)
        end = "until somebody lifts it" if until is None else f"until {until}"
        text = f"{_SAID[found.kind]} {end}: {found.reason}"
        raise Problem(403, found.kind, text, data={"reason": found.reason, "until": until})


def kinds_against(coins: int) -> Sequence[str]:
    """The kinds of sanctions that keep a player from something new that costs so many coins.

    Coins that others can win are as good as traded, so frozen trades keep from it too.
    """
    return KINDS if coins else (SUSPENDED,)


def any_against(session: Session, ids: Collection[str], now: int) -> bool:
    """Tell whether a sanction stands against one of these players, given by id."""
    query = select(Sanction.player_id).where(col(Sanction.player_id).in_(ids), stands(now))
    return bool(ids) and session.exec(query.limit(1)).first() is not None


def count(session: Session, now: int) -> dict[str, int]:
    """Count the players against whom a sanction stands at `now`, by its kind."""
    counted = select(Sanction.kind, func.count()).where(stands(now)).group_by(col(Sanction.kind))
    return dict(session.exec(counted).all())


def against(player: Any, now: int) -> ColumnElement[bool]:
    """The condition of a query: a sanction stands against the player in this column."""
    found: ColumnElement[bool] = player.in_(select(Sanction.player_id).where(stands(now)))
    return found

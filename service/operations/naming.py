"""The names of players: taking a handle, giving it up for another, and who had it before.

A handle that a player has given up stays theirs for a while: others still find the player by it, and nobody
can pass for the player under it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, or_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from service import handles
from service.db import upsert
from service.models import HandleRow, Player
from service.operations import tokens
from service.problems import Fault, conflict, invalid
from service.runtime import Runtime

_DAY_MS = 86_400_000
PAUSE_DAYS = 30
"""Days after a player has taken another handle until the player can take a third one."""
KEPT_DAYS = 90
"""Days for which a handle that was given up still leads to the player, and is nobody else's to take."""
_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Former:
    """A handle that a player had, and until when it is shown, in milliseconds since 1970."""

    handle: str
    until: int


def holder(session: Session, handle: str, now: int) -> Player | None:
    """The player who has this handle, or had it until lately, whatever its case."""
    here = col(Player.deleted_at).is_(None)
    found = session.exec(select(Player).where(Player.folded == handle.lower(), here)).first()
    if found is not None:
        return found
    before = (HandleRow.folded == handle.lower(), col(HandleRow.handle).is_not(None), _lately(now))
    query = select(Player).join(HandleRow, col(HandleRow.player_id) == col(Player.id)).where(*before)
    return session.exec(query).first()


def former(session: Session, player_id: str, now: int) -> list[Former]:
    """The handles that a player has given up lately, the newest first."""
    mine = (HandleRow.player_id == player_id, col(HandleRow.left_at).is_not(None), _lately(now))
    rows = session.exec(select(HandleRow).where(*mine).order_by(col(HandleRow.left_at).desc()))
    return [
        Former(row.handle, row.left_at + KEPT_DAYS * _DAY_MS)
        for row in rows
        if row.handle is not None and row.left_at is not None
    ]


def taken(session: Session, handle: str, now: int, but: str | None = None) -> list[Fault]:
    """The fault of a handle that is another player's, or looks like one. The player `but` may."""
    folded = handle.lower()
    same = or_(col(HandleRow.skeleton) == handles.skeleton(handle), col(HandleRow.folded) == folded)
    rows = session.exec(select(HandleRow.folded, HandleRow.player_id).where(same, _lately(now))).all()
    named = session.exec(select(Player.folded, Player.id).where(Player.folded == folded)).all()
    others = {name for name, player_id in (*rows, *named) if player_id != but}
    if folded in others:
        return [Fault("handle_taken", "Another player has that handle.", "/handle")]
    if others:
        text = "Another player has a handle that looks like that one."
        return [Fault("similar_handle", text, "/handle")]
    return []


def claim(session: Session, player_id: str, handle: str, now: int) -> None:
    """Enter a handle as the player's present one. Fails at the commit if another player was quicker."""
    skeleton, folded = handles.skeleton(handle), handle.lower()
    same = or_(col(HandleRow.skeleton) == skeleton, col(HandleRow.folded) == folded)
    # What is entered there is too old to count, or the player's own.
    free = or_(~_lately(now), col(HandleRow.player_id) == player_id)
    session.execute(delete(HandleRow).where(same, free))
    session.add(HandleRow(skeleton=skeleton, folded=folded, handle=handle, player_id=player_id))
    session.flush()


def rename(house: Runtime, player_id: str, handle: str) -> Player:
    """Give a player another handle. The former one is shown for a while, and stays theirs for as long.

    A player who changes only the case need not pause. Raises `Problem` 422 for a handle that nobody may have,
    and 409 for one that another player has, for one that looks like it, and during the pause.
    """
    require_good(handle)
    try:
        with house.write() as session:
            mine = select(Player).where(col(Player.id) == player_id).with_for_update()
            player = session.exec(mine.execution_options(populate_existing=True)).one()
            _refuse_taken(session, handle, house.now(), player_id)
            if player.handle != handle:
                _rename(house, session, player, handle)
            return player
    except IntegrityError:
        with house.read() as session:  # another request was quicker
            _refuse_taken(session, handle, house.now(), player_id)
        raise


def require_good(handle: str) -> None:
    """Raise `Problem` 422 for a handle that nobody may have."""
    faults = handles.faults(handle)
    if faults:
        raise invalid("invalid_handle", "This handle can't be chosen.", faults)


def impose(house: Runtime, session: Session, player: Player, handle: str) -> None:
    """Give a locked player another handle without a pause. Nobody finds them by the former one any more.

    Raises `Problem` 409 for a handle that another player has, or one that looks like it.
    """
    _refuse_taken(session, handle, house.now(), player.id)
    if player.handle != handle:
        _rename(house, session, player, handle, imposed=True)


def _rename(house: Runtime, session: Session, player: Player, handle: str, *, imposed: bool = False) -> None:
    now = house.now()
    if handle.lower() != player.folded:
        if not imposed:
            _require_pause(session, player.id, now)
        _enter(session, player)  # a house of before this table may not have entered it yet
        mine = (col(HandleRow.player_id) == player.id, col(HandleRow.folded) == player.folded)
        shown = {"handle": None} if imposed else {}
        session.execute(update(HandleRow).where(*mine).values(left_at=now, **shown))
    claim(session, player.id, handle, now)
    player.handle, player.folded = handle, handle.lower()
    session.add(player)
    session.flush()
    for token in tokens.of_player(session, player.id, now):
        house.tell_revoked(session, token.id)  # processes look again whose it is, and find the new name


def _enter(session: Session, player: Player) -> int:
    """Enter a player's handle, unless it is entered or one that looks like it is; returns 1 or 0."""
    row = {
        "skeleton": handles.skeleton(player.handle),
        "folded": player.folded,
        "handle": player.handle,
        "player_id": player.id,
    }
    entered = upsert(session, HandleRow).values(row).on_conflict_do_nothing()
    return len(session.execute(entered.returning(col(HandleRow.skeleton))).all())


def _require_pause(session: Session, player_id: str, now: int) -> None:
    mine = (HandleRow.player_id == player_id, col(HandleRow.left_at) > now - PAUSE_DAYS * _DAY_MS)
    newest = session.exec(select(HandleRow.left_at).where(*mine)).first()
    if newest is not None:
        text = f"You have changed your handle lately: you can again {PAUSE_DAYS} days after the last change."
        raise conflict("renamed_lately", text, days=PAUSE_DAYS)


def _refuse_taken(session: Session, handle: str, now: int, but: str) -> None:
    faults = taken(session, handle, now, but)
    if faults:
        raise conflict(faults[0].code, faults[0].detail, faults)


def _lately(now: int) -> ColumnElement[bool]:
    """The condition that a handle still counts."""
    return or_(col(HandleRow.left_at).is_(None), col(HandleRow.left_at) > now - KEPT_DAYS * _DAY_MS)


def keep_up(house: Runtime, now: int) -> int:
    """Forget handles that were given up long ago, and enter those of before the table; returns how many.

    Of older players whose handles look alike, the one who came first has it entered. Both keep theirs.
    """
    # Every player is looked at, so nobody's write waits for it.
    entered = select(HandleRow.player_id).where(col(HandleRow.left_at).is_(None))
    rest = select(Player.id).where(col(Player.id).not_in(entered), col(Player.deleted_at).is_(None))
    with house.read() as session:
        missing = session.exec(rest.order_by(col(Player.created_at)).limit(_AT_ONCE)).all()
    with house.write() as session:
        old = delete(HandleRow).where(col(HandleRow.left_at) <= now - KEPT_DAYS * _DAY_MS)
        gone = int(getattr(session.execute(old), "rowcount", 0))
        for player_id in missing:
            player = session.get_one(Player, player_id)
            gone += _enter(session, player) if player.deleted_at is None else 0
    return gone

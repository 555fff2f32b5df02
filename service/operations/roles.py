"""Roles: who keeps order in the house. Admins stand over moderators, and the operator over both."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from service.models import Player, Role
from service.operations import acts, feed, holds, players
from service.problems import Problem, forbidden
from service.runtime import Runtime

ADMIN, MODERATOR = ROLES = ("admin", "moderator")
RANKS = {None: 0, MODERATOR: 1, ADMIN: 2}
"""The ranks of roles. A higher one acts upon a lower one."""
_OPERATOR_RANK = 3


@dataclass(frozen=True, slots=True)
class Officer:
    """Somebody who may act: a player with a role, or the operator of the house."""

    id: str
    """The player's id; for the operator `acts.OPERATOR`."""
    rank: int

    @property
    def is_operator(self) -> bool:
        """True for the operator, who is no player."""
        return self.id == acts.OPERATOR


OPERATOR = Officer(acts.OPERATOR, _OPERATOR_RANK)


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """A player with a role."""

    handle: str
    role: str
    since: int


def role_of(session: Session, player_id: str) -> str | None:
    """The role of a player; None for most."""
    return session.exec(select(Role.name).where(Role.player_id == player_id)).first()


def officer(session: Session, player: Player) -> Officer:
    """The player as one who may act. Raises `Problem` 403 for a player without a role."""
    role = role_of(session, player.id)
    if role is None:
        raise forbidden("not_a_moderator", "Only moderators and admins of this house may do this.")
    return Officer(player.id, RANKS[role])


def below(session: Session, by: Officer, handle: str, now: int) -> Player:
    """The player with this handle, locked, upon whom `by` acts.

    Raises `Problem` 404, and 403 for a player whose role is not below.
    """
    player = players.find(session, handle, now)
    holds.lock_players(session, [player.id])
    if RANKS[role_of(session, player.id)] >= by.rank:
        raise _too_high()
    return player


def require_below(session: Session, by: Officer, player_id: str) -> None:
    """Raise `Problem` 403 for a player whose role is not below that of `by`."""
    if RANKS[role_of(session, player_id)] >= by.rank:
        raise _too_high()


def _too_high() -> Problem:
    return forbidden("not_below_you", "You can act only upon players whose role is below yours.")


def give(house: Runtime, by: Player | None, handle: str, role: str) -> RoleHolder:
    """Give a player a role, in place of the one before. `by` is None for the operator.

    An admin makes moderators, and the operator admins too. Raises `Problem` 403, 404.
    """
    with house.write() as session:
        acting = OPERATOR if by is None else officer(session, by)
        _require_over(acting, role)
        player = below(session, acting, handle, house.now())
        row = session.get(Role, player.id)
        if row is not None and row.name == role:
            return RoleHolder(player.handle, row.name, row.since)
        now = house.now()
        if row is None:
            row = Role(player_id=player.id, name=role, since=now)
            session.add(row)
        else:
            row.name, row.since = role, now
        acts.enter(session, acting.id, "role_given", ("player", player.id), now, role=role)
        feed.add(house, session, [player.id], "role.given", role=role)
        return RoleHolder(player.handle, role, now)


def take(house: Runtime, by: Player | None, handle: str) -> None:
    """Take a player's role. Idempotent. Raises `Problem` 403, 404.

    An admin may also give up their own role; the last one too, since the operator can make another.
    """
    with house.write() as session:
        acting = OPERATOR if by is None else officer(session, by)
        _require_over(acting, MODERATOR)
        player = players.find(session, handle, house.now())
        holds.lock_players(session, [player.id])
        if player.id != acting.id:
            require_below(session, acting, player.id)
        row = session.get(Role, player.id)
        if row is not None:
            acts.enter(session, acting.id, "role_taken", ("player", player.id), house.now(), role=row.name)
            feed.add(house, session, [player.id], "role.taken", role=row.name)
            session.delete(row)


def _require_over(acting: Officer, role: str) -> None:
    if RANKS[role] >= acting.rank:
        raise forbidden("not_below_you", "You can give and take only roles below your own.")


def keepers(session: Session) -> list[RoleHolder]:
    """All players with a role, admins first."""
    query = select(Player.handle, Role.name, Role.since).join(Role, col(Role.player_id) == col(Player.id))
    return [RoleHolder(*row) for row in session.exec(query.order_by(col(Role.name), col(Player.folded)))]


def all_ids(session: Session) -> list[str]:
    """The ids of all players with a role."""
    return list(session.exec(select(Role.player_id)))

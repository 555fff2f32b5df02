"""The operator's view of a house: who plays, what runs and waits, what lies in stock. It only reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from sqlalchemy import func
from sqlmodel import Session, col, select

from service.config import Settings
from service.models import (
    BoosterRow,
    GameRow,
    GameSeat,
    Grant,
    Offer,
    Player,
    Role,
    Sanction,
    Table,
    Tournament,
)
from service.operations import health, sanctions
from service.operations.health import Health
from service.operations.seating import oldest_open
from service.runtime import Runtime

_DAY_MS = 86_400_000
SECRET = ("picture_key", "metrics_token")
"""The settings whose values nobody prints."""


@dataclass(frozen=True, slots=True)
class SeenPlayer:
    """A player in the operator's list."""

    handle: str
    created_at: int
    role: str | None
    sanctions: Sequence[str]
    """The kinds of the sanctions that stand."""
    running: int
    """The player's running games."""


@dataclass(frozen=True, slots=True)
class SeenGame:
    """A running game in the operator's list."""

    id: str
    mode: str
    created_at: int
    due_at: int | None
    seq: int
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class SeenTable:
    """An open table in the operator's list."""

    id: str
    mode: str
    created_at: int
    opened_by: str
    private: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class Stock:
    """The boosters of a set that players have."""

    set_code: str
    closed: int
    opened: int


@dataclass(frozen=True, slots=True)
class SeenGrant:
    """A grant in the operator's list."""

    handle: str
    grant: Grant


@dataclass(frozen=True, slots=True)
class Overview:
    """The figures of a house at one moment."""

    now: int
    players: int
    newcomers: int
    """Players who registered within a day."""
    health: Health
    offers: int
    boosters: int
    """Closed boosters."""
    tournaments: Mapping[str, int]
    """Those that are open and those that run, by state."""
    wake_ups: int | None
    """Wake-ups that wait at the broker; None where it does not answer."""


def overview(house: Runtime) -> Overview:
    """Read the figures from the database and the broker."""
    now = house.now()
    with house.read() as session:
        closed = col(BoosterRow.opened_at).is_(None)
        return Overview(
            now=now,
            players=_count(session, Player, col(Player.deleted_at).is_(None)),
            newcomers=_count(session, Player, col(Player.created_at) > now - _DAY_MS),
            health=health.measure(house, session),
            offers=_count(session, Offer, col(Offer.state) == "open", col(Offer.expires_at) > now),
            boosters=_count(session, BoosterRow, closed),
            tournaments={
                state: _count(session, Tournament, col(Tournament.state) == state)
                for state in ("open", "running")
            },
            wake_ups=house.publisher.waiting(),
        )


def _count(session: Session, table: type[object], *where: object) -> int:
    counted = select(func.count()).select_from(table)
    for condition in where:
        counted = counted.where(condition)  # type: ignore[arg-type]
    return session.exec(counted).one()


def players(session: Session, now: int, search: str, limit: int) -> list[SeenPlayer]:
    """The newest players whose handles contain a text, whatever its case."""
    named = col(Player.folded).contains(search.lower(), autoescape=True)
    rows = session.exec(
        select(Player, Role.name)
        .outerjoin(Role, col(Role.player_id) == col(Player.id))
        .where(named)
        .order_by(col(Player.created_at).desc(), col(Player.id))
        .limit(limit)
    ).all()
    ids = [player.id for player, _ in rows]
    standing: dict[str, list[str]] = {}
    for sanction in session.exec(
        select(Sanction).where(col(Sanction.player_id).in_(ids), sanctions.stands(now))
    ):
        standing.setdefault(sanction.player_id, []).append(sanction.kind)
    seats = (
        select(GameSeat.player_id, func.count())
        .join(GameRow, col(GameRow.id) == col(GameSeat.game_id))
        .where(col(GameSeat.player_id).in_(ids), col(GameRow.ended_at).is_(None))
        .group_by(col(GameSeat.player_id))
    )
    playing = dict(session.exec(seats).all())
    return [
        SeenPlayer(
            player.handle,
            player.created_at,
            role,
            sorted(standing.get(player.id, ())),
            playing.get(player.id, 0),
        )
        for player, role in rows
    ]


def games(session: Session, limit: int) -> list[SeenGame]:
    """The running games whose time comes first."""
    running = select(GameRow).where(col(GameRow.ended_at).is_(None))
    rows = session.exec(running.order_by(col(GameRow.due_at), col(GameRow.id)).limit(limit)).all()
    names: dict[str, list[str]] = {row.id: [] for row in rows}
    for seat in session.exec(
        select(GameSeat).where(col(GameSeat.game_id).in_(names)).order_by(col(GameSeat.seat))
    ):
        names[seat.game_id].append(seat.name)
    return [SeenGame(row.id, row.mode, row.created_at, row.due_at, row.seq, names[row.id]) for row in rows]


def tables(house: Runtime, session: Session, limit: int) -> list[SeenTable]:
    """The open tables, private and hidden ones too, that wait for longest."""
    query = (
        select(Table, Player.handle)
        .join(Player, col(Player.id) == col(Table.opened_by))
        .where(Table.state == "open", Table.created_at >= oldest_open(house))
        .order_by(col(Table.created_at), col(Table.id))
        .limit(limit)
    )
    return [
        SeenTable(table.id, table.mode, table.created_at, handle, table.private, table.hidden)
        for table, handle in session.exec(query)
    ]


def stock(session: Session) -> list[Stock]:
    """The boosters that players have, by set."""
    every = select(BoosterRow.set_code, func.count(), func.count(col(BoosterRow.opened_at)))
    rows = session.exec(every.group_by(col(BoosterRow.set_code)).order_by(col(BoosterRow.set_code)))
    return [Stock(code, total - opened, opened) for code, total, opened in rows]


def grants(session: Session, search: str, limit: int) -> list[SeenGrant]:
    """The newest grants to players whose handles contain a text, whatever its case."""
    rows = session.exec(
        select(Player.handle, Grant)
        .join(Grant, col(Grant.player_id) == col(Player.id))
        .where(col(Player.folded).contains(search.lower(), autoescape=True))
        .order_by(col(Grant.at).desc(), col(Grant.id))
        .limit(limit)
    )
    return [SeenGrant(handle, grant) for handle, grant in rows]


def settings(house: Settings) -> list[tuple[str, str]]:
    """Each setting in force and its value; of a secret, and of an address, only what is no secret."""
    found = []
    for each in fields(house):
        value = getattr(house, each.name)
        if each.name in SECRET:
            text = "(set)" if value else "(not set)"
        elif each.name in ("database", "broker", "rate_storage"):
            text = _without_password(str(value))
        else:
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        found.append((each.name, text))
    return found


def _without_password(address: str) -> str:
    """An address such as amqp://USER:PASSWORD@HOST without the password."""
    scheme, colon, rest = address.partition("://")
    who, at, where = rest.rpartition("@")
    return f"{scheme}{colon}{who.partition(':')[0]}{':...' if ':' in who else ''}{at}{where}"

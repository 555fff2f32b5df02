"""The reader of the pantry: what its final blocks say of copies that are outside (docs/chain.md).

All nodes must agree. The house keeps the newest block that it has read, with its hash. If that block has
another hash later, or says what can't be, the reader stops with an alarm, and credits nothing until a person
has looked.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import structlog
from sqlalchemy import update
from sqlmodel import Session, col, select

from chain.contracts import artifacts
from chain.nodes import NodeFault, Nodes
from chain.reader import ChainEvent, Changed, Cursor, LogReader
from referee.on_chain import Place, checksummed, token_id
from referee.ownership import origin_digest
from service.db import upsert
from service.models import ChainHead, Copy, Player, Trip
from service.models.base import new_id
from service.operations import collection, holds, ledger, outside, provenance
from service.problems import conflict
from service.runtime import Runtime

PATIENCE = 10.0
"""Seconds for a node's answer."""

log = structlog.get_logger(__name__)


class Alarm(Exception):
    """The chain says what can't be. Nothing more is credited until a person has looked."""


def read(house: Runtime) -> int:
    """Read the final blocks since the last time; returns how many copies went out, came back or lapsed.

    It does nothing without a pantry, and after an alarm. Raises `NodeFault` if a node can't be used: then it
    is tried again, and nothing is lost.
    """
    place = outside.pantry(house.settings)
    if place is None:
        return 0
    try:
        with reader_of(house, place) as reader:
            return _read(house, named(place), reader)
    except (Alarm, Changed) as fault:
        _raise_alarm(house, str(fault))
        return 0


@contextmanager
def reader_of(house: Runtime, place: Place) -> Iterator[LogReader]:
    """The reader of the pantry at `place`, by the nodes of the settings. Raises `NodeFault`."""
    nodes = Nodes(house.settings.chain_nodes.split(","), PATIENCE, gas=False)
    try:
        if nodes.chain_id != place.chain_id:
            raise NodeFault("another_chain", "the nodes have another chain than CLOCHE_CHAIN_ID")
        yield LogReader(nodes, artifacts()["pantry"], place.contract)
    finally:
        nodes.close()


def named(place: Place) -> str:
    """How `ChainHead.place` names a pantry."""
    return f"{place.chain_id}:{checksummed(place.contract)}"


def _read(house: Runtime, name: str, reader: LogReader) -> int:
    head = _head(house)
    if head is not None and head.alarm is not None:
        return 0
    if head is None or head.number < 0:
        cursor = reader.before(house.settings.chain_first)
        _begin(house, name, cursor)
    elif head.place != name:
        raise Alarm(f"the house has read {head.place} so far, and its settings name {name}")
    else:
        cursor = Cursor(head.number, bytes.fromhex(head.hash))
    changed = 0
    for events, behind in reader.since(cursor):
        found = _take(house, cursor, events, behind, reader.time(behind))
        if found is None:
            return changed  # another process has read this page
        changed += found
        cursor = behind
    return changed


def _head(house: Runtime) -> ChainHead | None:
    with house.read() as session:
        return session.get(ChainHead, 1)


def _begin(house: Runtime, name: str, cursor: Cursor) -> None:
    given = {"place": name, "number": cursor.number, "hash": cursor.hash.hex(), "time": 0}
    fresh = {"id": 1, "restored_until": 0, "alarm": None}
    with house.write() as session:
        session.execute(
            upsert(session, ChainHead)
            .values(**given, **fresh)
            .on_conflict_do_update(index_elements=["id"], set_=given, where=col(ChainHead.number) < 0)
        )


def _raise_alarm(house: Runtime, text: str) -> None:
    with house.write() as session:
        session.execute(update(ChainHead).where(col(ChainHead.id) == 1).values(alarm=text[:300]))
    log.error("chain_alarm", text=text)


def _take(
    house: Runtime, cursor: Cursor, events: Sequence[ChainEvent], behind: Cursor, time: int
) -> int | None:
    """Enter what a page of blocks says; None if another process has done so meanwhile. Raises `Alarm`."""
    now = house.now()
    with house.write() as session:
        holds.lock_players(session, _concerned(session, events, time))
        mine = (
            col(ChainHead.id) == 1,
            col(ChainHead.number) == cursor.number,
            col(ChainHead.alarm).is_(None),
        )
        moved = update(ChainHead).where(*mine).values(number=behind.number, hash=behind.hash.hex(), time=time)
        if getattr(session.execute(moved), "rowcount", 0) != 1:
            return None
        changed = 0
        for event in events:
            if event.name == "Out":
                changed += _out(house, session, event, now)
            elif event.name == "Back":
                changed += _back(session, event, now)
        changed += _lapse(session, time, now)
        _recover(session, time)
        return changed


def _concerned(session: Session, events: Iterable[ChainEvent], time: int) -> set[str]:
    """The players whose copies a page of blocks may change."""
    tokens = [f"{event.values['token']:064x}" for event in events if event.name in ("Out", "Back")]
    either = col(Trip.token).in_(tokens) | ((col(Trip.until) < time) & (col(Trip.state) == "leaving"))
    found = set(session.exec(select(Trip.player_id).where(either)))
    return found | {_player(event) for event in events if event.name == "Back"}


def _player(event: ChainEvent) -> str:
    return str(uuid.UUID(bytes=bytes(event.values["player"])))


def _trip(session: Session, event: ChainEvent, state: str) -> Trip | None:
    named = (Trip.token == f"{event.values['token']:064x}", Trip.trip == event.values["trip"])
    return session.exec(select(Trip).where(*named, Trip.state == state)).first()


def _out(house: Runtime, session: Session, event: ChainEvent, now: int) -> int:
    trip = _trip(session, event, "leaving")
    if trip is None:
        trip = _forgotten(house, session, event, now)
    trip.state, trip.at = "outside", now
    session.add(trip)
    session.flush()
    return 1


def _forgotten(house: Runtime, session: Session, event: ChainEvent, now: int) -> Trip:
    """A trip that a restored house does not know: its copy leaves now. Raises `Alarm` if that can't be."""
    token, where = f"{event.values['token']:064x}", f"block {event.block}"
    if not holds.restored(session):
        raise Alarm(f"token {token} has come out in {where}, and the house knows of no such statement")
    copy = _by_token(house, session, token)
    if copy is None:
        raise Alarm(f"token {token} has come out in {where}, and the restored house has no such copy")
    if copy.state not in collection.PLAYABLE or copy.soulbound:  # a match reads copies: it goes on without
        raise Alarm(f"copy {copy.id} has come out in {where}, and is {copy.state} in the restored house")
    trip = Trip(
        statement_id=new_id(),
        place=0,
        copy_id=copy.id,
        token=token,
        trip=event.values["trip"],
        player_id=copy.owner_id,
        receiver=checksummed(event.values["receiver"]),
        until=0,
        state="outside",
        at=now,
    )
    copy.state, copy.held_by = "outside", trip.statement_id
    session.add(copy)
    moved = [ledger.Transfer(copy.owner_id, ledger.CHAIN, copy=copy.id)]
    ledger.post(session, "out", moved, now, f"out:{trip.statement_id}")
    return trip


def _by_token(house: Runtime, session: Session, token: str) -> Copy | None:
    """The copy of a token, found by computing all: only a restored house needs that."""
    for copy in session.exec(select(Copy).where(col(Copy.soulbound).is_(False))):
        origin = provenance.of_copy(session, house.catalog, copy).origin
        if token_id(origin_digest(origin.json())).hex() == token:
            return copy
    return None


def _back(session: Session, event: ChainEvent, now: int) -> int:
    trip = _trip(session, event, "outside")
    if trip is None:
        token = f"{event.values['token']:064x}"
        raise Alarm(f"token {token} was burned in block {event.block}, and is not outside")
    player = session.get(Player, _player(event))
    known = player is not None and player.deleted_at is None
    trip.state, trip.at = "back" if known else "lost", now
    session.add(trip)
    session.flush()
    if player is not None and known:
        _return(session, [trip], player.id, now, f"back:{trip.token}:{trip.trip}")
    return 1


def _return(session: Session, trips: Sequence[Trip], player_id: str, now: int, ref: str) -> None:
    """Give copies that were outside to a player."""
    ids = [trip.copy_id for trip in trips]
    inside = {"state": "free", "held_by": None, "owner_id": player_id}
    session.execute(update(Copy).where(col(Copy.id).in_(ids)).values(**inside))
    moved = [ledger.Transfer(ledger.CHAIN, player_id, copy=copy_id) for copy_id in ids]
    ledger.post(session, "back", moved, now, ref)


def _lapse(session: Session, time: int, now: int) -> int:
    """Free the copies of statements that nobody has used by a final block behind their end."""
    query = select(Trip).where(Trip.state == "leaving", Trip.until < time)
    lapsed: dict[str, list[Trip]] = {}
    for trip in session.exec(query.order_by(col(Trip.statement_id), col(Trip.place))).all():
        lapsed.setdefault(trip.statement_id, []).append(trip)
    for statement, trips in lapsed.items():
        for trip in trips:
            trip.state, trip.at = "lapsed", now
            session.add(trip)
        session.flush()
        _return(session, trips, trips[0].player_id, now, f"lapse:{statement}")
    return sum(map(len, lapsed.values()))


def _recover(session: Session, time: int) -> None:
    """End the time of caution of a restored house: all statements that it may not know have lapsed by now."""
    over = (col(ChainHead.restored_until) > 0, col(ChainHead.restored_until) < time)
    session.execute(update(ChainHead).where(*over).values(restored_until=0))


def alarm(session: Session) -> str | None:
    """Why the reader has stopped; None while it reads."""
    head = session.get(ChainHead, 1)
    return None if head is None else head.alarm


@dataclass(frozen=True, slots=True)
class PantryState:
    """How far the house has read its pantry."""

    place: str
    """The chain's number and the contract's address."""
    block: int | None
    """The newest block that was read; None before the first."""
    time: int | None
    """When that block was made, in seconds since 1970."""
    alarm: str | None


def state(house: Runtime) -> PantryState:
    """How far the house has read its pantry, and why the reader has stopped if it has.

    Raises `Problem` 409 `no_pantry` for a house without one.
    """
    place = outside.pantry(house.settings)
    if place is None:
        raise conflict("no_pantry", "This house has no pantry on a chain.")
    head = _head(house)
    if head is None or head.number < 0:
        return PantryState(named(place), None, None, None if head is None else head.alarm)
    return PantryState(head.place, head.number, head.time, head.alarm)


def read_on(house: Runtime) -> str | None:
    """Let the reader go on from where it stopped; returns the alarm that is over, None if there was none.

    Nothing is skipped: the reader takes the same blocks again, and raises the same alarm if they still say
    what can't be.
    """
    with house.write() as session:
        head = session.get(ChainHead, 1, with_for_update=True)
        if head is None or head.alarm is None:
            return None
        before, head.alarm = head.alarm, None
        session.add(head)
    log.warning("chain_read_on", text=before)
    return before

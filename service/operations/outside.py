"""Copies that leave the house as tokens on a chain, by a statement that the house signs (docs/chain.md).

A copy is inside or outside, never both. It is outside from the moment of the statement. It is inside again
when the house has read in final blocks that its token was burned, or that the statement lapsed unused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from referee.on_chain import Place, address, checksummed, copies_out, signed, token_id
from referee.ownership import origin_digest, write_origin
from service.config import Settings
from service.db import upsert
from service.models import ChainHead, Copy, Player, Trip
from service.models.base import new_id
from service.operations import holds, ledger, provenance, sanctions
from service.problems import Fault, conflict, invalid, not_found
from service.runtime import Runtime

MOST = 60
"""The most copies in a statement, as the contract takes them."""
LIFE = 23 * 3600
"""Seconds for which a statement holds. The contract takes a day by its own clock, which may be behind."""
LONGEST = 86_400
"""Seconds behind which no statement of a house that is restored now can be used any more."""
FRESH = 3600
"""Seconds by which the newest final block may be old while copies leave."""


@dataclass(frozen=True, slots=True)
class LeaveStatement:
    """A statement that lets copies out, which the contract takes with its signature."""

    id: str
    place: Place
    trips: Sequence[Trip]
    key: bytes
    """The house's key, which must stand in the contract."""
    signature: bytes


def pantry(settings: Settings) -> Place | None:
    """The pantry of this house; None if it has none, or no nodes to read it from."""
    if not settings.chain_id or not settings.chain_pantry or not settings.chain_nodes:
        return None
    return Place(settings.chain_id, address(settings.chain_pantry))


def leave(house: Runtime, player: Player, copies: Sequence[str], to: str) -> LeaveStatement:
    """Let copies of a player out, to an address with its checksum; returns the signed statement.

    Raises `Problem` 409 for copies that are bound or not free, and where the house reads no pantry; 422 for a
    wrong address.
    """
    place = pantry(house.settings)
    if place is None:
        raise conflict("no_pantry", "This house has no pantry on a chain.")
    receiver = _receiver(to)
    now = house.now()
    with house.write() as session:
        holds.lock_players(session, [player.id])
        sanctions.require_none(session, player.id, now, sanctions.KINDS)
        _require_reader(session, now)
        chosen = _chosen(session, player.id, copies)
        statement, until = new_id(), now // 1000 + LIFE
        trips = []
        for i, copy in enumerate(chosen):
            origin = provenance.of_copy(session, house.catalog, copy).origin
            token = token_id(origin_digest(origin.json())).hex()
            trips.append(
                Trip(
                    statement_id=statement,
                    place=i,
                    copy_id=copy.id,
                    token=token,
                    trip=_made(session, copy.id) + 1,
                    player_id=player.id,
                    receiver=receiver,
                    until=until,
                    state="leaving",
                    at=now,
                )
            )
        ids = [copy.id for copy in chosen]
        session.execute(update(Copy).where(col(Copy.id).in_(ids)).values(state="outside", held_by=statement))
        session.add_all(trips)
        moved = [ledger.Transfer(player.id, ledger.CHAIN, copy=copy_id) for copy_id in ids]
        ledger.post(session, "out", moved, now, f"out:{statement}")
        return _statement(house, place, trips)


def _receiver(to: str) -> str:
    try:
        data = address(to)
    except ValueError as error:
        fault = Fault("bad_address", f"This is no address: {error}.", "/to")
        raise invalid("bad_address", fault.detail, [fault]) from None
    if not any(data):
        fault = Fault("bad_address", "Nobody has the address of zeros.", "/to")
        raise invalid("bad_address", fault.detail, [fault])
    return checksummed(data)


def _require_reader(session: Session, now: int) -> None:
    """Raise `Problem` 409 unless the house reads its chain, and nothing is wrong with it."""
    holds.require_known(session)
    head = session.get(ChainHead, 1)
    if head is None or head.alarm is not None or head.time + FRESH < now // 1000:
        raise conflict("chain_unread", "This house can't read its chain now. Please try again later.")


def _chosen(session: Session, owner_id: str, ids: Sequence[str]) -> list[Copy]:
    query = select(Copy, holds.no_game()).where(Copy.owner_id == owner_id, col(Copy.id).in_(ids))
    found = {copy.id: (copy, unheld) for copy, unheld in session.exec(query)}
    faults = []
    for i, copy_id in enumerate(ids):
        copy, unheld = found.get(copy_id, (None, True))
        where = f"/copies/{i}"
        if copy is None:
            faults.append(Fault("not_yours", "You do not own this copy.", where))
        elif copy_id in ids[:i]:
            faults.append(Fault("repeated_copy", "This copy is named twice.", where))
        elif copy.soulbound:
            faults.append(Fault("soulbound", "This copy stays with its first owner for ever.", where))
        elif copy.state != "free" or not unheld:
            state = copy.state if unheld else "held"
            faults.append(Fault("not_free", f"This copy is {state}.", where, data={"state": state}))
    if faults:
        raise conflict("copies_missing", "Not all of these copies can leave.", faults)
    return [found[copy_id][0] for copy_id in ids]


def _made(session: Session, copy_id: str) -> int:
    """How often a copy's token has come out; a statement that lapsed does not count."""
    query = select(func.max(Trip.trip)).where(Trip.copy_id == copy_id, Trip.state != "lapsed")
    return session.exec(query).one() or 0


def _statement(house: Runtime, place: Place, trips: Sequence[Trip]) -> LeaveStatement:
    first = trips[0]
    listed = [(bytes.fromhex(trip.token), trip.trip) for trip in trips]
    digest = copies_out(place, address(first.receiver), first.until, listed)
    keys = house.keys
    return LeaveStatement(first.statement_id, place, trips, keys.public, signed(keys.signing_key, digest))


def statement(house: Runtime, session: Session, player_id: str, statement_id: str) -> LeaveStatement:
    """A statement of this player's, and what has become of its copies. Raises `Problem` 404, 409."""
    query = select(Trip).where(Trip.statement_id == statement_id, Trip.player_id == player_id)
    trips = session.exec(query.order_by(col(Trip.place))).all()
    if not trips:
        raise not_found("statement")
    place = pantry(house.settings)
    if place is None:
        raise conflict("no_pantry", "This house has no pantry on a chain.")
    return _statement(house, place, trips)


def origin_of(house: Runtime, session: Session, token: str) -> tuple[Copy, dict[str, Any]]:
    """The copy of a token that has ever been let out, and its signed origin. Raises `Problem` 404."""
    found = session.exec(
        select(Copy).join(Trip, col(Trip.copy_id) == col(Copy.id)).where(Trip.token == token).limit(1)
    ).first()
    if found is None:
        raise not_found("token")
    origin = provenance.of_copy(session, house.catalog, found).origin
    return found, write_origin(house.keys.signing_key, origin)


def mark_restored(session: Session, now: int, has_pantry: bool) -> None:
    """Note in a restored house with a pantry that it may not know which of its copies are outside."""
    if not has_pantry and session.get(ChainHead, 1) is None:
        return
    fresh = {"place": "", "number": -1, "hash": "", "time": 0, "alarm": None}
    until = {"restored_until": now // 1000 + LONGEST}
    session.execute(
        upsert(session, ChainHead)
        .values(id=1, **fresh, **until)
        .on_conflict_do_update(index_elements=["id"], set_=until)
    )

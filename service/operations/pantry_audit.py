"""The house's notes of copies that are outside, held against the chain itself (docs/chain.md).

The pantry logs every copy that comes out and every one that goes back. So its final blocks, from the first
one on, give all trips that there have ever been. They must be those that the house has noted up to the newest
block that it has read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlalchemy import true
from sqlmodel import select

from chain.reader import Changed, Cursor, LogReader
from service.models import ChainHead, Trip
from service.operations import outside
from service.operations.audit import AuditFinding, Progress
from service.operations.pantry import named, reader_of
from service.problems import conflict
from service.runtime import Runtime

TAKEN = ("outside", "back", "lost")
"""The states of trips whose copies have come out on the chain."""

Trips = dict[tuple[str, int], bool]
"""Trips by the token's 64 hexadecimal digits and the trip's number: whether the copy has gone back since."""


@dataclass
class ChainAudit:
    """What was compared, and everything that differs."""

    blocks: int
    """The number of blocks that were read."""
    outside: int = 0
    """The number of tokens that exist on the chain."""
    trips: int = 0
    """The number of ways out that the chain has logged."""
    findings: list[AuditFinding] = field(default_factory=list)


def against_chain(house: Runtime, progress: Progress = lambda done, total: None) -> ChainAudit:
    """Compare the trips that the house has noted with those that the pantry has logged.

    The house may be open: only blocks count that it had read when this begins. Raises `Problem` 409 for a
    house without a pantry (`no_pantry`), or one that has read no block of it yet (`chain_unread`), and
    `NodeFault` if a node can't be used.
    """
    place = outside.pantry(house.settings)
    if place is None:
        raise conflict("no_pantry", "This house has no pantry on a chain.")
    head, noted = _noted(house)
    if head is None or head.number < 0 or head.place != named(place):
        raise conflict("chain_unread", "This house has read no block of its pantry yet.")
    first = house.settings.chain_first
    found = ChainAudit(max(0, head.number + 1 - first))
    try:
        with reader_of(house, place) as reader:
            logged = _logged(reader, first, Cursor(head.number, bytes.fromhex(head.hash)), progress)
    except Changed as fault:
        found.findings.append(AuditFinding("block_changed", f"block {head.number}", str(fault)))
        return found
    found.trips, found.outside = len(logged), sum(not back for back in logged.values())
    found.findings += _differences(noted, logged)
    return found


def _noted(house: Runtime) -> tuple[ChainHead | None, Trips]:
    """How far the house has read, and the trips it has noted; by one statement, so both are of one moment."""
    query = select(ChainHead, Trip).join(Trip, true(), isouter=True).where(ChainHead.id == 1)
    with house.read() as session:
        rows = session.exec(query).all()
        trips = [trip for _, trip in rows if trip is not None and trip.state in TAKEN]
        noted = {(trip.token, trip.trip): trip.state != "outside" for trip in trips}
        return (rows[0][0] if rows else None), noted


def _logged(reader: LogReader, first: int, head: Cursor, progress: Progress) -> Trips:
    """The trips that the blocks from `first` to `head` tell. Raises `Changed` if `head` is gone."""
    trips: Trips = {}
    for events, behind in reader.since(reader.before(first)):
        for event in events:
            if event.block <= head.number and event.name in ("Out", "Back"):
                trips[f"{event.values['token']:064x}", event.values["trip"]] = event.name == "Back"
        progress(min(behind.number, head.number) - first + 1, head.number - first + 1)
        if behind.number >= head.number:
            break
    reader.time(head)
    return trips


def _differences(noted: Trips, logged: Trips) -> Iterator[AuditFinding]:
    for token, trip in sorted({*noted, *logged}):
        about = f"token {token}"
        ours, theirs = noted.get((token, trip)), logged.get((token, trip))
        if ours is None:
            text = f"trip {trip} has come out on the chain, and the house has not noted it"
            yield AuditFinding("trip_unknown", about, text)
        elif theirs is None:
            text = f"the house has noted that trip {trip} came out, and the chain has no such trip"
            yield AuditFinding("trip_missing", about, text)
        elif ours != theirs:
            known, other = ("back", "outside") if ours else ("outside", "back")
            text = f"trip {trip} is {known} in the house's notes, and {other} on the chain"
            yield AuditFinding("trip_differs", about, text)

"""The provenance of a copy: its origin and its owners, as the house signs them (referee/ownership.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from cards.catalog.cards import SET_SIZE, Catalog
from referee.ownership import Origin, Owner, write_provenance
from service.models import Copy, LedgerTransaction, LedgerTransfer
from service.operations import ledger
from service.problems import conflict, not_found
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin and the owners of a copy."""

    origin: Origin
    owners: Sequence[Owner]
    """All owners in order; the last one owns the copy now."""


def of_copy(session: Session, catalog: Catalog, copy: Copy) -> Provenance:
    """The provenance of a copy, read from the ledger. A chain is no owner: its way there is public anyway."""
    moved = (
        select(LedgerTransfer, LedgerTransaction)
        .join(LedgerTransaction, col(LedgerTransaction.seq) == col(LedgerTransfer.seq))
        .where(LedgerTransfer.copy_id == copy.id, LedgerTransfer.target != ledger.CHAIN)
        .order_by(col(LedgerTransfer.seq), col(LedgerTransfer.number))
    )
    owners, at = [], copy.created_at
    for transfer, entered in session.exec(moved):
        at = max(at, entered.at)  # times never run back here, even if a clock was put back
        owners.append(Owner(transfer.target, entered.kind, entered.seq, at))
    sets = {card_set.index: card_set.code for card_set in catalog.sets}
    origin = Origin(
        copy=copy.id,
        card=copy.card,
        set=sets.get(copy.card // SET_SIZE, str(copy.card // SET_SIZE)),
        number=copy.card % SET_SIZE,
        serial=copy.serial,
        origin=copy.origin,
        soulbound=copy.soulbound,
        at=copy.created_at,
    )
    return Provenance(origin, owners)


def own_copy(session: Session, owner_id: str, copy_id: str) -> Copy:
    """A copy that this player owns. Raises `Problem` 404 for any other copy."""
    copy = session.get(Copy, copy_id)
    if copy is None or copy.owner_id != owner_id:
        raise not_found("copy")
    return copy


def signed(house: Runtime, owner_id: str, copy_id: str) -> tuple[Copy, dict[str, Any]]:
    """A copy and its signed provenance, which its owner may show to others. Raises `Problem` 404, and 409
    for one that is outside.
    """
    with house.read() as session:
        copy = own_copy(session, owner_id, copy_id)
        if copy.state == "outside":
            raise conflict("outside", "This copy is outside: the house does not know who owns its token.")
        found = of_copy(session, house.catalog, copy)
    return copy, write_provenance(house.keys.signing_key, found.origin, found.owners, house.now())

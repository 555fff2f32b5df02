"""Where a copy came from and whose it has been, as the house signs it (referee/ownership.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from cards.catalog.cards import SET_SIZE, Catalog
from referee.ownership import Origin, Owner, write_provenance
from service.models import Copy, LedgerTransaction, LedgerTransfer
from service.problems import not_found
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Provenance:
    """All that there is to say of a copy: what it is, where it came from, whose it has been."""

    origin: Origin
    owners: Sequence[Owner]
    """From the first on; the last has it now."""


def of_copy(session: Session, catalog: Catalog, copy: Copy) -> Provenance:
    """A copy's provenance, out of the ledger."""
    moved = (
        select(LedgerTransfer, LedgerTransaction)
        .join(LedgerTransaction, col(LedgerTransaction.seq) == col(LedgerTransfer.seq))
        .where(LedgerTransfer.copy_id == copy.id)
        .order_by(col(LedgerTransfer.seq), col(LedgerTransfer.number))
    )
    owners, at = [], copy.created_at
    for transfer, entered in session.exec(moved):
        at = max(at, entered.at)  # times do not run back here, whatever a clock did
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
    """A copy of a player's. Raises `Problem` 404, for another's too."""
    copy = session.get(Copy, copy_id)
    if copy is None or copy.owner_id != owner_id:
        raise not_found("copy")
    return copy


def signed(house: Runtime, owner_id: str, copy_id: str) -> tuple[Copy, dict[str, Any]]:
    """A copy, and what the house says of it to its owner, who may show it to others. Raises `Problem` 404."""
    with house.read() as session:
        copy = own_copy(session, owner_id, copy_id)
        found = of_copy(session, house.catalog, copy)
    return copy, write_provenance(house.keys.signing_key, found.origin, found.owners, house.now())

"""The collection: copies of cards, which are given with serial numbers.

Free copies are bound: the copies of a starter deck and Basic Ingredients stay with their first owner.
Otherwise a person could register again and again and sell what they get.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from cards.catalog.cards import Printing, Starter
from service.db import upsert
from service.models import CardSerial, Copy
from service.operations import ledger
from service.problems import Fault, invalid
from service.runtime import Runtime

MOST_MINTED = 60
"""The most copies of Basic Ingredients in one request."""

PLAYABLE = ("free", "held")
"""The states of copies that a match may hold."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The number of copies of a card that a player owns."""

    card: int
    owned: int
    playable: int
    """Those that lie in no open offer: a match may hold them, even if others hold them too."""
    free: int
    """Those that no match holds either: an offer may give them, unless they are bound."""


def give(
    session: Session,
    owner_id: str,
    counts: Mapping[int, int],
    origin: str,
    now: int,
    *,
    kind: str,
    soulbound: bool,
    ref: str | None = None,
) -> list[Copy]:
    """Make new copies for a player: `counts` by card number, each copy with the card's next serial number.

    A transaction of this `kind` moves them from the mint to the player (see `ledger.post`).
    """
    last = _serials(session, counts)
    copies = [
        Copy(card=card, serial=serial, owner_id=owner_id, origin=origin, created_at=now, soulbound=soulbound)
        for card, count in sorted(counts.items())
        for serial in range(last[card] - count + 1, last[card] + 1)
    ]
    session.add_all(copies)
    session.flush()
    minted = (ledger.Transfer(ledger.MINT, owner_id, copy=copy.id) for copy in copies)
    ledger.post(session, kind, minted, now, ref)
    return copies


def give_starter(session: Session, owner_id: str, starter: Starter, now: int) -> list[Copy]:
    """Give a player the copies of a starter deck, which stay with their owner."""
    origin = f"starter:{starter.slug}"
    return give(session, owner_id, starter.counts, origin, now, kind="starter", soulbound=True)


def _serials(session: Session, counts: Mapping[int, int]) -> dict[int, int]:
    """Take as many serial numbers of each card as `counts` says; returns the last one of each.

    A single statement locks the counters of these cards until the commit, in ascending order. So two
    transactions wait for each other and never deadlock.
    """
    rows = [{"card": card, "last": count} for card, count in sorted(counts.items())]
    statement = upsert(session, CardSerial).values(rows)
    taken = statement.on_conflict_do_update(
        index_elements=["card"], set_={"last": col(CardSerial.last) + statement.excluded.last}
    ).returning(col(CardSerial.card), col(CardSerial.last))
    return {row.card: row.last for row in session.execute(taken)}


def mint_basics(house: Runtime, player_id: str, counts: Mapping[int, int]) -> list[Copy]:
    """Give a player free copies of Basic Ingredients, by card number. Raises `Problem` 422."""
    faults = list(_not_minted(house.catalog.printings[card] for card in counts))
    wanted = sum(counts.values())
    if not 1 <= wanted <= MOST_MINTED:
        detail = f"Ask for 1 to {MOST_MINTED} copies at a time, not {wanted}."
        faults.append(Fault("bad_count", detail, "/cards", data={"copies": wanted, "at_most": MOST_MINTED}))
    if faults:
        raise invalid("not_minted", "These copies are not free of charge.", faults)
    with house.write() as session:
        return give(session, player_id, counts, "basic", house.now(), kind="basic", soulbound=True)


def _not_minted(printings: Iterable[Printing]) -> Iterator[Fault]:
    for printing in printings:
        name, at = printing.card.name, f"/cards/{printing.card.slug}"
        if not printing.basic:
            yield Fault("not_basic", f"{name} is no Basic Ingredient.", at)
        elif printing.retired:
            yield Fault("retired_card", f"{name} was withdrawn: no more copies are made of it.", at)


def holdings(session: Session, owner_id: str, after: int = 0, limit: int | None = None) -> list[Holding]:
    """The cards that a player owns copies of, by card number, from the first card above `after`.

    Copies that are outside do not count.
    """
    query = (
        select(
            Copy.card,
            func.count(),
            func.count().filter(col(Copy.state).in_(PLAYABLE)),
            func.count().filter(col(Copy.state) == "free"),
        )
        .where(Copy.owner_id == owner_id, Copy.card > after, Copy.state != "outside")
        .group_by(col(Copy.card))
        .order_by(col(Copy.card))
        .limit(limit)
    )
    return [Holding(*row) for row in session.exec(query)]


def owned(session: Session, owner_id: str) -> dict[int, int]:
    """The number of copies of each card that a player owns, held ones included."""
    return {holding.card: holding.owned for holding in holdings(session, owner_id)}


def copies(
    session: Session, owner_id: str, after: tuple[int, int] = (0, 0), limit: int = 50, card: int | None = None
) -> list[Copy]:
    """A player's copies by (card, serial), from the first above `after`; only of `card`, if it is given."""
    key, serial = after
    query = select(Copy).where(
        Copy.owner_id == owner_id,
        (col(Copy.card) > key) | ((col(Copy.card) == key) & (col(Copy.serial) > serial)),
    )
    if card is not None:
        query = query.where(Copy.card == card)
    return list(session.exec(query.order_by(col(Copy.card), col(Copy.serial)).limit(limit)))

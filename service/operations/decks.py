"""Deck lists: create, revise, delete, find, check. A revision is written once and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from cards import decklist
from cards.catalog import Catalog
from cards.decklist import DeckList
from service.house import House
from service.models import Deck, DeckRevision
from service.operations import collection
from service.problems import Fault, Problem, conflict, invalid, not_found


@dataclass(frozen=True, slots=True)
class Listed:
    """A deck at one of its revisions."""

    deck: Deck
    revision: DeckRevision


@dataclass(frozen=True, slots=True)
class Validation:
    """What is wrong with a deck list, and what is worth a word."""

    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]

    @property
    def legal(self) -> bool:
        """Whether a match may be played with it."""
        return not self.faults


def create(house: House, owner_id: str, *, name: str, cards: Mapping[int, int]) -> Listed:
    """A new deck list of known cards; it may be unfinished. Raises `Problem` 409 when there are too many."""
    with house.write() as session:
        mine = (col(Deck.owner_id) == owner_id, col(Deck.deleted_at).is_(None))
        most = house.settings.decks_per_player
        if session.exec(select(func.count()).select_from(Deck).where(*mine)).one() >= most:
            raise conflict("too_many_decks", f"A player keeps at most {most} decks.", at_most=most)
        return add(session, owner_id, name, cards, house.now())


def add(session: Session, owner_id: str, name: str, cards: Mapping[int, int], now: int) -> Listed:
    """A new deck list, as its first revision."""
    deck = Deck(owner_id=owner_id, revision=1, created_at=now)
    session.add(deck)
    session.flush()  # the revision refers to it
    return Listed(deck, _write(session, deck, name, cards, now))


def revise(house: House, owner_id: str, deck_id: str, *, name: str, cards: Mapping[int, int]) -> Listed:
    """A deck's next revision; what changes nothing makes none. Raises `Problem` 404."""
    with house.write() as session:
        newest = find(session, owner_id, deck_id, lock=True)
        if newest.revision.name == name and newest.revision.counts == dict(cards):
            return newest
        newest.deck.revision += 1
        return Listed(newest.deck, _write(session, newest.deck, name, cards, house.now()))


def delete(house: House, owner_id: str, deck_id: str) -> None:
    """Delete a deck; its revisions stay for the matches that were played with them. Raises `Problem` 404."""
    with house.write() as session:
        find(session, owner_id, deck_id, lock=True).deck.deleted_at = house.now()


def find(session: Session, owner_id: str, deck_id: str, *, lock: bool = False) -> Listed:
    """A player's deck at its newest revision. Raises `Problem` 404, for another's too."""
    query = select(Deck).where(Deck.id == deck_id)
    deck = session.exec(query.with_for_update() if lock else query).first()
    if deck is None or deck.owner_id != owner_id or deck.deleted_at is not None:
        raise not_found("deck")
    return Listed(deck, session.get_one(DeckRevision, (deck.id, deck.revision)))


def of_player(
    session: Session, owner_id: str, after: tuple[int, str] | None = None, limit: int = 50
) -> list[Listed]:
    """A player's decks by (created_at, id), from the first above `after`."""
    query = (
        select(Deck, DeckRevision)
        .join(
            DeckRevision,
            (col(DeckRevision.deck_id) == col(Deck.id)) & (col(DeckRevision.number) == col(Deck.revision)),
        )
        .where(Deck.owner_id == owner_id, col(Deck.deleted_at).is_(None))
    )
    if after is not None:
        time, deck_id = after
        later = (col(Deck.created_at) > time) | ((col(Deck.created_at) == time) & (col(Deck.id) > deck_id))
        query = query.where(later)
    rows = session.exec(query.order_by(col(Deck.created_at), col(Deck.id)).limit(limit))
    return [Listed(deck, revision) for deck, revision in rows]


def revisions(
    session: Session, owner_id: str, deck_id: str, below: int | None = None, limit: int = 50
) -> list[Listed]:
    """A deck's revisions, newest first, from the first number below `below`. Raises `Problem` 404."""
    deck = find(session, owner_id, deck_id).deck
    query = select(DeckRevision).where(DeckRevision.deck_id == deck_id)
    if below is not None:
        query = query.where(DeckRevision.number < below)
    rows = session.exec(query.order_by(col(DeckRevision.number).desc()).limit(limit))
    return [Listed(deck, revision) for revision in rows]


def revision(session: Session, owner_id: str, deck_id: str, number: int) -> Listed:
    """A deck at one of its revisions. Raises `Problem` 404."""
    deck = find(session, owner_id, deck_id).deck
    if not 1 <= number <= deck.revision:
        raise not_found("revision")
    return Listed(deck, session.get_one(DeckRevision, (deck_id, number)))


def validate(session: Session, catalog: Catalog, owner_id: str, cards: Mapping[int, int]) -> Validation:
    """Whether a player may play a match with these cards: legal by the rules, and owned."""
    deck = DeckList(cards)
    owned = collection.owned(session, owner_id)
    return Validation(
        tuple(_fault(catalog, fault) for fault in decklist.faults(deck, catalog, owned, "/cards")),
        tuple(_fault(catalog, fault) for fault in decklist.warnings(deck, catalog, "/cards")),
    )


def require_playable(session: Session, catalog: Catalog, owner_id: str, cards: Mapping[int, int]) -> None:
    """Raise `Problem` 422 `deck_illegal` with every fault unless a match may be played with these cards."""
    validation = validate(session, catalog, owner_id, cards)
    if not validation.legal:
        raise _illegal(validation)


def _illegal(validation: Validation) -> Problem:
    return invalid("deck_illegal", "No match can be played with this deck.", validation.faults)


def _write(session: Session, deck: Deck, name: str, cards: Mapping[int, int], now: int) -> DeckRevision:
    counts = DeckList(cards).to_json()
    written = DeckRevision(deck_id=deck.id, number=deck.revision, name=name, cards=counts, created_at=now)
    session.add(written)
    return written


def _fault(catalog: Catalog, fault: decklist.Fault) -> Fault:
    """The rules' fault in the house's form; on the wire a card is named by its slug."""
    card = catalog.cards.get(fault.data["number"]) if "number" in fault.data else None
    pointer = f"/cards/{card.slug}" if card else fault.pointer
    return Fault(fault.code, fault.text, pointer, data=fault.data)

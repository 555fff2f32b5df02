"""Deck lists: create, copy, revise, restore, delete and find them. A revision never changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from cards.decks.deck_lists import DeckList
from service.models import DeckRevision, DeckRow, Player
from service.problems import conflict, not_found
from service.runtime import Runtime

PRIVATE, UNLISTED, PUBLIC = VISIBILITIES = ("private", "unlisted", "public")
"""The three visibilities: for the owner alone; for everybody who has the id; listed for everybody."""
HIDDEN = "(hidden name)"
"""The name of a deck for others than its owner, where a moderator has hidden it."""
MOST_TAGS, LONGEST_TAG, LONGEST_NOTE = 12, 30, 200


@dataclass(frozen=True, slots=True)
class ListedDeck:
    """A deck at one of its revisions, with its owner's handle."""

    deck: DeckRow
    revision: DeckRevision
    owner: str
    """The owner's handle."""
    veiled: bool = False
    """True if its name, notes and tags are hidden from the viewer."""

    @property
    def tags(self) -> list[str]:
        """The deck's tags, in alphabetical order."""
        return [] if self.veiled else self.deck.tags.split()


def shown(deck: DeckRow, revision: DeckRevision, owner: str, viewer_id: str | None) -> ListedDeck:
    """A deck at a revision as the viewer sees it: others do not see a name that a moderator has hidden."""
    if not deck.name_hidden or deck.owner_id == viewer_id:
        return ListedDeck(deck, revision, owner)
    veiled = DeckRevision(**{**revision.model_dump(), "name": HIDDEN, "note": ""})  # added to no session
    return ListedDeck(deck, veiled, owner, veiled=True)


Check = Callable[[ListedDeck], None]
"""Raises `Problem` if the locked deck is not in the state that the change was made for."""


def create(
    house: Runtime,
    owner_id: str,
    *,
    name: str,
    cards: Mapping[int, int],
    note: str = "",
    visibility: str = PRIVATE,
    tags: Sequence[str] = (),
) -> ListedDeck:
    """Create a deck list of known cards; it may be unfinished. Raises `Problem` 409 for too many decks."""
    with house.write() as session:
        _require_room(house, session, owner_id)
        deck = DeckRow(
            owner_id=owner_id,
            revision=1,
            created_at=house.now(),
            visibility=visibility,
            tags=" ".join(sorted(tags)),
        )
        return _begin(session, deck, name, cards, note)


def add(session: Session, owner_id: str, name: str, cards: Mapping[int, int], now: int) -> ListedDeck:
    """Add a new deck list with its first revision."""
    return _begin(session, DeckRow(owner_id=owner_id, revision=1, created_at=now), name, cards)


def copy(
    house: Runtime, player_id: str, deck_id: str, *, name: str | None = None, number: int | None = None
) -> ListedDeck:
    """Copy a deck that the player may see, at its newest or another revision, to a private deck of their own.

    The copy names its origin. Raises `Problem` 404, and 409 for too many decks.
    """
    with house.write() as session:
        source = visible(session, player_id, deck_id, number)
        _require_room(house, session, player_id)
        deck = DeckRow(
            owner_id=player_id,
            revision=1,
            created_at=house.now(),
            origin_id=deck_id,
            origin_revision=source.revision.number,
        )
        return _begin(session, deck, name or source.revision.name, source.revision.counts)


def revise(
    house: Runtime,
    owner_id: str,
    deck_id: str,
    check: Check,
    *,
    name: str | None = None,
    cards: Mapping[int, int] | None = None,
    note: str = "",
    visibility: str | None = None,
    tags: Sequence[str] | None = None,
) -> ListedDeck:
    """Change a deck; None leaves a value as it is. Another name or other cards make the next revision.

    A change of neither makes no revision, and its note is dropped. Raises `Problem` 404, or what `check`
    raises.
    """
    with house.write() as session:
        newest = find(session, owner_id, deck_id, lock=True)
        check(newest)
        deck, revision = newest.deck, newest.revision
        if visibility is not None:
            deck.visibility = visibility
        if tags is not None:
            deck.tags = " ".join(sorted(tags))
        name = revision.name if name is None else name
        counts = revision.counts if cards is None else dict(cards)
        if (name, counts) != (revision.name, revision.counts):
            deck.revision += 1
            revision = _write(session, deck, name, counts, house.now(), note)
        return ListedDeck(deck, revision, newest.owner)


def restore(
    house: Runtime, owner_id: str, deck_id: str, number: int, check: Check, *, note: str = ""
) -> ListedDeck:
    """Restore the name and cards of an old revision as the newest one, unless they are the same already.

    Raises `Problem` 404, or what `check` raises.
    """
    with house.write() as session:
        newest = find(session, owner_id, deck_id, lock=True)
        old = _at(session, newest, number)
        check(newest)
        if (old.name, old.counts) == (newest.revision.name, newest.revision.counts):
            return newest
        newest.deck.revision += 1
        written = _write(session, newest.deck, old.name, old.counts, house.now(), note)
        written.restored_from = number
        return ListedDeck(newest.deck, written, newest.owner)


def delete(house: Runtime, owner_id: str, deck_id: str, check: Check) -> None:
    """Delete a deck. Its revisions stay for the matches that were played with them.

    Raises `Problem` 404, or what `check` raises.
    """
    with house.write() as session:
        newest = find(session, owner_id, deck_id, lock=True)
        check(newest)
        newest.deck.deleted_at = house.now()


def find(session: Session, owner_id: str, deck_id: str, *, lock: bool = False) -> ListedDeck:
    """A deck that this player owns, at its newest revision. Raises `Problem` 404 for any other."""
    query = select(DeckRow).where(DeckRow.id == deck_id)
    deck = session.exec(query.with_for_update() if lock else query).first()
    if deck is None or deck.owner_id != owner_id:
        raise not_found("deck")
    return _newest(session, deck)


def visible(session: Session, viewer_id: str | None, deck_id: str, number: int | None = None) -> ListedDeck:
    """A deck that the viewer (None if not signed in) may see, at its newest or another revision.

    Raises the same `Problem` 404 for a missing deck and for one that the viewer may not see.
    """
    deck = session.get(DeckRow, deck_id)
    if deck is None or (deck.visibility == PRIVATE and deck.owner_id != viewer_id):
        raise not_found("deck")
    newest = _newest(session, deck)
    revision = newest.revision if number is None else _at(session, newest, number)
    return shown(deck, revision, newest.owner, viewer_id)


def revisions(
    session: Session, viewer_id: str | None, deck_id: str, below: int | None = None, limit: int = 50
) -> list[ListedDeck]:
    """The revisions of a visible deck, newest first, with numbers below `below`. Raises `Problem` 404."""
    newest = visible(session, viewer_id, deck_id)
    query = select(DeckRevision).where(DeckRevision.deck_id == deck_id)
    if below is not None:
        query = query.where(DeckRevision.number < below)
    rows = session.exec(query.order_by(col(DeckRevision.number).desc()).limit(limit))
    return [shown(newest.deck, revision, newest.owner, viewer_id) for revision in rows]


def _newest(session: Session, deck: DeckRow) -> ListedDeck:
    if deck.deleted_at is not None:
        raise not_found("deck")
    revision = session.get_one(DeckRevision, (deck.id, deck.revision))
    return ListedDeck(deck, revision, session.get_one(Player, deck.owner_id).handle)


def _at(session: Session, newest: ListedDeck, number: int) -> DeckRevision:
    if not 1 <= number <= newest.deck.revision:
        raise not_found("revision")
    return session.get_one(DeckRevision, (newest.deck.id, number))


def _require_room(house: Runtime, session: Session, owner_id: str) -> None:
    """Lock a player's row, and raise `Problem` 409 if the player has too many decks."""
    session.exec(select(Player.id).where(Player.id == owner_id).with_for_update(key_share=True)).one()
    mine = (col(DeckRow.owner_id) == owner_id, col(DeckRow.deleted_at).is_(None))
    most = house.settings.decks_per_player
    if session.exec(select(func.count()).select_from(DeckRow).where(*mine)).one() >= most:
        raise conflict("too_many_decks", f"A player keeps at most {most} decks.", at_most=most)


def _begin(
    session: Session, deck: DeckRow, name: str, cards: Mapping[int, int], note: str = ""
) -> ListedDeck:
    session.add(deck)
    session.flush()  # the revision refers to it
    revision = _write(session, deck, name, cards, deck.created_at, note)
    return ListedDeck(deck, revision, session.get_one(Player, deck.owner_id).handle)


def _write(
    session: Session, deck: DeckRow, name: str, cards: Mapping[int, int], now: int, note: str = ""
) -> DeckRevision:
    written = DeckRevision(
        deck_id=deck.id,
        number=deck.revision,
        name=name,
        cards=DeckList(cards).to_json(),
        created_at=now,
        note=note,
    )
    session.add(written)
    return written

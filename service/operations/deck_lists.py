"""Lists of decks: a player's own, the public ones, a player's favourites; and changes of favourites."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, delete, func, null
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from cards.catalog.cards import Catalog
from cards.decks.search import DeckFacts, deck_table
from service.models import DeckFavourite, DeckRevision, DeckRow, Player
from service.operations.decks import HIDDEN, PRIVATE, PUBLIC, ListedDeck, shown, visible
from service.problems import conflict
from service.runtime import Runtime

MINE, SHARED, LIKED = "mine", "public", "favourites"
"""The names of the lists of decks."""

Conditions = tuple[ColumnElement[bool], ...]
_NEWEST = (col(DeckRevision.deck_id) == col(DeckRow.id)) & (col(DeckRevision.number) == col(DeckRow.revision))
_OWNER = col(Player.id) == col(DeckRow.owner_id)


def _in(which: str, viewer_id: str | None) -> Conditions:
    """The conditions that select the decks of a list, as the viewer sees it."""
    there = col(DeckRow.deleted_at).is_(None)
    if which == SHARED:
        return (there, col(DeckRow.visibility) == PUBLIC)
    mine = col(DeckRow.owner_id) == viewer_id
    if which == MINE:
        return (there, mine)
    liked = select(DeckFavourite.deck_id).where(DeckFavourite.player_id == viewer_id)
    return (there, mine | (col(DeckRow.visibility) != PRIVATE), col(DeckRow.id).in_(liked))


def page(
    session: Session, which: str, viewer_id: str | None, after: tuple[int, str] | None = None, limit: int = 50
) -> list[ListedDeck]:
    """The decks of a list, sorted by (created_at, id), from the first above `after`."""
    query = _listed().where(*_in(which, viewer_id))
    if after is not None:
        time, deck_id = after
        later = (col(DeckRow.created_at) > time) | (
            (col(DeckRow.created_at) == time) & (col(DeckRow.id) > deck_id)
        )
        query = query.where(later)
    rows = session.execute(query.order_by(col(DeckRow.created_at), col(DeckRow.id)).limit(limit))
    return [shown(deck, revision, owner, viewer_id) for deck, revision, owner in rows]


def by_ids(session: Session, ids: Sequence[str], viewer_id: str | None) -> list[ListedDeck]:
    """Return these decks at their newest revisions, in this order, as the viewer sees them."""
    rows = session.execute(_listed().where(col(DeckRow.id).in_(ids)))
    found = {deck.id: shown(deck, revision, owner, viewer_id) for deck, revision, owner in rows}
    return [found[deck_id] for deck_id in ids]


def _listed() -> Any:
    query = sql_select(DeckRow, DeckRevision, col(Player.handle))
    return query.join(DeckRevision, _NEWEST).join(Player, _OWNER)


def facts(session: Session, catalog: Catalog, which: str, viewer_id: str | None) -> Iterator[DeckFacts]:
    """The facts about each deck of a list that a search can ask for, in no order."""
    table = deck_table(catalog)
    columns = (
        col(DeckRow.id),
        col(DeckRevision.name),
        cast(col(DeckRevision.cards), Text),  # read as text: a search by tags need not parse any
        col(DeckRevision.number),
        col(DeckRow.created_at),
        col(DeckRevision.created_at),
        col(DeckRow.tags),
        col(DeckRow.visibility),
        col(Player.handle),
        col(DeckRow.name_hidden) & (col(DeckRow.owner_id) != (viewer_id or "")),
        # A viewer who is not signed in has no favourites. A join on a null player would read all of them.
        null() if viewer_id is None else col(DeckFavourite.deck_id),
    )
    query = sql_select(*columns).join(DeckRevision, _NEWEST).join(Player, _OWNER)
    if viewer_id is not None:
        liked = (col(DeckFavourite.deck_id) == col(DeckRow.id)) & (col(DeckFavourite.player_id) == viewer_id)
        query = query.outerjoin(DeckFavourite, liked)
    rows = session.execute(query.where(*_in(which, viewer_id)))
    for deck_id, name, cards, number, created, updated, tags, visibility, owner, veiled, like in rows:
        listing = partial(counts_in if len(cards) <= REMEMBERED else _counts_in, cards)
        favourite, labels = like is not None, () if veiled else tuple(tags.split())
        yield DeckFacts(
            deck_id,
            HIDDEN if veiled else name,
            listing,
            number,
            created,
            updated,
            table,
            labels,
            visibility,
            favourite,
            owner,
        )


def _counts_in(cards: str) -> Mapping[int, int]:
    """The number of copies by card number, read from the JSON of a revision."""
    return {int(number): n for number, n in json.loads(cards).items()}


counts_in = lru_cache(maxsize=16_384)(_counts_in)
"""The same with a cache of the lists read last, of about 1.5 KB each."""
REMEMBERED = 1_000
"""The most characters of a list in the cache. A deck of 40 cards has at most half of that."""


def like(house: Runtime, player_id: str, deck_id: str) -> None:
    """Add a deck that the player may see to their favourites. Idempotent.

    Raises `Problem` 404, and 409 for too many favourites.
    """
    with house.write() as session:
        visible(session, player_id, deck_id)
        session.exec(select(Player.id).where(Player.id == player_id).with_for_update(key_share=True)).one()
        if session.get(DeckFavourite, (player_id, deck_id)) is not None:
            return
        mine = DeckFavourite.player_id == player_id
        most = house.settings.favourites_per_player
        if session.exec(select(func.count()).select_from(DeckFavourite).where(mine)).one() >= most:
            raise conflict("too_many_favourites", f"A player has at most {most} favourites.", at_most=most)
        session.add(DeckFavourite(player_id=player_id, deck_id=deck_id, created_at=house.now()))


def unlike(house: Runtime, player_id: str, deck_id: str) -> None:
    """Remove a deck from a player's favourites, even if its owner no longer shows it.

    Raises `Problem` 404 for a deck that was no favourite and that the player may not see.
    """
    with house.write() as session:
        mine = (col(DeckFavourite.player_id) == player_id, col(DeckFavourite.deck_id) == deck_id)
        gone = session.execute(delete(DeckFavourite).where(*mine).returning(col(DeckFavourite.deck_id)))
        if gone.first() is None:
            visible(session, player_id, deck_id)

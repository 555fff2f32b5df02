"""Deck lists: build, revise, look back, check."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.api.blueprint import Blueprint
from service.api.context import house, me
from service.api.errors import FaultView
from service.api.fields import CardCounts, Line, Time
from service.api.paging import PageQuery, page, page_of, read_cursor
from service.operations import decks as operations
from service.operations.decks import Listed, Validation

decks = Blueprint("decks", "Deck lists.")


class DeckBody(Schema):
    """A deck list; it may be unfinished."""

    name = Line(80, required=True)
    cards = CardCounts(required=True)


class CardsBody(Schema):
    """Cards to be checked."""

    cards = CardCounts(required=True)


class DeckView(Schema):
    """A deck list at one of its revisions."""

    id = fields.String(required=True, attribute="deck.id")
    revision = fields.Integer(required=True, attribute="revision.number")
    name = fields.String(required=True, attribute="revision.name")
    cards = CardCounts(required=True, attribute="revision.counts")
    size = fields.Function(
        lambda listed: sum(listed.revision.counts.values()),
        required=True,
        metadata={"type": "integer", "description": "Cards in all."},
    )
    created_at = Time(required=True, attribute="deck.created_at")
    revised_at = Time(required=True, attribute="revision.created_at")


class ValidationView(Schema):
    """What the rules say of a deck list."""

    legal = fields.Boolean(required=True, metadata={"description": "A match may be played with it."})
    faults = fields.List(fields.Nested(FaultView), required=True)
    warnings = fields.List(fields.Nested(FaultView), required=True)


@decks.route("/decks")
@decks.signed_in
@decks.takes(PageQuery, "query")
@decks.gives(page_of(DeckView))
def list_decks(query: dict[str, Any]) -> dict[str, Any]:
    """My decks, oldest first."""
    after = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        found = operations.of_player(session, me().id, after, query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.deck.created_at, listed.deck.id))


@decks.route("/decks", "POST")
@decks.signed_in
@decks.takes(DeckBody)
@decks.gives(DeckView, 201)
@decks.refuses(409)
def create_deck(body: dict[str, Any]) -> Listed:
    """Build a deck list of known cards; whether it is legal and owned is asked at /validation."""
    return operations.create(house(), me().id, **body)


@decks.route("/decks/<deck_id>")
@decks.signed_in
@decks.gives(DeckView)
@decks.refuses(404)
def get_deck(deck_id: str) -> Listed:
    """One of my decks."""
    with house().read() as session:
        return operations.find(session, me().id, deck_id)


@decks.route("/decks/<deck_id>", "PUT")
@decks.signed_in
@decks.takes(DeckBody)
@decks.gives(DeckView)
@decks.refuses(404)
def put_deck(body: dict[str, Any], deck_id: str) -> Listed:
    """Revise one of my decks, its name or its cards; what changes nothing makes no revision."""
    return operations.revise(house(), me().id, deck_id, **body)


@decks.route("/decks/<deck_id>", "DELETE")
@decks.signed_in
@decks.gives(None, 204)
@decks.refuses(404)
def delete_deck(deck_id: str) -> None:
    """Delete one of my decks."""
    operations.delete(house(), me().id, deck_id)


@decks.route("/decks/<deck_id>/revisions")
@decks.signed_in
@decks.takes(PageQuery, "query")
@decks.gives(page_of(DeckView))
@decks.refuses(404)
def list_revisions(query: dict[str, Any], deck_id: str) -> dict[str, Any]:
    """A deck's revisions, newest first."""
    (below,) = read_cursor(query["cursor"], int) or (None,)
    with house().read() as session:
        found = operations.revisions(session, me().id, deck_id, below, query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.revision.number,))


@decks.route("/decks/<deck_id>/revisions/<int:number>")
@decks.signed_in
@decks.gives(DeckView)
@decks.refuses(404)
def get_revision(deck_id: str, number: int) -> Listed:
    """A deck as it was."""
    with house().read() as session:
        return operations.revision(session, me().id, deck_id, number)


@decks.route("/decks/<deck_id>/validation")
@decks.signed_in
@decks.gives(ValidationView)
@decks.refuses(404)
def validate_deck(deck_id: str) -> Validation:
    """Whether a match may be played with this deck now: every fault at once."""
    with house().read() as session:
        listed = operations.find(session, me().id, deck_id)
        return operations.validate(session, house().catalog, me().id, listed.revision.counts)


@decks.route("/decks/validate", "POST")
@decks.signed_in
@decks.takes(CardsBody)
@decks.gives(ValidationView)
def validate_cards(body: dict[str, Any]) -> Validation:
    """Whether a match could be played with these cards: every fault at once."""
    with house().read() as session:
        return operations.validate(session, house().catalog, me().id, body["cards"])

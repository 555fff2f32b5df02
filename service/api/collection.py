"""The collection: what one owns, copy by copy, and free Basic Ingredients."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.api.blueprint import Blueprint
from service.api.context import house, me
from service.api.fields import CardCounts, Time, find_number
from service.api.paging import PageQuery, page, page_of, read_cursor
from service.models import Copy
from service.operations import collection as operations
from service.problems import not_found

collection = Blueprint("collection", "What one owns.")


def _slug(item: Any) -> str:
    card = house().catalog.cards.get(item.card)
    return card.slug if card else str(item.card)


class HoldingView(Schema):
    """How many copies of a card one owns."""

    card = fields.Function(_slug, required=True, metadata={"type": "string", "description": "Its slug."})
    number = fields.Integer(required=True, attribute="card")
    owned = fields.Integer(required=True)
    free = fields.Integer(required=True, metadata={"description": "Of them, held by no match."})


class CopyView(Schema):
    """One copy of a card."""

    id = fields.String(required=True)
    card = fields.Function(_slug, required=True, metadata={"type": "string", "description": "Its slug."})
    number = fields.Integer(required=True, attribute="card")
    serial = fields.Integer(
        required=True, metadata={"description": "The how-manieth copy of this card ever made."}
    )
    origin = fields.String(required=True, metadata={"description": "basic, or starter:SLUG."})
    created_at = Time(required=True)
    state = fields.String(required=True, metadata={"enum": ["free", "held"]})
    held_by = fields.String(
        required=True, allow_none=True, metadata={"description": "The game that holds it."}
    )


class CopyQuery(PageQuery):
    """Which copies."""

    card = fields.String(load_default=None, metadata={"description": "Only of this card, by slug or number."})


class Minting(Schema):
    """Which Basic Ingredients."""

    cards = CardCounts(required=True)


class MintedView(Schema):
    """New copies."""

    items = fields.List(fields.Nested(CopyView), required=True)


@collection.route("/collection")
@collection.signed_in
@collection.takes(PageQuery, "query")
@collection.gives(page_of(HoldingView))
def list_holdings(query: dict[str, Any]) -> dict[str, Any]:
    """What I own, card by card, by number."""
    (after,) = read_cursor(query["cursor"], int) or (0,)
    with house().read() as session:
        found = operations.holdings(session, me().id, after, query["limit"] + 1)
    return page(found, query["limit"], lambda holding: (holding.card,))


@collection.route("/collection/copies")
@collection.signed_in
@collection.takes(CopyQuery, "query")
@collection.gives(page_of(CopyView))
@collection.refuses(404)
def list_copies(query: dict[str, Any]) -> dict[str, Any]:
    """What I own, copy by copy, by number and serial number."""
    number = find_number(house().catalog, query["card"]) if query["card"] is not None else None
    if query["card"] is not None and number is None:
        raise not_found("card")
    card, serial = read_cursor(query["cursor"], int, int) or (0, 0)
    with house().read() as session:
        found = operations.copies(session, me().id, (card, serial), query["limit"] + 1, number)
    return page(found, query["limit"], lambda copy: (copy.card, copy.serial))


@collection.route("/collection/basics", "POST")
@collection.signed_in
@collection.takes(Minting)
@collection.gives(MintedView, 201)
@collection.refuses(429)
def mint(body: dict[str, Any]) -> dict[str, list[Copy]]:
    """Mint Basic Ingredients, free."""
    return {"items": operations.mint_basics(house(), me().id, body["cards"])}

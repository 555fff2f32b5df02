"""The collection: what one owns, copy by copy, and free Basic Ingredients."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields

from cards.pictures.token_metadata import CopyDetails
from crypto.encoding import canonical
from referee.ownership import PROTOCOL
from service.api.pictures import ImageQuery, MetadataView, token_document
from service.models import Copy
from service.operations import collection as operations
from service.operations import provenance
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import CardCounts, Time, find_number
from service.web.paging import PageQuery, page, page_of, read_cursor

ORIGINS = "basic, starter:SLUG, or booster:ID."
"""Where copies come from, in words."""

collection = Blueprint("collection", "What one owns.")

PRINTING = {
    "type": ["object", "null"],
    "description": "Where its design came out: the set's code, the number in it; null where the set is gone.",
    "properties": {"set": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["set", "number"],
}


def _slug(item: Any) -> str:
    card = house().catalog.cards.get(item.card)
    return card.slug if card else str(item.card)


class HoldingView(Schema):
    """How many copies of a card one owns."""

    card = fields.Function(_slug, required=True, metadata={"type": "string", "description": "Its slug."})
    number = fields.Integer(required=True, attribute="card")
    owned = fields.Integer(required=True)
    free = fields.Integer(
        required=True, metadata={"description": "Of them, those that nothing holds: no match, no offer."}
    )


def _printing(copy: Copy) -> dict[str, Any] | None:
    found = house().catalog.printings.get(copy.card)
    return None if found is None else {"set": found.set_code, "number": found.number_in_set}


class CopyView(Schema):
    """One copy of a card: of which design, in which printing, and what there is to know of this one."""

    id = fields.String(required=True)
    card = fields.Function(
        _slug, required=True, metadata={"type": "string", "description": "Its design, by slug."}
    )
    number = fields.Integer(required=True, attribute="card")
    printing = fields.Function(_printing, required=True, metadata=PRINTING)
    serial = fields.Integer(
        required=True, metadata={"description": "The how-manieth copy of this card ever made."}
    )
    owner = fields.String(required=True, attribute="owner_id", metadata={"description": "A player's id."})
    origin = fields.String(required=True, metadata={"description": ORIGINS})
    soulbound = fields.Boolean(
        required=True, metadata={"description": "Whether it stays with its first owner for good."}
    )
    created_at = Time(required=True)
    state = fields.String(
        required=True,
        metadata={
            "enum": ["free", "held", "listed", "escrow"],
            "description": "held: by the match that is played with it; listed or in escrow: for an offer.",
        },
    )
    held_by = fields.String(
        required=True, allow_none=True, metadata={"description": "The game or the offer that holds it."}
    )


class CopyQuery(PageQuery):
    """Which copies."""

    card = fields.String(load_default=None, metadata={"description": "Only of this card, by slug or number."})


class Minting(Schema):
    """Which Basic Ingredients."""

    example: ClassVar[dict[str, Any]] = {"cards": {"olive-oil": 2}}

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
def mint_basics(body: dict[str, Any]) -> dict[str, list[Copy]]:
    """Mint Basic Ingredients, free."""
    return {"items": operations.mint_basics(house(), me().id, body["cards"])}


class OriginView(Schema):
    """What a copy is and where it came from (docs/collection.md)."""

    copy = fields.String(required=True)
    card = fields.Integer(required=True)
    set = fields.String(required=True)
    number = fields.Integer(required=True)
    serial = fields.Integer(required=True)
    origin = fields.String(required=True)
    soulbound = fields.Boolean(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class OwnerView(Schema):
    """Who got it, how and when."""

    copy = fields.String(required=True)
    number = fields.Integer(required=True)
    prev = fields.String(required=True)
    player = fields.String(required=True, metadata={"description": "A player's id; no handle is in here."})
    kind = fields.String(required=True)
    transaction = fields.Integer(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class HolderView(Schema):
    """Who has it at a moment, and how many had it."""

    copy = fields.String(required=True)
    player = fields.String(required=True)
    links = fields.Integer(required=True)
    last = fields.String(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class ProvenanceView(Schema):
    """A copy's file, in its canonical bytes."""

    protocol = fields.String(required=True, metadata={"description": PROTOCOL})
    house_key = fields.String(required=True)
    origin = fields.Nested(OriginView, required=True)
    owners = fields.List(fields.Nested(OwnerView), required=True)
    holder = fields.Nested(HolderView, required=True)


@collection.route("/collection/copies/<copy_id>")
@collection.signed_in
@collection.gives(CopyView)
@collection.refuses(404)
def get_copy(copy_id: str) -> Copy:
    """A copy of mine."""
    with house().read() as session:
        return provenance.own_copy(session, me().id, copy_id)


@collection.route("/collection/copies/<copy_id>/provenance")
@collection.signed_in
@collection.gives(ProvenanceView)
@collection.refuses(404)
def get_provenance(copy_id: str) -> Response:
    """A copy's certificate of origin and its owners as a file, to be verified offline.

    Only for who has it: whoever else may see it is for them to say. `cloche verify FILE` checks it.
    """
    _, signed = provenance.signed(house(), me().id, copy_id)
    data = canonical(signed)
    named = {"Content-Disposition": f'attachment; filename="cloche-copy-{copy_id}.json"'}
    return Response(data, mimetype="application/json", headers=named)


@collection.route("/collection/copies/<copy_id>/metadata.json")
@collection.signed_in
@collection.takes(ImageQuery, "query")
@collection.gives(MetadataView)
@collection.refuses(404)
def get_metadata(query: dict[str, Any], copy_id: str) -> dict[str, Any]:
    """A copy of mine as ERC-721 metadata, with its picture and all that the house has signed of it."""
    copy, signed = provenance.signed(house(), me().id, copy_id)
    printing = house().catalog.printings.get(copy.card)
    if printing is None:
        raise not_found("card")
    token = CopyDetails(copy.serial, copy.origin, copy.soulbound, copy.created_at, signed)
    return token_document(printing, query["image"], token)

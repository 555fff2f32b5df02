"""The copies of cards that the signed-in player owns, and free Basic Ingredients."""

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
from service.web.fields import CardCountsField, Id, Time, find_number
from service.web.paging import PageQuery, page, page_of, read_cursor

ORIGINS = "The origin of the copy: `basic`, `starter:` and a slug, or `booster:` or `granted:` and an id."

collection = Blueprint("collection", "The copies of cards that I own.")

PRINTING = {
    "type": ["object", "null"],
    "description": "The printing: the set's code and the card's number in it. Null where the house"
    " lacks the set.",
    "properties": {"set": {"type": "string"}, "number": {"type": "integer"}},
    "required": ["set", "number"],
}


def _slug(item: Any) -> str:
    card = house().catalog.cards.get(item.card)
    return card.slug if card else str(item.card)


class HoldingView(Schema):
    """The number of copies of a card that I own."""

    card = fields.Function(
        _slug, required=True, metadata={"type": "string", "description": "The card's slug."}
    )
    number = fields.Integer(required=True, attribute="card")
    owned = fields.Integer(required=True)
    playable = fields.Integer(
        required=True,
        metadata={
            "description": "The number of them that no open offer gives. A match may hold them, even if other"
            " matches do."
        },
    )
    free = fields.Integer(
        required=True,
        metadata={
            "description": "The number of them that are free, that is, in no running match and no open offer."
        },
    )


def _printing(copy: Copy) -> dict[str, Any] | None:
    found = house().catalog.printings.get(copy.card)
    return None if found is None else {"set": found.set_code, "number": found.number_in_set}


class CopyView(Schema):
    """One copy of a card: its card, its printing, and what is particular to this copy."""

    id = Id(required=True)
    card = fields.Function(
        _slug, required=True, metadata={"type": "string", "description": "The card's slug."}
    )
    number = fields.Integer(required=True, attribute="card")
    printing = fields.Function(_printing, required=True, metadata=PRINTING)
    serial = fields.Integer(
        required=True, metadata={"description": "The serial number among all copies of this card, from 1."}
    )
    owner = Id("The id of the player who owns it.", required=True, attribute="owner_id")
    origin = fields.String(required=True, metadata={"description": ORIGINS})
    soulbound = fields.Boolean(
        required=True, metadata={"description": "True if it can never go to another player."}
    )
    created_at = Time(required=True)
    state = fields.String(
        required=True,
        metadata={
            "enum": ["free", "held", "listed", "escrow", "outside"],
            "description": "free: nothing holds it. held: running matches. listed, escrow: an open offer."
            " outside: it has left the house as a token on a chain, or may leave any moment.",
        },
    )
    held_by = fields.List(
        Id(),
        required=True,
        attribute="holders",
        metadata={
            "description": "The ids of the games, or of the offer, that hold it, or of the statement that let"
            " it out; empty while it is free."
        },
    )


class CopyQuery(PageQuery):
    """The copies to list."""

    card = fields.String(
        load_default=None,
        metadata={"description": "List only copies of this card, named by its slug or its number."},
    )


class Minting(Schema):
    """The number of copies to make of each Basic Ingredient."""

    example: ClassVar[dict[str, Any]] = {"cards": {"olive-oil": 2}}

    cards = CardCountsField(required=True)


class MintedView(Schema):
    """The new copies."""

    items = fields.List(fields.Nested(CopyView), required=True)


@collection.route("/collection")
@collection.signed_in
@collection.takes(PageQuery, "query")
@collection.gives(page_of(HoldingView))
def list_holdings(query: dict[str, Any]) -> dict[str, Any]:
    """List the cards that I own, by number, with how many copies of each."""
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
    """List the copies that I own, by card number and serial number."""
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
    """Make copies of Basic Ingredients for me, free of charge."""
    return {"items": operations.mint_basics(house(), me().id, body["cards"])}


class OriginView(Schema):
    """The house's signed statement of how a copy was made (docs/collection.md)."""

    copy = Id(required=True)
    card = fields.Integer(required=True)
    set = fields.String(required=True)
    number = fields.Integer(required=True)
    serial = fields.Integer(required=True)
    origin = fields.String(required=True)
    soulbound = fields.Boolean(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class OwnerView(Schema):
    """A signed statement that names the player who got the copy, how and when."""

    copy = Id(required=True)
    number = fields.Integer(required=True)
    prev = fields.String(required=True)
    player = Id("The player's id; the file names no handles.", required=True)
    kind = fields.String(required=True)
    transaction = fields.Integer(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class HolderView(Schema):
    """A signed statement that names the owner of the copy at a moment, and how many owners it has had."""

    copy = Id(required=True)
    player = Id(required=True)
    links = fields.Integer(required=True)
    last = fields.String(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class ProvenanceView(Schema):
    """The provenance of a copy as a file, in its canonical bytes."""

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
    """Show a copy that I own."""
    with house().read() as session:
        return provenance.own_copy(session, me().id, copy_id)


@collection.route("/collection/copies/<copy_id>/provenance")
@collection.signed_in
@collection.gives(ProvenanceView)
@collection.refuses(404, 409)
def get_provenance(copy_id: str) -> Response:
    """Download the certificate of origin and the owners of one of my copies as a file.

    `cloche verify FILE` verifies it without the house. Only the owner gets it, and may pass it on.
    """
    _, signed = provenance.signed(house(), me().id, copy_id)
    data = canonical(signed)
    named = {"Content-Disposition": f'attachment; filename="cloche-copy-{copy_id}.json"'}
    return Response(data, mimetype="application/json", headers=named)


@collection.route("/collection/copies/<copy_id>/metadata.json")
@collection.signed_in
@collection.takes(ImageQuery, "query")
@collection.gives(MetadataView)
@collection.refuses(404, 409)
def get_metadata(query: dict[str, Any], copy_id: str) -> dict[str, Any]:
    """Show one of my copies as ERC-721 metadata, with its picture and the house's signed statements."""
    copy, signed = provenance.signed(house(), me().id, copy_id)
    printing = house().catalog.printings.get(copy.card)
    if printing is None:
        raise not_found("card")
    token = CopyDetails(copy.serial, copy.origin, copy.soulbound, copy.created_at, signed)
    return token_document(printing, query["image"], token)

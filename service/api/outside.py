"""Copies that leave the house as tokens on a chain, where the operator has set up a pantry."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from cards.pictures.token_metadata import CopyDetails
from crypto.encoding import b64
from referee.on_chain import checksummed
from service.api.pictures import ImageQuery, MetadataView, token_document
from service.operations import outside as operations
from service.operations.outside import LeaveStatement
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.etags import PUBLIC
from service.web.fields import Id

outside = Blueprint("outside", "Copies that leave as tokens on a chain, where the operator has set that up.")

STATES = {
    "leaving": "the statement can be used",
    "outside": "the token is on the chain",
    "lapsed": "the statement was not used, and the copy is free again",
    "back": "the token was burned, and the player whom its owner named has the copy",
    "lost": "the token was burned for a player whom the house does not have",
}


class Leaving(Schema):
    """The copies that are to leave, and for whom. The address and the tokens are public for ever."""

    example: ClassVar[dict[str, Any]] = {
        "copies": ["7c9e6679-7425-40de-944b-e07fc1f90ae7"],
        "to": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    }

    copies = fields.List(
        Id(validate=validate.Length(max=36)),
        required=True,
        validate=validate.Length(min=1, max=operations.MOST),
        metadata={"description": "Copies of mine that are free and not bound, by id."},
    )
    to = fields.String(
        required=True,
        validate=validate.Length(min=1, max=42),
        metadata={"description": "The address of a wallet, with its checksum (EIP-55)."},
    )


class TripView(Schema):
    """A copy of a statement, and what has become of it."""

    copy = Id(required=True, attribute="copy_id")
    token = fields.String(
        required=True, metadata={"description": "The token's id, in 64 hexadecimal digits."}
    )
    trip = fields.Integer(required=True, metadata={"description": "Counts the token's ways out from 1."})
    state = fields.String(
        required=True,
        metadata={"enum": [*STATES], "description": "; ".join(f"{k}: {v}" for k, v in STATES.items()) + "."},
    )


class StatementView(Schema):
    """The house's statement: TH("copies-out"; chain id, contract, to, until, token, trip, ...)."""

    id = Id(required=True)
    chain_id = fields.Integer(required=True)
    pantry = fields.String(required=True, metadata={"description": "The address of the pantry."})
    to = fields.String(required=True, metadata={"description": "The address that the tokens go to."})
    until = fields.Integer(
        required=True, metadata={"description": "When it lapses, in seconds since 1970: a chain's own unit."}
    )
    copies = fields.List(fields.Nested(TripView), required=True)
    house_key = fields.String(
        required=True, metadata={"description": "The key that has signed, in base64url: the contract's."}
    )
    signature = fields.String(required=True, metadata={"description": "64 bytes, in base64url."})


def _shown(found: LeaveStatement) -> dict[str, Any]:
    return {
        "id": found.id,
        "chain_id": found.place.chain_id,
        "pantry": checksummed(found.place.contract),
        "to": found.trips[0].receiver,
        "until": found.trips[0].until,
        "copies": found.trips,
        "house_key": b64(found.key),
        "signature": b64(found.signature),
    }


@outside.route("/collection/outside", "POST")
@outside.signed_in
@outside.takes(Leaving)
@outside.gives(StatementView, 201)
@outside.refuses(409)
def let_out(body: dict[str, Any]) -> dict[str, Any]:
    """Let copies of mine out, as tokens for an address.

    They are outside from now on. If nobody uses the statement until it lapses, they are free again.
    """
    return _shown(operations.leave(house(), me(), body["copies"], body["to"]))


@outside.route("/collection/outside/<statement_id>")
@outside.signed_in
@outside.gives(StatementView)
@outside.refuses(404, 409)
def get_statement(statement_id: str) -> dict[str, Any]:
    """Show a statement that I asked for, and what has become of its copies."""
    with house().read() as session:
        return _shown(operations.statement(house(), session, me().id, statement_id))


@outside.route("/pantry/<token>")
@outside.cached(PUBLIC)
@outside.takes(ImageQuery, "query")
@outside.gives(MetadataView)
@outside.refuses(404)
def get_token(query: dict[str, Any], token: str) -> dict[str, Any]:
    """Show the metadata of a token on a chain, with its copy's origin and no owner.

    The token's id is in 64 hexadecimal digits.
    """
    with house().read() as session:
        copy, origin = operations.origin_of(house(), session, token)
    printing = house().catalog.printings.get(copy.card)
    if printing is None:
        raise not_found("card")
    details = CopyDetails(copy.serial, copy.origin, copy.soulbound, copy.created_at, {"origin": origin})
    return token_document(printing, query["image"], details)

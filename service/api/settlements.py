"""Prizes on a chain: which contract this house has, and its word on a game."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from crypto.encoding import b64
from referee.on_chain import checksummed
from service.operations import outside
from service.operations import settlements as operations
from service.web.blueprint import Blueprint
from service.web.context import house, viewer
from service.web.etags import OWN, PUBLIC
from service.web.fields import Id

settlements = Blueprint("prizes", "Prizes on a chain, where the operator has set them up.")


class ChainView(Schema):
    """The contracts of this house."""

    chain_id = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The chain's number; null without a contract."},
    )
    pantry = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The address of its pantry, with its checksum (EIP-55); null without one."},
    )
    prizes = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The contract's address, with its checksum (EIP-55); null without one."},
    )


class WordView(Schema):
    """The house's word on a game: TH("settlement"; chain id, contract, game, winners, result)."""

    chain_id = fields.Integer(required=True)
    prizes = fields.String(required=True, metadata={"description": "The address of the contract of prizes."})
    game = Id("The id of the game.", required=True)
    winners = fields.List(
        fields.Integer(), required=True, metadata={"description": "The seats that have won, by the record."}
    )
    result = fields.String(
        required=True, metadata={"description": "The digest of the record's result entry, in base64url."}
    )
    house_key = fields.String(
        required=True, metadata={"description": "The key that has signed, in base64url: the contract's."}
    )
    signature = fields.String(required=True, metadata={"description": "64 bytes, in base64url."})


@settlements.route("/chain")
@settlements.cached(PUBLIC)
@settlements.gives(ChainView)
def get_chain() -> dict[str, Any]:
    """Show the contracts of this house on a chain, if it has any."""
    place, pantry = operations.prizes(house().settings), outside.pantry(house().settings)
    either = place or pantry
    return {
        "chain_id": None if either is None else either.chain_id,
        "pantry": None if pantry is None else checksummed(pantry.contract),
        "prizes": None if place is None else checksummed(place.contract),
    }


@settlements.route("/games/<game_id>/word")
@settlements.cached(OWN)
@settlements.may_be_signed_in
@settlements.gives(WordView)
@settlements.refuses(403, 404, 409)
def get_word(game_id: str) -> dict[str, Any]:
    """Get the house's signed word on a game of two that is over, for the contract of prizes."""
    with house().read() as session:
        word = operations.word(house(), session, game_id, viewer())
    return {
        "chain_id": word.place.chain_id,
        "prizes": checksummed(word.place.contract),
        "game": word.game,
        "winners": word.winners,
        "result": b64(word.result),
        "house_key": b64(word.key),
        "signature": b64(word.signature),
    }

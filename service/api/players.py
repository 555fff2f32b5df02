"""Players: registration, and what is to be known of one."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields

from service.models import Player
from service.operations import players as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Time

players = Blueprint("players", "Who plays here.")


class Registration(Schema):
    """Who wants to play."""

    example: ClassVar[dict[str, Any]] = {
        "handle": "ada",
        "password": "a long password",
        "key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "starter": "trattoria",
    }

    handle = fields.String(
        required=True, metadata={"pattern": operations.HANDLE, "description": operations.HANDLE_RULE}
    )
    password = fields.String(
        required=True,
        load_only=True,
        metadata={
            "format": "password",
            "minLength": operations.PASSWORD_LENGTH[0],
            "maxLength": operations.PASSWORD_LENGTH[1],
        },
    )
    key = fields.String(
        required=True,
        metadata={
            "pattern": "^[A-Za-z0-9_-]{43}$",
            "description": "An Ed25519 public key, 32 bytes in base64url without padding; it is for ever.",
        },
    )
    starter = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The slug of a starter deck; to be left out only where there are none."},
    )


class PlayerView(Schema):
    """A player as everybody may see them."""

    id = fields.String(required=True)
    handle = fields.String(required=True)
    key = fields.String(required=True, metadata={"description": "Ed25519, base64url."})
    created_at = Time(required=True)


@players.route("/players", "POST")
@players.takes(Registration)
@players.gives(PlayerView, 201)
@players.refuses(409)
def register_player(body: dict[str, Any]) -> Player:
    """Register, and get a starter deck.

    The copies of the starter deck of one's choice are now one's own, and a deck list of them is there too.
    Where the card sets of the house have no starter decks (GET /starters), one begins with nothing.
    Ask for a token with the password next.
    """
    return operations.register(house(), **body)


@players.route("/players/<handle>")
@players.gives(PlayerView)
@players.refuses(404)
def get_player(handle: str) -> Player:
    """A player by their handle, in upper or lower case."""
    with house().read() as session:
        return operations.find(session, handle)


@players.route("/me")
@players.signed_in
@players.gives(PlayerView)
def get_me() -> Player:
    """Who I am."""
    return me()

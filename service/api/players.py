"""Players: registering, and what everybody may know of a player."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields

from service.models import Player
from service.operations import players as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id, Time

players = Blueprint("players", "Players: registering, and looking one up.")


class Registration(Schema):
    """A new player."""

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
            "description": "The player's Ed25519 public key, 32 bytes in base64url without padding. It"
            " can never be changed.",
        },
    )
    starter = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The slug of a starter deck. Leave it out only where the house has none."},
    )


class PlayerView(Schema):
    """The part of a player's account that everybody may see."""

    id = Id(required=True)
    handle = fields.String(required=True)
    key = fields.String(
        required=True, metadata={"description": "The player's Ed25519 public key, in base64url."}
    )
    created_at = Time(required=True)


@players.route("/players", "POST")
@players.takes(Registration)
@players.creates(PlayerView, "/players/{handle}")
@players.refuses(409, 503)
def register_player(body: dict[str, Any]) -> Player:
    """Register a new player, who gets a starter deck.

    The player owns the copies of the chosen starter deck, and has a deck of them. Where the house has no
    starter decks (GET /starters), the player begins with nothing. Ask for a token next (POST /tokens).
    """
    return operations.register(house(), **body)


@players.route("/players/<handle>")
@players.gives(PlayerView)
@players.refuses(404)
def get_player(handle: str) -> Player:
    """Look up a player by handle, in upper or lower case."""
    with house().read() as session:
        return operations.find(session, handle)


@players.route("/me")
@players.signed_in
@players.gives(PlayerView)
def get_me() -> Player:
    """Show the player whose token this is."""
    return me()

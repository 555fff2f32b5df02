"""Players: registering, and what everybody may know of a player."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields

from service import handles
from service.models import Player
from service.operations import naming
from service.operations import players as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id, NewPassword, Time

players = Blueprint("players", "Players: registering, and looking one up.")


class RegistrationProof(Schema):
    """A proof that the player has the key: a signature over handle and house (docs/protocol-notes.md)."""

    house = fields.String(required=True, metadata={"description": "The house's key, in base64url."})
    signature = fields.String(required=True)


class Registration(Schema):
    """A new player."""

    example: ClassVar[dict[str, Any]] = {
        "handle": "ada",
        "password": "a long password",
        "key": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        "proof": {"house": "TMyFSnvPWnBjHlYvK5dvmuj8aYWp_3Ci8zBCPM3jY1A", "signature": "kx2h..."},
        "starter": "trattoria",
    }

    handle = fields.String(
        required=True, metadata={"pattern": handles.HANDLE, "description": handles.HANDLE_RULE}
    )
    password = NewPassword(required=True)
    key = fields.String(
        required=True,
        metadata={
            "pattern": "^[A-Za-z0-9_-]{43}$",
            "description": "The player's Ed25519 public key, 32 bytes in base64url without padding. It"
            " can never be changed.",
        },
    )
    proof = fields.Nested(
        RegistrationProof,
        required=True,
        metadata={"description": "The player's signature, which shows that the key is the player's own."},
    )
    starter = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The slug of a starter deck. Leave it out only where the house has none."},
    )


class FormerView(Schema):
    """A handle that a player had before."""

    handle = fields.String(required=True)
    until = Time(required=True, metadata={"description": "The time until which it leads to the player."})


class PlayerView(Schema):
    """The part of a player's account that everybody may see."""

    id = Id(required=True)
    handle = fields.String(required=True)
    key = fields.String(
        required=True, metadata={"description": "The player's Ed25519 public key, in base64url."}
    )
    created_at = Time(required=True)
    former = fields.List(
        fields.Nested(FormerView),
        required=True,
        metadata={"description": "The handles that the player has given up lately, the newest first."},
    )


class NewHandle(Schema):
    """A new handle for me."""

    example: ClassVar[dict[str, Any]] = {"handle": "lovelace"}

    handle = fields.String(
        required=True, metadata={"pattern": handles.HANDLE, "description": handles.HANDLE_RULE}
    )


def _shown(player: Player) -> dict[str, Any]:
    """The player as everybody may see them."""
    with house().read() as session:
        return {**player.model_dump(), "former": naming.former(session, player.id, house().now())}


@players.route("/players", "POST")
@players.takes(Registration)
@players.creates(PlayerView, "/players/{handle}")
@players.refuses(409, 503)
def register_player(body: dict[str, Any]) -> dict[str, Any]:
    """Register a new player, who gets a starter deck and welcome boosters.

    The player owns the copies of the chosen starter deck, and has a deck of them. GET /rewards says how many
    boosters there are as a welcome. Where the house has no
    starter decks (GET /starters), the player begins with nothing. Ask for a token next (POST /tokens).

    A player can leave at any time (POST /me/deletion). Signed records of games keep the key, and the handle
    under which they were played, for ever.
    """
    return {**operations.register(house(), **body).model_dump(), "former": []}


@players.route("/players/<handle>")
@players.gives(PlayerView)
@players.refuses(404)
def get_player(handle: str) -> dict[str, Any]:
    """Look up a player by handle, in upper or lower case.

    A handle that its player has given up in the last 90 days still leads to the player.
    """
    with house().read() as session:
        player = operations.find(session, handle, house().now())
    return _shown(player)


@players.route("/me")
@players.signed_in
@players.gives(PlayerView)
def get_me() -> dict[str, Any]:
    """Show the player whose token this is."""
    return _shown(me())


@players.route("/me", "PATCH")
@players.signed_in
@players.takes(NewHandle)
@players.gives(PlayerView)
@players.refuses(409)
def rename_me(body: dict[str, Any]) -> dict[str, Any]:
    """Take another handle.

    The former handle is shown with mine for 90 days, leads to me, and nobody else can take it. After 30 days
    I can take another one. The names in games and records stay as they were.
    """
    return _shown(naming.rename(house(), me().id, **body))

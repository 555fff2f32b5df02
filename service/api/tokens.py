"""Access tokens: issued for a handle and a password, listed, revoked."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import request
from marshmallow import Schema, fields, validate

from service.models import Token
from service.operations import sign_in
from service.operations import tokens as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id, OneLine, Time

tokens = Blueprint("tokens", "Access tokens, by which a player signs in.")


class ProofBody(Schema):
    """A proof of the player's key: it lets past the pause after wrong passwords (docs/api.md)."""

    house = fields.String(required=True, metadata={"description": "The house's key, in base64url."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class SignIn(Schema):
    """A handle and its password."""

    example: ClassVar[dict[str, Any]] = {"handle": "ada", "password": "a long password", "label": "laptop"}

    handle = fields.String(required=True)
    password = fields.String(required=True, load_only=True, metadata={"format": "password"})
    label = OneLine(
        60, load_default="token", metadata={"description": "A name for the token, to tell it from others."}
    )
    days = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        validate=validate.Range(1, 3650),
        metadata={
            "description": "The days that the token works. By default it is the longest time of the house."
        },
    )
    proof = fields.Nested(
        ProofBody,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "A proof of my key. It is needed only during a pause after wrong passwords."
        },
    )


class TokenView(Schema):
    """A token without its secret part."""

    id = Id(required=True)
    label = fields.String(required=True)
    prefix = fields.String(required=True, metadata={"description": "The token's first characters."})
    created_at = Time(required=True)
    expires_at = Time(required=True)


class IssuedView(TokenView):
    """A new token in full, which is shown only once."""

    token = fields.String(required=True, metadata={"description": "Send it as Authorization: Bearer TOKEN."})


class TokensView(Schema):
    """My tokens that still work."""

    items = fields.List(fields.Nested(TokenView), required=True)


@tokens.route("/tokens", "POST")
@tokens.takes(SignIn)
@tokens.gives(IssuedView, 201)
@tokens.refuses(401, 503)
def issue_token(body: dict[str, Any]) -> dict[str, Any]:
    """Issue a token for a handle and a password.

    After three wrong passwords a handle must pause: 429 too_many_attempts, for a second at first, and twice
    as long after each further one. A player who sends a token that still works, or a proof of the key, need
    not wait. Where too many others sign in at the same time, the answer is 503 busy.
    """
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    mine = bearer.strip() if scheme.lower() == "bearer" else None
    token, text = sign_in.issue(house(), **body, bearer=mine or None)
    return {**token.model_dump(), "token": text}


@tokens.route("/tokens")
@tokens.signed_in
@tokens.gives(TokensView)
def list_tokens() -> dict[str, list[Token]]:
    """List my tokens that still work, newest first."""
    with house().read() as session:
        return {"items": operations.of_player(session, me().id, house().now())}


@tokens.route("/tokens/<token_id>", "DELETE")
@tokens.signed_in
@tokens.gives(None, 204)
@tokens.refuses(404)
def revoke_token(token_id: str) -> None:
    """Revoke one of my tokens. It stops working at once."""
    operations.revoke(house(), me().id, token_id)

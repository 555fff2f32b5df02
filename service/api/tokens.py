"""Access tokens: issued for a password, listed, revoked."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.models import Token
from service.operations import tokens as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Line, Time

tokens = Blueprint("tokens", "Rights to act as a player.")


class SignIn(Schema):
    """A handle and its password."""

    example: ClassVar[dict[str, Any]] = {"handle": "ada", "password": "a long password", "label": "laptop"}

    handle = fields.String(required=True)
    password = fields.String(required=True, load_only=True, metadata={"format": "password"})
    label = Line(60, load_default="token", metadata={"description": "By which you will know it."})
    days = fields.Integer(
        strict=True,
        load_default=None,
        allow_none=True,
        validate=validate.Range(1, 3650),
        metadata={"description": "Its life; the house has a longest one, which is also the usual one."},
    )


class TokenView(Schema):
    """A token, without what makes it one."""

    id = fields.String(required=True)
    label = fields.String(required=True)
    prefix = fields.String(required=True, metadata={"description": "How it begins."})
    created_at = Time(required=True)
    expires_at = Time(required=True)


class IssuedView(TokenView):
    """A new token, this once in full."""

    token = fields.String(required=True, metadata={"description": "Send it as Authorization: Bearer TOKEN."})


class TokensView(Schema):
    """One's tokens that still work."""

    items = fields.List(fields.Nested(TokenView), required=True)


@tokens.route("/tokens", "POST")
@tokens.takes(SignIn)
@tokens.gives(IssuedView, 201)
@tokens.refuses(401)
def issue_token(body: dict[str, Any]) -> dict[str, Any]:
    """Ask for a token with one's password."""
    token, text = operations.issue(house(), **body)
    return {**token.model_dump(), "token": text}


@tokens.route("/tokens")
@tokens.signed_in
@tokens.gives(TokensView)
def list_tokens() -> dict[str, list[Token]]:
    """My tokens that still work, newest first."""
    with house().read() as session:
        return {"items": operations.of_player(session, me().id, house().now())}


@tokens.route("/tokens/<token_id>", "DELETE")
@tokens.signed_in
@tokens.gives(None, 204)
@tokens.refuses(404)
def revoke_token(token_id: str) -> None:
    """Revoke one of my tokens; it works no longer, at once."""
    operations.revoke(house(), me().id, token_id)

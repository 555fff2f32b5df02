"""Access tokens: issued for a password or a signature by the player's key, listed, revoked."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import request
from marshmallow import Schema, fields, validate

from crypto.encoding import b64
from service.models import Token
from service.operations import challenges, credentials, sign_in
from service.operations import tokens as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me, token
from service.web.fields import Id, NewPassword, OneLine, Time

tokens = Blueprint("tokens", "Access tokens, by which a player signs in.")


class ProofBody(Schema):
    """A proof of the player's key: it lets past the pause after wrong passwords (docs/api.md)."""

    house = fields.String(required=True, metadata={"description": "The house's key, in base64url."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class NewToken(Schema):
    """The player and the new token, beside what shows that it is the player's to ask for."""

    handle = fields.String(required=True)
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


class SignIn(NewToken):
    """A handle and its password."""

    example: ClassVar[dict[str, Any]] = {"handle": "ada", "password": "a long password", "label": "laptop"}

    password = fields.String(required=True, load_only=True, metadata={"format": "password"})
    proof = fields.Nested(
        ProofBody,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "A proof of my key. It is needed only during a pause after wrong passwords."
        },
    )


class ChallengeBody(Schema):
    """A handle, and what a challenge is to be for."""

    example: ClassVar[dict[str, Any]] = {"handle": "ada", "purpose": "sign-in"}

    handle = fields.String(required=True)
    purpose = fields.String(required=True, validate=validate.OneOf(challenges.PURPOSES))


class ChallengeView(Schema):
    """A challenge, which serves once."""

    challenge = fields.String(
        required=True, metadata={"description": "56 bytes in base64url, which the answer signs."}
    )
    house = fields.String(required=True, metadata={"description": "The house's key, in base64url."})
    expires_at = Time(required=True)


class AnswerBody(Schema):
    """An answer to a challenge: a signature by the player's key (docs/protocol-notes.md)."""

    house = fields.String(required=True, metadata={"description": "The house's key, in base64url."})
    challenge = fields.String(required=True)
    signature = fields.String(required=True)


ANSWER: dict[str, Any] = {
    "house": "TMyFSnvPWnBjHlYvK5dvmuj8aYWp_3Ci8zBCPM3jY1A",
    "challenge": "q0vG...",
    "signature": "kx2h...",
}


class SignInByKey(NewToken):
    """A handle, and an answer to a challenge by its key."""

    example: ClassVar[dict[str, Any]] = {"handle": "ada", "answer": ANSWER, "label": "laptop"}

    answer = fields.Nested(AnswerBody, required=True)


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


class SessionView(TokenView):
    """A token without its secret part, in a list of mine."""

    current = fields.Boolean(required=True, metadata={"description": "True for the token of this request."})
    used_at = Time(
        required=True,
        allow_none=True,
        metadata={
            "description": "The last use, give or take an hour; null for a token that nobody has used."
        },
    )


class TokensView(Schema):
    """My tokens that still work."""

    items = fields.List(fields.Nested(SessionView), required=True)


class EndQuery(Schema):
    """The tokens to revoke."""

    others = fields.Boolean(
        load_default=False, metadata={"description": "True keeps the token of this request."}
    )


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
    made, text = sign_in.issue(house(), **body, bearer=mine or None)
    return {**made.model_dump(), "token": text}


@tokens.route("/tokens/challenge", "POST", changes=False)
@tokens.takes(ChallengeBody)
@tokens.gives(ChallengeView)
def issue_challenge(body: dict[str, Any]) -> dict[str, Any]:
    """Issue a challenge, which the player's key answers in place of a password.

    It holds for one handle, one purpose and five minutes, and serves once. The house gives one for every
    handle, whether or not a player has it.
    """
    found = challenges.new(house(), **body)
    return {
        "challenge": b64(found.challenge),
        "house": b64(found.house),
        "expires_at": found.expires_at,
    }


@tokens.route("/tokens/by-key", "POST")
@tokens.takes(SignInByKey)
@tokens.gives(IssuedView, 201)
@tokens.refuses(401)
def issue_token_by_key(body: dict[str, Any]) -> dict[str, Any]:
    """Issue a token for an answer to a challenge with the purpose `sign-in`.

    The player's key has signed it, so this needs no password. A wrong answer counts like a wrong password,
    and during a pause it is refused with 429 too_many_attempts. A right one need not wait.
    """
    made, text = sign_in.issue_by_key(house(), **body)
    return {**made.model_dump(), "token": text}


@tokens.route("/tokens")
@tokens.signed_in
@tokens.gives(TokensView)
def list_tokens() -> dict[str, Any]:
    """List my tokens that still work, newest first: the devices and programs that are signed in."""
    now = house().now()
    with house().read() as session:
        found = operations.of_player(session, me().id, now)
    return {"items": [_session(each, now) for each in found]}


def _session(each: Token, now: int) -> dict[str, Any]:
    current = operations.is_of(each, token())
    return {**each.model_dump(), "current": current, "used_at": now if current else each.used_at}


@tokens.route("/tokens", "DELETE")
@tokens.signed_in
@tokens.takes(EndQuery, "query")
@tokens.gives(None, 204)
def revoke_tokens(query: dict[str, bool]) -> None:
    """Revoke all of my tokens, or all others. They stop working at once."""
    operations.revoke_all(house(), me().id, token() if query["others"] else None)


@tokens.route("/tokens/<token_id>", "DELETE")
@tokens.signed_in
@tokens.gives(None, 204)
@tokens.refuses(404)
def revoke_token(token_id: str) -> None:
    """Revoke one of my tokens. It stops working at once."""
    operations.revoke(house(), me().id, token_id)


class PasswordBody(Schema):
    """A new password, and what shows that the account is mine: the present password, or an answer."""

    example: ClassVar[dict[str, Any]] = {"password": "another long password", "current": "a long password"}

    password = NewPassword(required=True)
    current = fields.String(
        load_default=None, load_only=True, metadata={"format": "password", "description": "My password."}
    )
    answer = fields.Nested(
        AnswerBody,
        load_default=None,
        metadata={"description": "An answer to a challenge with the purpose `password`."},
    )


@tokens.route("/me/password", "PUT")
@tokens.signed_in
@tokens.takes(PasswordBody)
@tokens.gives(None, 204)
@tokens.refuses(403, 422, 503)
def change_password(body: dict[str, Any]) -> None:
    """Change my password, and revoke all of my other tokens.

    A token alone is not enough. Send the present password, or, if it is lost, an answer to a challenge with
    the purpose `password` that my key has signed. Wrong passwords are braked as at signing in.
    """
    proof = credentials.one_proof(body["current"], body["answer"])
    credentials.change_password(house(), me(), token() or "", body["password"], proof)

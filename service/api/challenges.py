"""Challenges: asking one player for a game."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.operations import game_challenges as operations
from service.operations.game_challenges import ListedChallenge
from service.operations.paces import PACES
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Flag, Id, Time

DECK = {"description": "The id of one of my decks; only in modes that are played with own decks."}
PACE = (
    "How long each choice may take. usual: as the mode has it. quick: 30 seconds. The others: so many days,"
    " for games by correspondence."
)

challenges = Blueprint("challenges", "Challenges, by which one player asks another for a game.")


class GameChallengeBody(Schema):
    """Whom to challenge, and to which game."""

    example: ClassVar[dict[str, Any]] = {"to": "bob", "mode": "big-c"}

    to = fields.String(required=True, metadata={"description": "The other player's handle."})
    mode = fields.String(required=True)
    pace = fields.String(
        load_default="usual", validate=validate.OneOf([*PACES]), metadata={"description": PACE}
    )
    options = fields.Dict(
        load_default=dict,
        metadata={
            "description": "The options that differ from the pace and the defaults; /modes lists them."
        },
    )
    format = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The name of a format (/formats) that both decks must keep."},
    )
    rated = Flag(
        load_default=False, metadata={"description": "True if the game changes both players' ratings."}
    )
    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)


class GameChallengeAnswer(Schema):
    """The deck to play with."""

    example: ClassVar[dict[str, Any]] = {}

    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)


class GameChallengeView(Schema):
    """A challenge."""

    id = Id(required=True, attribute="challenge.id")
    challenger = fields.String(required=True, metadata={"description": "The handle of the player who asks."})
    challenged = fields.String(
        required=True, metadata={"description": "The handle of the player who is asked."}
    )
    mode = fields.String(required=True, attribute="challenge.mode")
    options = fields.Dict(
        required=True,
        attribute="challenge.options",
        metadata={"description": "All options of the game, those with their default values too."},
    )
    format = fields.String(required=True, allow_none=True, attribute="challenge.format")
    rated = fields.Boolean(required=True, attribute="challenge.rated")
    created_at = Time(required=True, attribute="challenge.created_at")
    expires_at = Time(required=True, attribute="challenge.expires_at")
    state = fields.String(
        required=True, metadata={"enum": ["open", "accepted", "declined", "withdrawn", "expired"]}
    )
    game = Id(
        "The id of the game, once the challenge is accepted.",
        required=True,
        allow_none=True,
        attribute="challenge.game_id",
    )


class GameChallengesView(Schema):
    """Challenges."""

    items = fields.List(fields.Nested(GameChallengeView), required=True)


@challenges.route("/challenges")
@challenges.signed_in
@challenges.gives(GameChallengesView)
def list_challenges() -> dict[str, Any]:
    """List the open challenges by me and to me, newest first."""
    here = house()
    with here.read() as session:
        return {"items": operations.open_of(here, session, me().id)}


@challenges.route("/challenges", "POST")
@challenges.signed_in
@challenges.takes(GameChallengeBody)
@challenges.creates(GameChallengeView, "/challenges/{id}")
@challenges.refuses(403, 404, 409, 422)
def make_challenge(body: dict[str, Any]) -> ListedChallenge:
    """Challenge a player to a game of two. The challenge stands for a day."""
    return operations.make(house(), me(), **body)


@challenges.route("/challenges/<challenge_id>")
@challenges.signed_in
@challenges.gives(GameChallengeView)
@challenges.refuses(404)
def get_challenge(challenge_id: str) -> ListedChallenge:
    """Show a challenge by me or to me."""
    here = house()
    with here.read() as session:
        return operations.find(here, session, challenge_id, me().id)


@challenges.route("/challenges/<challenge_id>/accept", "POST")
@challenges.signed_in
@challenges.takes(GameChallengeAnswer)
@challenges.gives(GameChallengeView)
@challenges.refuses(403, 404, 409, 422)
def accept_challenge(body: dict[str, Any], challenge_id: str) -> ListedChallenge:
    """Accept a challenge to me. The game begins at once."""
    return operations.accept(house(), me(), challenge_id, body["deck"])


@challenges.route("/challenges/<challenge_id>/decline", "POST")
@challenges.signed_in
@challenges.gives(GameChallengeView)
@challenges.refuses(404, 409)
def decline_challenge(challenge_id: str) -> ListedChallenge:
    """Decline a challenge to me."""
    return operations.decline(house(), me(), challenge_id)


@challenges.route("/challenges/<challenge_id>/withdraw", "POST")
@challenges.signed_in
@challenges.gives(GameChallengeView)
@challenges.refuses(404, 409)
def withdraw_challenge(challenge_id: str) -> ListedChallenge:
    """Withdraw a challenge of mine."""
    return operations.withdraw(house(), me(), challenge_id)

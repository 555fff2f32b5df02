"""The queue: waiting for an opponent of about the same strength."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.api.challenges import DECK, PACE
from service.operations import queue as operations
from service.operations.paces import PACES
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Flag, Time

queue = Blueprint("queue", "The queue, in which players wait for an opponent.")


class QueueBody(Schema):
    """The game to wait for."""

    example: ClassVar[dict[str, Any]] = {"mode": "big-c"}

    mode = fields.String(required=True)
    pace = fields.String(
        load_default="usual", validate=validate.OneOf([*PACES]), metadata={"description": PACE}
    )
    format = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The name of a format (/formats) that every deck must keep."},
    )
    rated = Flag(
        load_default=True, metadata={"description": "True if the game changes its players' ratings."}
    )
    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)


class WaitingView(Schema):
    """My place in the queue. It does not say who else waits."""

    mode = fields.String(required=True, attribute="entry.mode")
    pace = fields.String(required=True, attribute="entry.pace", metadata={"enum": [*PACES]})
    format = fields.Function(
        lambda waiting: waiting.entry.format or None,
        required=True,
        metadata={
            "type": ["string", "null"],
            "description": "The format of the decks; null where there is none.",
        },
    )
    rated = fields.Boolean(required=True, attribute="entry.rated")
    joined_at = Time(required=True, attribute="entry.joined_at")
    expires_at = Time(
        required=True,
        attribute="entry.expires_at",
        metadata={"description": "When I stop waiting by myself, unless I join again."},
    )
    waited_ms = fields.Integer(required=True)
    window = fields.Integer(
        required=True,
        metadata={"description": "The points by which an opponent's rating may differ now. It widens."},
    )
    bots = fields.List(
        fields.String(),
        required=True,
        metadata={
            "description": "The house's bots that I could play instead (POST /tables); none before I have"
            " waited for a minute."
        },
    )


@queue.route("/queue")
@queue.signed_in
@queue.gives(WaitingView)
@queue.refuses(404)
def get_queue() -> operations.Waiting:
    """Show my place in the queue; 404 if I do not wait. The event queue.paired tells when I have a game."""
    here = house()
    with here.read() as session:
        return operations.find(here, session, me().id)


@queue.route("/queue", "POST")
@queue.signed_in
@queue.takes(QueueBody)
@queue.gives(WaitingView)
@queue.refuses(403, 404, 409, 422)
def join_queue(body: dict[str, Any]) -> operations.Waiting:
    """Wait for an opponent. If I wait already, I wait for this instead, from now on."""
    return operations.join(house(), me(), **body)


@queue.route("/queue", "DELETE")
@queue.signed_in
@queue.gives(None, 204)
def leave_queue() -> None:
    """Stop waiting. If I was paired meanwhile, the game has begun."""
    operations.leave(house(), me())

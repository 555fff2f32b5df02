"""Webhooks: URLs of a player to which the house sends the events of the player's feed."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.models import Delivery, Webhook
from service.operations import webhooks as operations
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

webhooks = Blueprint("webhooks", "Webhooks: URLs of mine to which the house sends my events, signed.")


class WebhookBody(Schema):
    """The URL, and the events to send there."""

    example: ClassVar[dict[str, Any]] = {"url": "https://example.org/hook", "events": ["game.asked"]}

    url = fields.String(
        required=True, metadata={"format": "uri", "description": "An https URL on the open internet."}
    )
    events = fields.List(
        fields.String(validate=validate.OneOf(operations.NAMES)),
        required=True,
        validate=validate.Length(1, len(operations.NAMES)),
        metadata={"description": "The names of events of my feed (docs/events.md), or `*` for all."},
    )


class WebhookView(Schema):
    """A webhook without its secret."""

    id = Id(required=True)
    url = fields.String(required=True)
    events = fields.List(fields.String(), required=True)
    created_at = Time(required=True)
    old_until = Time(
        required=True,
        allow_none=True,
        metadata={"description": "Until when the former secret signs as well."},
    )
    failing_since = Time(
        required=True, allow_none=True, metadata={"description": "Since when no delivery has succeeded."}
    )
    disabled_at = Time(required=True, allow_none=True)
    disabled_reason = fields.String(
        required=True, allow_none=True, metadata={"enum": ["failing", "gone", None]}
    )


class SecretView(WebhookView):
    """A webhook with its new secret, which is shown only once."""

    secret = fields.String(required=True, metadata={"description": "whsec_ and 32 bytes in base64."})


class WebhooksView(Schema):
    """All my webhooks."""

    items = fields.List(fields.Nested(WebhookView), required=True)


class AttemptView(Schema):
    """An attempt to deliver."""

    at = Time(required=True)
    status = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The HTTP status of the answer; null where there was none."},
    )
    error = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The reason why there was no answer (docs/webhooks.md)."},
    )
    ms = fields.Integer(required=True, metadata={"description": "The time that it took, in milliseconds."})


class DeliveryView(Schema):
    """The delivery of an event."""

    id = Id("The header webhook-id is `msg_` and this id.", required=True)
    event = fields.String(required=True)
    seq = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The event's number in my feed; null for a ping."},
    )
    state = fields.String(required=True, metadata={"enum": ["waiting", "delivered", "failed", "dropped"]})
    created_at = Time(required=True)
    due_at = Time(
        required=True, allow_none=True, metadata={"description": "The time when the next attempt is due."}
    )
    attempts = fields.List(fields.Nested(AttemptView), required=True)


@webhooks.route("/webhooks")
@webhooks.signed_in
@webhooks.gives(WebhooksView)
def list_webhooks() -> dict[str, list[Webhook]]:
    """List my webhooks, oldest first."""
    with house().read() as session:
        return {"items": operations.of_player(session, me().id)}


@webhooks.route("/webhooks", "POST")
@webhooks.signed_in
@webhooks.takes(WebhookBody)
@webhooks.creates(SecretView, "/webhooks/{id}")
@webhooks.refuses(409, 422)
def add_webhook(body: dict[str, Any]) -> dict[str, Any]:
    """Add a webhook: from now on the house sends events to this URL.

    The answer has the secret that signs them, and shows it this once.
    """
    return _with_secret(operations.register(house(), me().id, **body))


def _with_secret(webhook: Webhook) -> dict[str, Any]:
    return {**webhook.model_dump(), "secret": operations.secret(house(), webhook)}


@webhooks.route("/webhooks/<webhook_id>")
@webhooks.signed_in
@webhooks.gives(WebhookView)
@webhooks.refuses(404)
def get_webhook(webhook_id: str) -> Webhook:
    """Show one of my webhooks."""
    with house().read() as session:
        return operations.find(session, me().id, webhook_id)


@webhooks.route("/webhooks/<webhook_id>", "DELETE")
@webhooks.signed_in
@webhooks.gives(None, 204)
@webhooks.refuses(404)
def remove_webhook(webhook_id: str) -> None:
    """Remove one of my webhooks, with its deliveries."""
    operations.remove(house(), me().id, webhook_id)


@webhooks.route("/webhooks/<webhook_id>/rotate", "POST")
@webhooks.signed_in
@webhooks.gives(SecretView)
@webhooks.refuses(404)
def rotate_webhook(webhook_id: str) -> dict[str, Any]:
    """Replace the secret of one of my webhooks.

    The answer shows the new one this once. For a day the former secret signs as well.
    """
    return _with_secret(operations.rotate(house(), me().id, webhook_id))


@webhooks.route("/webhooks/<webhook_id>/enable", "POST")
@webhooks.signed_in
@webhooks.gives(WebhookView)
@webhooks.refuses(404, 422)
def enable_webhook(webhook_id: str) -> Webhook:
    """Enable one of my webhooks that was disabled."""
    return operations.enable(house(), me().id, webhook_id)


@webhooks.route("/webhooks/<webhook_id>/ping", "POST")
@webhooks.signed_in
@webhooks.gives(DeliveryView, 202)
@webhooks.refuses(404, 409)
def ping_webhook(webhook_id: str) -> Delivery:
    """Send a `webhook.ping` to one of my webhooks. Its delivery says whether it has arrived."""
    return operations.ping(house(), me().id, webhook_id)


@webhooks.route("/webhooks/<webhook_id>/deliveries")
@webhooks.signed_in
@webhooks.takes(PageQuery, "query")
@webhooks.gives(page_of(DeliveryView))
@webhooks.refuses(404)
def list_deliveries(query: dict[str, Any], webhook_id: str) -> dict[str, Any]:
    """List the deliveries to one of my webhooks, newest first, with every attempt."""
    before = read_cursor(query["cursor"], int, str)
    with house().read() as session:
        webhook = operations.find(session, me().id, webhook_id)
        found = operations.deliveries(session, webhook.id, before, query["limit"] + 1)
    return page(found, query["limit"], lambda each: (each.created_at, each.id))

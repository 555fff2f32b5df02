"""The outbox: deliveries of feed events to webhooks, written in the transaction of the event itself.

A committed delivery is sent at least once. No event is entered twice: an endpoint has at most one delivery
for each number of the feed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from crypto.encoding import canonical, timestamp
from service.models import Delivery, Webhook

EVERY = "*"
"""The name that stands for all events in a webhook's list."""
PING = "webhook.ping"
"""The event of a ping. It is in no feed."""

News = Sequence[tuple[int, str, Mapping[str, Any]]]
"""Events of a player, each with its number, name and data."""


def enqueue(session: Session, news: Mapping[str, News], at: int) -> None:
    """Enter deliveries of these events, by player id, to each endpoint that asks for them.

    None of these endpoints can be removed before the session's transaction ends.
    """
    wanted = (
        select(Webhook)
        .where(col(Webhook.player_id).in_(sorted(news)), col(Webhook.disabled_at).is_(None))
        .order_by(col(Webhook.id))
        .with_for_update(read=True, key_share=True)
    )
    for webhook in session.exec(wanted):
        for seq, name, data in news[webhook.player_id]:
            if EVERY in webhook.events or name in webhook.events:
                session.add(delivery(webhook, name, {"seq": seq, **data}, at, seq))


def delivery(
    webhook: Webhook, name: str, data: Mapping[str, Any], at: int, seq: int | None = None
) -> Delivery:
    """The delivery of an event to a webhook: `type`, `timestamp` and `data`, as Standard Webhooks says."""
    body = canonical({"type": name, "timestamp": timestamp(at), "data": dict(data)}).decode()
    return Delivery(webhook_id=webhook.id, seq=seq, event=name, body=body, created_at=at, due_at=at)

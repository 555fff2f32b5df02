"""The outbox: events of players' feeds that are to be sent to their webhooks, written with the event itself.

What is committed with an event is delivered at least once, and no event is entered twice: an endpoint has at
most one delivery with a number of the feed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from crypto.encoding import canonical, timestamp
from service.models import Delivery, Webhook

EVERY = "*"
"""In a webhook's events: all of them."""
PING = "webhook.ping"
"""The event of a ping; it is in no feed."""

News = Sequence[tuple[int, str, Mapping[str, Any]]]
"""Events of a player: their numbers, names, data."""


def enqueue(session: Session, news: Mapping[str, News], at: int) -> None:
    """Enter the events of these players (by id) for each of their endpoints that wants them.

    None of these endpoints can be removed before the session's transaction is over.
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
    """An event as it is sent: the type, the time and the data of Standard Webhooks."""
    body = canonical({"type": name, "timestamp": timestamp(at), "data": dict(data)}).decode()
    return Delivery(webhook_id=webhook.id, seq=seq, event=name, body=body, created_at=at, due_at=at)

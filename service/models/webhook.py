"""Webhooks: the endpoints to which players want events sent, and the deliveries to them."""

from typing import Any

from sqlalchemy import JSON, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Webhook(SQLModel, table=True):
    """An endpoint of a player. Its secrets are derived from the house's secret and never stored."""

    __tablename__ = "webhook"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    url: str = Field(max_length=500)
    events: list[str] = Field(sa_type=JSON)
    """The names of the feed's events to send, or "*" alone for all."""
    created_at: int = time_field()
    house_key: str = Field(max_length=43)
    """The generation of the house's keys from which the secret is derived: a public key, base64url."""
    number: int = 1
    """Counts the webhook's secrets from 1."""
    old_house_key: str | None = Field(default=None, max_length=43)
    """The `house_key` of the previous secret, which also signs until `old_until`."""
    old_until: int | None = time_field(default=None)
    failing_since: int | None = time_field(default=None)
    """The time of the first failure since a delivery last arrived; None if none has failed since."""
    disabled_at: int | None = time_field(default=None)
    disabled_reason: str | None = Field(default=None, max_length=40)


class Delivery(SQLModel, table=True):
    """An event to send to an endpoint, written in the transaction of the event itself."""

    __tablename__ = "webhook_delivery"
    __table_args__ = (
        UniqueConstraint("webhook_id", "seq"),
        Index("ix_webhook_delivery_next", "webhook_id", "due_at", "claimed_until"),
        Index("ix_webhook_delivery_newest", "webhook_id", "created_at", "id"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    webhook_id: str = Field(foreign_key="webhook.id", max_length=36)
    seq: int | None = None
    """The event's number in the player's feed; None for a ping."""
    event: str = Field(max_length=40)
    body: str
    """The body of the request, the same bytes at each attempt."""
    created_at: int = time_field(index=True)
    state: str = Field(default="waiting", max_length=16)
    """"waiting", "delivered", "failed" (all attempts did), "dropped" (the endpoint was disabled)."""
    due_at: int | None = time_field(default=None)
    """The time of the next attempt; None if there will be none."""
    claimed_until: int = time_field(default=0)
    """The time until which one worker has claimed the delivery."""
    attempts: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    """The attempts so far, each with `at`, `status` or `error`, and `ms`."""

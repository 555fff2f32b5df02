"""Webhooks: where a player wants events sent, and what is sent there, until it has arrived."""

from typing import Any

from sqlalchemy import JSON, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Webhook(SQLModel, table=True):
    """An endpoint of a player's. Its secrets are derived from the house's, so none stands here."""

    __tablename__ = "webhook"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    url: str = Field(max_length=500)
    events: list[str] = Field(sa_type=JSON)
    """Names of the feed's events, or "*" alone."""
    created_at: int = time_field()
    house_key: str = Field(max_length=43)
    """Under which generation of the house's keys the secret was made, base64url."""
    number: int = 1
    """Counts the secrets."""
    old_house_key: str | None = Field(default=None, max_length=43)
    """Of the secret before, which signs as well until `old_until`."""
    old_until: int | None = time_field(default=None)
    failing_since: int | None = time_field(default=None)
    """Since when no delivery has arrived."""
    disabled_at: int | None = time_field(default=None)
    disabled_reason: str | None = Field(default=None, max_length=40)


class Delivery(SQLModel, table=True):
    """An event on its way to an endpoint: written in the event's own transaction."""

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
    """What is sent, byte for byte the same each time."""
    created_at: int = time_field(index=True)
    state: str = Field(default="waiting", max_length=16)
    """"waiting", "delivered", "failed" (all attempts did), "dropped" (the endpoint was disabled)."""
    due_at: int | None = time_field(default=None)
    """When it is tried next; None when it is tried no more."""
    claimed_until: int = time_field(default=0)
    """Until when one worker has it in hand."""
    attempts: list[dict[str, Any]] = Field(default_factory=list, sa_type=JSON)
    """Each with `at`, `status` or `error`, and `ms`."""

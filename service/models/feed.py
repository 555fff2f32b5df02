"""Feeds: the events that concern a player, stored for some days."""

from typing import Any

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class PlayerFeed(SQLModel, table=True):
    """The counter of a player's events. A transaction that adds events holds its lock until the commit."""

    __tablename__ = "player_feed"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    last: int
    """The number of the newest event."""


class PlayerEvent(SQLModel, table=True):
    """One event of a player's feed: written once, never changed."""

    __tablename__ = "player_event"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts a player's events from 1 without gaps, in the order of the commits."""
    at: int = time_field(index=True)
    name: str = Field(max_length=40)
    data: dict[str, Any] = Field(sa_type=JSON)

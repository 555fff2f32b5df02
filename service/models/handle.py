"""Handles that are taken: those that players have, and those that they had until lately."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class HandleRow(SQLModel, table=True):
    """A handle that a player has, or had before; nobody else can take it, nor one that looks like it."""

    __tablename__ = "handle"

    skeleton: str = Field(primary_key=True, max_length=48)
    """What all handles that look alike have in common (`service.handles`)."""
    folded: str = Field(max_length=24, unique=True)
    """The handle in lower case."""
    handle: str | None = Field(default=None, max_length=24)
    """The handle as its owner wrote it; None once the account is deleted."""
    player_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    left_at: int | None = time_field(default=None, index=True)
    """The time when the player took another one, or left; None for the present handle."""

"""Blocks: players who want nothing to do with other players."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Block(SQLModel, table=True):
    """One player has blocked another. Only the blocker sees the row; it keeps both apart."""

    __tablename__ = "block"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    """The blocker."""
    blocked_id: str = Field(foreign_key="player.id", primary_key=True, index=True, max_length=36)
    created_at: int = time_field()

"""Boxes: locked files that players leave with the house."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Box(SQLModel, table=True):
    """The locked file of a player, for their other devices. The house can't open it."""

    __tablename__ = "box"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    file: str
    changed_at: int = time_field()

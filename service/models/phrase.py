"""Phrases: what players say at tables, and who does not want to hear it."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Said(SQLModel, table=True):
    """How many phrases a seat has said since the newest entry of its game. What was said is not kept here."""

    __tablename__ = "said"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seq: int
    """The seq of the entry after which it was said."""
    phrases: int


class Mute(SQLModel, table=True):
    """A player who hears no phrases."""

    __tablename__ = "mute"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    since: int = time_field()

"""Tables: where players meet before a game."""

from typing import Any

from sqlalchemy import JSON, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Table(SQLModel, table=True):
    """A table: what is played, how many sit, whether one may still join."""

    __tablename__ = "game_table"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    mode: str = Field(max_length=40)
    options: dict[str, Any] = Field(sa_type=JSON)
    """Complete: every option of the mode has a value."""
    seats: int
    opened_by: str = Field(foreign_key="player.id", max_length=36)
    created_at: int = time_field()
    state: str = Field(default="open", max_length=12, index=True)
    """ "open", "playing", "cancelled" or "expired"."""
    game_id: str | None = Field(default=None, foreign_key="game.id", index=True, max_length=36)
    private: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Listed nowhere, and there only for who sits, is invited, or has a seat kept."""
    spectators: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether everybody may watch its game while it runs."""
    invitation: str | None = Field(default=None, max_length=16)
    """The code that lets others sit down at a private table, in capitals and without hyphens."""
    invitation_digest: str | None = Field(default=None, max_length=64, unique=True)
    """SHA-256 of the code, in hex: what is compared and looked up."""
    format: str | None = Field(default=None, max_length=40)
    """The name of the format that every deck brought here must keep; None for any legal deck."""
    rematch_of: str | None = Field(default=None, foreign_key="game.id", index=True, max_length=36)
    """The game whose players have their seats kept here."""


class TableSeat(SQLModel, table=True):
    """Who sits at a table, with which deck."""

    __tablename__ = "table_seat"
    __table_args__ = (UniqueConstraint("table_id", "player_id"),)

    table_id: str = Field(foreign_key="game_table.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player_id: str | None = Field(default=None, foreign_key="player.id", max_length=36)
    bot: str | None = Field(default=None, max_length=40)
    name: str = Field(max_length=60)
    cards: dict[str, int] | None = Field(default=None, sa_type=JSON)
    """The deck as it was when the seat was taken: how many of each card, by its number in decimal."""

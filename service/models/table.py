"""Tables, at which players meet before a game."""

from typing import Any

from sqlalchemy import JSON, Index, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Table(SQLModel, table=True):
    """A table: its mode and options, its number of seats, and whether players may still join."""

    __tablename__ = "game_table"
    __table_args__ = (Index("ix_game_table_newest", "state", "created_at", "id"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    mode: str = Field(max_length=40)
    options: dict[str, Any] = Field(sa_type=JSON)
    """Every option of the mode, with its value."""
    seats: int
    opened_by: str = Field(foreign_key="player.id", index=True, max_length=36)
    created_at: int = time_field()
    state: str = Field(default="open", max_length=12, index=True)
    """ "open", "playing", "cancelled" or "expired"."""
    game_id: str | None = Field(default=None, foreign_key="game.id", index=True, max_length=36)
    private: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """A private table is in no list. Players see it who sit there, are invited, or have a kept seat."""
    spectators: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if everybody may watch the running game."""
    hidden: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if a moderator has taken it, and its game, out of the lists for everybody."""
    invitation: str | None = Field(default=None, max_length=16)
    """The code that lets others join a private table, in capitals and without hyphens."""
    invitation_digest: str | None = Field(default=None, max_length=64, unique=True)
    """SHA-256 of the code, in hex, for look-ups and comparisons."""
    format: str | None = Field(default=None, max_length=40)
    """The format that every deck must keep, by name; None for any legal deck."""
    rematch_of: str | None = Field(default=None, foreign_key="game.id", index=True, max_length=36)
    """The game of which this is the rematch. Its players have kept seats here."""
    rated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if the game's end changes its players' ratings."""


class TableSeat(SQLModel, table=True):
    """A taken seat of a table: its player or bot, and the deck."""

    __tablename__ = "table_seat"
    __table_args__ = (UniqueConstraint("table_id", "player_id"),)

    table_id: str = Field(foreign_key="game_table.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player_id: str | None = Field(default=None, foreign_key="player.id", index=True, max_length=36)
    bot: str | None = Field(default=None, max_length=40)
    name: str = Field(max_length=60)
    cards: dict[str, int] | None = Field(default=None, sa_type=JSON)
    """The deck when the seat was taken: the number of copies, by card number in decimal."""
    deck_id: str | None = Field(default=None, max_length=36)
    """The deck list from which the deck was taken, for the player's results by deck."""

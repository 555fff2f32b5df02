"""Games: the record, who sits where, what waits beside the record, and the cache of the fold."""

from typing import Any

from sqlalchemy import JSON, Index, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class GameRow(SQLModel, table=True):
    """One game. Its record is the truth; `snapshot` is the fold of it, kept so that nobody folds it anew."""

    __tablename__ = "game"
    __table_args__ = (
        Index("ix_game_due", "due_at", "claimed_until"),
        Index("ix_game_live", "spectators", "ended_at", "created_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    mode: str = Field(max_length=40)
    created_at: int = time_field()
    ended_at: int | None = time_field(default=None)
    seq: int
    """Of the newest entry."""
    snapshot: dict[str, Any] = Field(sa_type=JSON)
    due_at: int | None = time_field(default=None)
    """When the house must act; None when the game is over."""
    claimed_until: int = time_field(default=0)
    """Until when one sweep has taken the game in hand, so that another leaves it alone."""
    outcome: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    private: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether strangers are told that there is no such game while it runs."""
    spectators: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether everybody may watch it while it runs."""


class GameSeat(SQLModel, table=True):
    """Who sits where, with the deck that was certified."""

    __tablename__ = "game_seat"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player_id: str | None = Field(default=None, foreign_key="player.id", index=True, max_length=36)
    """None for one of the house's bots."""
    bot: str | None = Field(default=None, max_length=40)
    """Which of the house's bots sits here."""
    name: str = Field(max_length=60)
    cards: dict[str, int] | None = Field(default=None, sa_type=JSON)
    """The own deck: how many of each card, by its number in decimal."""
    seed_digest: str | None = Field(default=None, max_length=64)
    """SHA-256 of the certificate's seed, so that it is given once."""
    certificate: dict[str, Any] | None = Field(default=None, sa_type=JSON)


class GameEntry(SQLModel, table=True):
    """One entry of a record, as it stands in the file."""

    __tablename__ = "game_entry"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(max_length=16)
    entry: dict[str, Any] = Field(sa_type=JSON)


class Submission(SQLModel, table=True):
    """A message that was accepted: one of a kind a seat and step."""

    __tablename__ = "submission"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    step: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(primary_key=True, max_length=16)
    digest: str = Field(max_length=86)
    """The message's, base64url."""
    signature: str = Field(max_length=86)
    at: int = time_field()
    """When it arrived: the time of its receipt."""
    seq: int | None = None
    """The entry that it became at once; None where it waited beside the record."""
    waiting: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The message, while it waits; it is dropped when its step closes."""


class BotNote(SQLModel, table=True):
    """What one of the house's own bots must remember between a seal and its reveal."""

    __tablename__ = "bot_note"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    note: dict[str, Any] = Field(sa_type=JSON)

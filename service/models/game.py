"""Games: their records and seats, the messages that wait beside a record, and the cached fold."""

from typing import Any

from sqlalchemy import JSON, Index, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class GameRow(SQLModel, table=True):
    """One game. Its record is the truth; `snapshot` is the stored fold of the record."""

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
    """The seq of the newest entry."""
    head: str | None = Field(default=None, max_length=86)
    """The digest of the newest entry, base64url; None in a row that is older than this column."""
    snapshot: dict[str, Any] = Field(sa_type=JSON)
    due_at: int | None = time_field(default=None)
    """The time at which the house must act; None when the game is over."""
    claimed_until: int = time_field(default=0)
    """The time until which one sweep has claimed the game, and others leave it alone."""
    outcome: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    private: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if the running game is hidden from strangers: they get 404."""
    spectators: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if everybody may watch the running game."""
    rated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if the game's end changes its players' ratings."""

    @property
    def stopped(self) -> bool:
        """Tell whether the game has ended without a result."""
        return self.ended_at is not None and self.outcome is None


class GameSeat(SQLModel, table=True):
    """A seat: its player or bot, its deck and the deck's certificate."""

    __tablename__ = "game_seat"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    player_id: str | None = Field(default=None, foreign_key="player.id", index=True, max_length=36)
    """The player at the seat; None for a bot of the house."""
    bot: str | None = Field(default=None, max_length=40)
    """The name of the bot that sits here; None for a player."""
    name: str = Field(max_length=60)
    cards: dict[str, int] | None = Field(default=None, sa_type=JSON)
    """The seat's own deck: the number of copies, by card number in decimal."""
    deck_id: str | None = Field(default=None, max_length=36)
    """The deck list of the player's that was brought; None where nobody knows it. It may be deleted since."""
    seed_digest: str | None = Field(default=None, max_length=64)
    """SHA-256 of the certificate's seed, in hex. It ensures that only one certificate is given."""
    certificate: dict[str, Any] | None = Field(default=None, sa_type=JSON)


class GameEntry(SQLModel, table=True):
    """One entry of a record, as it stands in the file."""

    __tablename__ = "game_entry"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(max_length=16)
    entry: dict[str, Any] = Field(sa_type=JSON)


class Submission(SQLModel, table=True):
    """An accepted message. A seat sends one of each kind in a step."""

    __tablename__ = "submission"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    step: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    kind: str = Field(primary_key=True, max_length=16)
    digest: str = Field(max_length=86)
    """The message's digest, base64url."""
    signature: str = Field(max_length=86)
    at: int = time_field()
    """The time of arrival, which its receipt states."""
    seq: int | None = None
    """The seq of the entry that it became at once; None if it waited beside the record."""
    waiting: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The message while it waits; None once its step has closed."""


class BotNote(SQLModel, table=True):
    """The data that a bot of the house must remember between a seal and its reveal."""

    __tablename__ = "bot_note"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    note: dict[str, Any] = Field(sa_type=JSON)

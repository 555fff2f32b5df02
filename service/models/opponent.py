"""Finding an opponent: challenges to one player, and the queue."""

from typing import Any

from sqlalchemy import JSON, Index, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class GameChallenge(SQLModel, table=True):
    """A challenge of one player to another."""

    __tablename__ = "game_challenge"
    __table_args__ = (
        Index("ix_game_challenge_from", "from_id", "state", "created_at"),
        Index("ix_game_challenge_to", "to_id", "state", "created_at"),
        Index("ix_game_challenge_late", "state", "expires_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    from_id: str = Field(foreign_key="player.id", max_length=36)
    to_id: str = Field(foreign_key="player.id", max_length=36)
    mode: str = Field(max_length=40)
    options: dict[str, Any] = Field(sa_type=JSON)
    """Every option of the mode, with its value."""
    format: str | None = Field(default=None, max_length=40)
    rated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    deck_id: str | None = Field(default=None, max_length=36)
    """The deck of the player who challenges."""
    created_at: int = time_field()
    expires_at: int = time_field()
    state: str = Field(default="open", max_length=12)
    """ "open", "accepted", "declined", "withdrawn" or "expired"."""
    game_id: str | None = Field(default=None, foreign_key="game.id", max_length=36)


class QueueEntry(SQLModel, table=True):
    """A player who waits for an opponent. A player waits once at most, and no longer than to be paired."""

    __tablename__ = "queue_entry"
    __table_args__ = (
        Index("ix_queue_entry_near", "mode", "pace", "format", "rated", "mu", "joined_at"),
        Index("ix_queue_entry_due", "look_at"),
    )

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    mode: str = Field(max_length=40)
    pace: str = Field(max_length=10)
    format: str = Field(max_length=40)
    """The format that every deck keeps, by name; empty for any legal deck."""
    rated: bool
    deck_id: str | None = Field(default=None, max_length=36)
    mu: int
    """The player's rating in the mode on joining, in thousandths of a point."""
    joined_at: int = time_field()
    expires_at: int = time_field(index=True)
    look_at: int = time_field()
    """The time at which a worker looks for an opponent next."""
    bot_offered: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True once the player was told that a bot of the house could play."""

    @property
    def wants(self) -> tuple[str, str, str, bool]:
        """What the player waits for; only players who wait for the same are paired."""
        return self.mode, self.pace, self.format, self.rated

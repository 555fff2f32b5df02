"""Rewards: the rewarded wins and their opponents; and what the operator gives."""

from sqlalchemy import UniqueConstraint
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Win(SQLModel, table=True):
    """A win for which a player was rewarded, at most once a game."""

    __tablename__ = "win"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", primary_key=True, index=True, max_length=36)
    at: int = time_field()
    coins: int
    number: int
    """Counts the player's rewarded wins from 1."""
    booster_id: str | None = Field(default=None, foreign_key="booster.id", max_length=36)


class Grant(SQLModel, table=True):
    """A gift of the house's operator to a player: coins, boosters, copies."""

    __tablename__ = "house_grant"
    __table_args__ = (UniqueConstraint("player_id", "name"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", max_length=36)
    name: str | None = Field(default=None, max_length=60)
    """The occasion, if a player gets something for it once at most."""
    at: int = time_field()
    coins: int
    boosters: int
    copies: int


class WinOver(SQLModel, table=True):
    """An opponent over whom a rewarded win was won."""

    __tablename__ = "win_over"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", primary_key=True, index=True, max_length=36)
    opponent: str = Field(primary_key=True, index=True, max_length=36)
    """A player's id, or "house" for any bot of the house."""
    at: int = time_field()

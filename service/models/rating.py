"""Ratings: the rated games in the order in which they ended, and what each did to its players' figures.

`rated_game` and the records are the source of all other figures here; `service.operations.rating_books`
computes them again. Figures are whole thousandths of a point (`service.ratings`).
"""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class RatingHead(SQLModel, table=True):
    """The one row with the ordinal of the newest rated game. Whoever books a game holds its lock."""

    __tablename__ = "rating_head"

    id: int = Field(default=1, primary_key=True, sa_column_kwargs={"autoincrement": False})
    ordinal: int


class RatedGame(SQLModel, table=True):
    """A rated game that is over, and whether it counts."""

    __tablename__ = "rated_game"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    ordinal: int = Field(unique=True)
    """Counts rated games from 1 in the order in which they were booked. Ratings are computed in it."""
    mode: str = Field(max_length=40)
    at: int = time_field()
    """The time of the result in the record."""
    pair_limit: int
    """The setting `rated_games_a_day` when the game was booked."""
    reason: str | None = Field(default=None, max_length=20)
    """Why the game changes no rating; None for one that counts."""


class RatingRow(SQLModel, table=True):
    """A player's rating in a mode, after the newest game that counts."""

    __tablename__ = "rating"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    mode: str = Field(primary_key=True, max_length=40)
    mu: int
    sigma: int
    games: int
    wins: int
    draws: int
    at: int = time_field()
    """The end of the newest game that counts."""


class RatingChange(SQLModel, table=True):
    """What one game did to one player's rating."""

    __tablename__ = "rating_change"
    __table_args__ = (
        Index("ix_rating_change_history", "player_id", "mode", "ordinal"),
        Index("ix_rating_change_day", "player_id", "at"),
    )

    game_id: str = Field(foreign_key="rated_game.game_id", primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    mode: str = Field(max_length=40)
    ordinal: int
    at: int = time_field()
    result: str = Field(max_length=4)
    """ "won", "drew" or "lost"."""
    deck_id: str | None = Field(default=None, max_length=36)
    """The deck list that the player brought, as the game's seat names it."""
    mu_before: int
    sigma_before: int
    """The uncertainty before the game, grown by the time away."""
    mu: int
    sigma: int


class SeasonStanding(SQLModel, table=True):
    """A player's place in a season: the rating after the newest game that counts in it."""

    __tablename__ = "season_standing"
    __table_args__ = (Index("ix_season_standing_order", "season", "mode", "place", "player_id"),)

    season: str = Field(primary_key=True, max_length=7)
    """ "2026-Q4": a quarter of a year of UTC."""
    mode: str = Field(primary_key=True, max_length=40)
    player_id: str = Field(foreign_key="player.id", primary_key=True, index=True, max_length=36)
    games: int
    wins: int
    mu: int
    sigma: int
    place: int | None = None
    """Sorts a leaderboard, the smallest first; None while the season has too few games of the player."""

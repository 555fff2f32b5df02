"""Dishes that players have served; those that a provider paints, and the requests for them."""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class DishPicture(SQLModel, table=True):
    """A dish that was served in a game: it waits for its image, or has one in the data folder."""

    __tablename__ = "dish"

    id: str = Field(primary_key=True, max_length=64)
    """The name of its image's file."""
    cards: str
    """Its key (`cards.pictures.dishes`)."""
    noted_at: int = time_field()
    due_at: int | None = time_field(nullable=True)
    """When it may be asked for; NULL once it is painted."""
    tries: int


class DishRequests(SQLModel, table=True):
    """The one row that counts requests for dishes and lets them follow one another."""

    __tablename__ = "dish_requests"

    id: int = Field(default=1, primary_key=True, sa_column_kwargs={"autoincrement": False})
    busy_until: int = time_field()
    """No request begins before this time."""
    day: int
    """The day of the newest request, in days since 1970 UTC."""
    count: int
    """The requests of that day."""
    failures: int
    """The failures since the last image."""


class TimesServed(SQLModel, table=True):
    """The number of times that a player has served a dish, in games that are over and have a result.

    `service.operations.favourites` counts it, and computes it again from the records.
    """

    __tablename__ = "served_dish"
    __table_args__ = (Index("ix_served_dish_favourite", "player_id", "times", "at"),)

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    dish: str = Field(primary_key=True)
    """Its key (`cards.pictures.dishes`)."""
    times: int
    at: int = time_field()
    """The end of the newest game in which it was served."""

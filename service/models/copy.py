"""Copies of cards: what players own."""

from sqlalchemy import BigInteger, UniqueConstraint
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class CardSerial(SQLModel, table=True):
    """The newest serial number that was given out of a card; it only grows."""

    __tablename__ = "card_serial"

    card: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    last: int


class Copy(SQLModel, table=True):
    """One copy of a card: number 17 of all the tunas that the house ever made."""

    __tablename__ = "copy"
    __table_args__ = (UniqueConstraint("card", "serial"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    card: int = Field(sa_type=BigInteger)
    """The card's stable number in the catalogue."""
    serial: int
    """Counts the copies of a card from 1, over all owners."""
    owner_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    origin: str = Field(max_length=60)
    """Where it came from: "starter:<slug>" or "basic"."""
    created_at: int = time_field()
    held_by: str | None = Field(default=None, index=True, max_length=36)
    """The game that holds it until its end; None while it is free."""

    @property
    def state(self) -> str:
        """ "held" while a match is played with it, else "free"."""
        return "free" if self.held_by is None else "held"

"""Deck lists and their revisions."""

from sqlalchemy import JSON
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Deck(SQLModel, table=True):
    """A deck list as a thing with an owner; what is in it says its newest revision."""

    __tablename__ = "deck"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    owner_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    revision: int
    """The number of the newest revision."""
    created_at: int = time_field()
    deleted_at: int | None = time_field(default=None)
    """A deleted deck keeps its revisions: matches were played with them."""


class DeckRevision(SQLModel, table=True):
    """A deck list at a time: written once, never changed."""

    __tablename__ = "deck_revision"

    deck_id: str = Field(foreign_key="deck.id", primary_key=True, max_length=36)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts a deck's revisions from 1."""
    name: str = Field(max_length=80)
    cards: dict[str, int] = Field(sa_type=JSON)
    """How many of each card, by its number in decimal (JSON has no integer keys)."""
    created_at: int = time_field()

    @property
    def counts(self) -> dict[int, int]:
        """How many of each card, by its number."""
        return {int(number): count for number, count in self.cards.items()}

"""Deck lists, their revisions, and players' favourites."""

from sqlalchemy import JSON, Index, false, text
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class DeckRow(SQLModel, table=True):
    """A deck list with its owner. Its newest revision holds its name and cards."""

    __tablename__ = "deck"
    __table_args__ = (Index("ix_deck_listed", "visibility", "created_at", "id"),)

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    owner_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    revision: int
    """The number of the newest revision."""
    created_at: int = time_field()
    deleted_at: int | None = time_field(default=None)
    """A deleted deck keeps its revisions, because matches were played with them."""
    visibility: str = Field(default="private", max_length=8, sa_column_kwargs={"server_default": "private"})
    """ "private": for its owner alone; "unlisted": for everybody who has the id; "public": also listed."""
    tags: str = Field(default="", max_length=400, sa_column_kwargs={"server_default": text("''")})
    """The tags in alphabetical order, each once, separated by spaces."""
    name_hidden: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if a moderator has hidden its name, notes and tags from everybody but its owner."""
    origin_id: str | None = Field(default=None, foreign_key="deck.id", index=True, max_length=36)
    """The deck that it was copied from. Only its owner sees this, since that deck may be unlisted."""
    origin_revision: int | None = None


class DeckRevision(SQLModel, table=True):
    """One revision of a deck list: written once, never changed."""

    __tablename__ = "deck_revision"

    deck_id: str = Field(foreign_key="deck.id", primary_key=True, max_length=36)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts a deck's revisions from 1."""
    name: str = Field(max_length=80)
    cards: dict[str, int] = Field(sa_type=JSON)
    """The number of copies, by card number in decimal (JSON has no integer keys)."""
    created_at: int = time_field()
    note: str = Field(default="", max_length=200, sa_column_kwargs={"server_default": text("''")})
    """The owner's note on this revision."""
    restored_from: int | None = None
    """The number of the revision that this one restored."""

    @property
    def counts(self) -> dict[int, int]:
        """The number of copies, by card number."""
        return {int(number): count for number, count in self.cards.items()}


class DeckFavourite(SQLModel, table=True):
    """A deck among a player's favourites."""

    __tablename__ = "deck_favourite"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    deck_id: str = Field(foreign_key="deck.id", primary_key=True, index=True, max_length=36)
    created_at: int = time_field()

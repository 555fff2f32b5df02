"""The copies of cards that players own."""

from sqlalchemy import BigInteger, CheckConstraint, UniqueConstraint, false
from sqlmodel import Field, Relationship, SQLModel

from service.models.base import new_id, time_field


class CardSerial(SQLModel, table=True):
    """The newest serial number of a card. It only grows."""

    __tablename__ = "card_serial"

    card: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    last: int


class Copy(SQLModel, table=True):
    """One copy of a card, for example number 17 of all tunas that the house has made.

    The catalogue's `Card` is the design that the rules know. Its `Printing` says in which set it appeared and
    under which number. A `Copy` is the thing that a player owns. Deck lists name designs, so one copy may
    serve in several of them.
    """

    __tablename__ = "copy"
    __table_args__ = (
        UniqueConstraint("card", "serial"),
        CheckConstraint("state IN ('free', 'listed', 'escrow', 'held', 'outside')", name="state"),
        CheckConstraint("(state = 'free') = (held_by IS NULL)", name="in_one_place"),
        CheckConstraint("NOT soulbound OR state IN ('free', 'held')", name="bound"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    card: int = Field(sa_type=BigInteger)
    """The card's stable number in the catalogue. It names the design and its printing."""
    serial: int
    """Counts the copies of a card from 1, over all owners."""
    owner_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    """The player who received the copy in its newest transfer."""
    origin: str = Field(max_length=60)
    """The copy's origin: "starter:SLUG", "basic", "booster:ID" or "granted:ID"."""
    soulbound: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if the copy stays with its first owner for ever."""
    created_at: int = time_field()
    state: str = Field(default="free", max_length=8, sa_column_kwargs={"server_default": "free"})
    """ "free", "held" by a game until its end, "listed" for sale, in "escrow", or "outside" on a chain."""
    held_by: str | None = Field(default=None, index=True, max_length=36)
    """The id of a game, the offer or the statement that let it out; None while it is free."""
    others: list["CopyHold"] = Relationship(sa_relationship_kwargs={"lazy": "selectin", "viewonly": True})
    """Further games that hold it."""

    @property
    def holders(self) -> list[str]:
        """The ids of all games, or of the offer, that hold it."""
        if self.held_by is None:
            return []
        return sorted({self.held_by, *(hold.game_id for hold in self.others)})


class CopyHold(SQLModel, table=True):
    """A game that holds a copy beside the one that the copy itself names."""

    __tablename__ = "copy_hold"

    game_id: str = Field(primary_key=True, max_length=36)
    copy_id: str = Field(foreign_key="copy.id", primary_key=True, index=True, max_length=36)

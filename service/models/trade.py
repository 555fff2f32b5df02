"""Offers between players, prices of settled offers, and players' wishes."""

from sqlalchemy import BigInteger, CheckConstraint, Index
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Offer(SQLModel, table=True):
    """An offer of one player to everybody or to one player. It never changes; it is only closed."""

    __tablename__ = "offer"
    __table_args__ = (
        CheckConstraint("state IN ('open', 'accepted', 'declined', 'withdrawn', 'expired')", name="state"),
        CheckConstraint("(state = 'open') = (closed_at IS NULL)", name="closed"),
        CheckConstraint("(state = 'accepted') = (taker_id IS NOT NULL)", name="taken"),
        CheckConstraint("gives_coins >= 0 AND wants_coins >= 0", name="coins"),
        Index("ix_offer_state", "state", "expires_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    maker_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    for_id: str | None = Field(default=None, foreign_key="player.id", index=True, max_length=36)
    """The only player who may take the offer; None if everybody may."""
    taker_id: str | None = Field(default=None, foreign_key="player.id", index=True, max_length=36)
    """The player who has taken the offer."""
    gives_coins: int = Field(default=0, sa_type=BigInteger)
    """The coins that the maker gives. The ledger's account `escrow` holds them while the offer is open."""
    wants_coins: int = Field(default=0, sa_type=BigInteger)
    state: str = Field(default="open", max_length=12)
    created_at: int = time_field()
    expires_at: int = time_field()
    """The time from which nobody can take the offer, whether or not a worker has closed it yet."""
    closed_at: int | None = time_field(default=None)


class OfferCopy(SQLModel, table=True):
    """A copy in an offer: either the maker gives it, or the taker gave it in return."""

    __tablename__ = "offer_copy"

    offer_id: str = Field(foreign_key="offer.id", primary_key=True, max_length=36)
    copy_id: str = Field(foreign_key="copy.id", primary_key=True, max_length=36)
    card: int = Field(sa_type=BigInteger, index=True)
    """The copy's card."""
    given: bool
    """True if the maker gives the copy; otherwise the taker gave it."""


class OfferWant(SQLModel, table=True):
    """The number of copies of a card that the maker of an offer wants. Any copies will do."""

    __tablename__ = "offer_want"
    __table_args__ = (CheckConstraint("copies > 0", name="some"),)

    offer_id: str = Field(foreign_key="offer.id", primary_key=True, max_length=36)
    card: int = Field(
        primary_key=True, sa_type=BigInteger, index=True, sa_column_kwargs={"autoincrement": False}
    )
    copies: int


class Price(SQLModel, table=True):
    """The price of copies of one card that were traded for coins alone.

    It is written with the trade, and kept.
    """

    __tablename__ = "price"
    __table_args__ = (Index("ix_price_card", "card", "at"),)

    offer_id: str = Field(foreign_key="offer.id", primary_key=True, max_length=36)
    card: int = Field(sa_type=BigInteger)
    at: int = time_field()
    copies: int
    coins: int = Field(sa_type=BigInteger)
    """The coins for all copies together."""


class Wish(SQLModel, table=True):
    """The number of copies of a card that a player would like to own."""

    __tablename__ = "wish"
    __table_args__ = (CheckConstraint("copies > 0", name="some"),)

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    card: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    copies: int

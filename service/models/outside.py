"""Copies that leave the house as tokens on a chain, and where the reader of that chain is."""

from sqlalchemy import BigInteger, CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Trip(SQLModel, table=True):
    """A copy's way out by one statement of the house, which names up to 60 copies."""

    __tablename__ = "trip"
    __table_args__ = (
        CheckConstraint("state IN ('leaving', 'outside', 'lapsed', 'back', 'lost')", name="state"),
        Index(
            "uq_trip_away",
            "copy_id",
            unique=True,
            sqlite_where=text("state IN ('leaving', 'outside', 'lost')"),
            postgresql_where=text("state IN ('leaving', 'outside', 'lost')"),
        ),
    )

    statement_id: str = Field(primary_key=True, max_length=36)
    place: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts the copies of the statement from 0, as it names them."""
    copy_id: str = Field(foreign_key="copy.id", index=True, max_length=36)
    token: str = Field(index=True, max_length=64)
    """The token's id in hexadecimal digits."""
    trip: int
    """Counts the token's ways out from 1, those that lapsed left out."""
    player_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    """The player who asked for it."""
    receiver: str = Field(max_length=42)
    """The address that the statement names, with its checksum (EIP-55)."""
    until: int = Field(sa_type=BigInteger, index=True)
    """When the statement lapses, in seconds since 1970: the chain's own unit."""
    state: str = Field(max_length=8)
    """ "leaving" once signed; "outside"; "lapsed" unused; "back"; "lost" if burned for no player."""
    at: int = time_field()


class ChainHead(SQLModel, table=True):
    """The one row that says how far the house has read its pantry."""

    __tablename__ = "chain_head"

    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    place: str = Field(max_length=64)
    """The chain's number and the contract's address; empty until the reader has begun."""
    number: int = Field(sa_type=BigInteger)
    """The newest block that was read; -1 before the first."""
    hash: str = Field(max_length=64)
    time: int = Field(sa_type=BigInteger)
    """That block's time, in seconds since 1970."""
    restored_until: int = Field(sa_type=BigInteger)
    """Behind a restored backup: when the last statement that it may not know has lapsed; 0 for none."""
    alarm: str | None = Field(default=None, max_length=300)
    """Why the reader has stopped; None while it reads."""

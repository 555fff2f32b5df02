"""Boosters: owned ones, the rules by which they are drawn, the house's chains, and openings."""

from typing import Any

from sqlalchemy import JSON, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class BoosterRules(SQLModel, table=True):
    """The rules of a set's boosters, stored for the boosters that were received under them. Never changed."""

    __tablename__ = "booster_rules"

    digest: str = Field(primary_key=True, max_length=86)
    """The digest of the rules, base64url (docs/boosters.md)."""
    rules: dict[str, Any] = Field(sa_type=JSON)


class BoosterRow(SQLModel, table=True):
    """A booster that a player owns. It is opened by the rules under which the player received it."""

    __tablename__ = "booster"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    owner_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    set_code: str = Field(max_length=60)
    rules: str = Field(foreign_key="booster_rules.digest", max_length=86)
    origin: str = Field(max_length=60)
    """ "bought", "won:GAME", "welcome", or "granted:GRANT"."""
    soulbound: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if the copies in it stay with the owner for ever."""
    created_at: int = time_field()
    opened_at: int | None = time_field(default=None)


class BoosterChain(SQLModel, table=True):
    """A hash chain to which the house is committed for a player. Its links are derived, never stored."""

    __tablename__ = "booster_chain"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts a player's chains from 1."""
    house_key: str = Field(max_length=43)
    commitment: dict[str, Any] = Field(sa_type=JSON)
    """The signed commitment."""
    used: int = 0
    """The number of links that were shown; all of them once the house is not to use the chain any more."""
    pending: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The receipt for an opening that was asked for under this chain, until its nonce comes."""


class BoosterOpening(SQLModel, table=True):
    """The result of opening a booster: written once, never changed."""

    __tablename__ = "booster_opening"

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts a player's openings from 1."""
    booster_id: str = Field(foreign_key="booster.id", unique=True, max_length=36)
    set_code: str = Field(max_length=60)
    counter: int
    """The player's pity counter of the set after this opening."""
    opening: dict[str, Any] = Field(sa_type=JSON)
    """The signed opening."""

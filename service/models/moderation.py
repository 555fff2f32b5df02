"""Order in the house: roles, sanctions, and the log of acts, which nobody changes."""

from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Role(SQLModel, table=True):
    """The role of a player who keeps order. Most players have none, and no row."""

    __tablename__ = "role"
    __table_args__ = (CheckConstraint("name IN ('admin', 'moderator')", name="known"),)

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    name: str = Field(max_length=12)
    since: int = time_field()


class Sanction(SQLModel, table=True):
    """What a player may not do for a time: one row of each kind at most. The log has those of before."""

    __tablename__ = "sanction"
    __table_args__ = (CheckConstraint("kind IN ('suspended', 'trades_frozen')", name="known"),)

    player_id: str = Field(foreign_key="player.id", primary_key=True, max_length=36)
    kind: str = Field(primary_key=True, max_length=16)
    reason: str = Field(max_length=300)
    """The reason, which the player reads."""
    since: int = time_field()
    until: int | None = time_field(default=None)
    """The end; None until somebody lifts it."""


class ActHead(SQLModel, table=True):
    """The one row that says where the log of acts ends. A transaction that writes locks it."""

    __tablename__ = "act_head"

    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seq: int = Field(sa_type=BigInteger)
    """The seq of the newest act."""
    digest: str = Field(max_length=43)
    """The digest of the newest act, base64url."""


class Act(SQLModel, table=True):
    """One act of an admin, a moderator or the operator: written once. Triggers of the database enforce this.

    It refers to things by id alone, without a foreign key, so it outlives them.
    """

    __tablename__ = "act"
    __table_args__ = (Index("ix_act_subject", "subject_id", "seq"),)

    seq: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    """Counts from 1 without gaps, in the order of the commits."""
    at: int = time_field()
    actor: str = Field(max_length=36)
    """The id of the player who acted, or "operator"."""
    kind: str = Field(max_length=24)
    subject: str = Field(max_length=12)
    """What was acted upon: "player", "deck", "table", "report" or "tournament"."""
    subject_id: str = Field(max_length=36)
    details: dict[str, Any] = Field(sa_type=JSON)
    digest: str = Field(max_length=43)
    """The digest of this act and of the digest before it, base64url."""

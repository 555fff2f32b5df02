"""The ledger: accounts, and the transactions that move coins and copies. Transactions never change."""

from sqlalchemy import BigInteger, CheckConstraint, Index
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Account(SQLModel, table=True):
    """An account of a player, with the player's id, or of the house.

    `coins` is the stored sum of its transfers. A player's is never negative.
    """

    __tablename__ = "account"
    __table_args__ = (CheckConstraint("player_id IS NULL OR coins >= 0", name="not_overdrawn"),)

    id: str = Field(primary_key=True, max_length=36)
    player_id: str | None = Field(default=None, foreign_key="player.id", unique=True, max_length=36)
    """The owner; None for an account of the house."""
    coins: int = Field(default=0, sa_type=BigInteger)


class LedgerHead(SQLModel, table=True):
    """The one row that says where the ledger ends. A transaction that writes locks it until its commit."""

    __tablename__ = "ledger_head"

    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seq: int = Field(sa_type=BigInteger)
    """The seq of the newest transaction."""
    digest: str = Field(max_length=43)
    """The digest of the newest transaction, base64url."""


class LedgerTransaction(SQLModel, table=True):
    """One transaction: written once, never changed. Triggers of the database enforce this."""

    __tablename__ = "ledger_transaction"

    seq: int = Field(primary_key=True, sa_type=BigInteger, sa_column_kwargs={"autoincrement": False})
    """Counts from 1 without gaps, in the order of the commits."""
    kind: str = Field(max_length=16)
    ref: str | None = Field(default=None, unique=True, max_length=100)
    """The thing that the transaction is for. It is unique, so nothing is paid for twice."""
    at: int = time_field()
    digest: str = Field(max_length=43)
    """The digest of this transaction's content and of the digest before it, base64url."""


class LedgerTransfer(SQLModel, table=True):
    """One transfer of a transaction: coins, or one copy, from one account to another.

    Both sides stand in one row, so what leaves one account always reaches the other.
    """

    __tablename__ = "ledger_transfer"
    __table_args__ = (
        CheckConstraint("source <> target", name="two_accounts"),
        CheckConstraint("(coins IS NULL) <> (copy_id IS NULL)", name="one_thing"),
        CheckConstraint("coins IS NULL OR coins > 0", name="some_coins"),
        Index("ix_ledger_transfer_copy_id", "copy_id", "seq"),
        Index("ix_ledger_transfer_source", "source", "seq"),
        Index("ix_ledger_transfer_target", "target", "seq"),
    )

    seq: int = Field(
        foreign_key="ledger_transaction.seq",
        primary_key=True,
        sa_type=BigInteger,
        sa_column_kwargs={"autoincrement": False},
    )
    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts the transfers of a transaction from 0."""
    source: str = Field(foreign_key="account.id", max_length=36)
    target: str = Field(foreign_key="account.id", max_length=36)
    coins: int | None = Field(default=None, sa_type=BigInteger)
    copy_id: str | None = Field(default=None, foreign_key="copy.id", max_length=36)

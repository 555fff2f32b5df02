"""The ledger: the only way in which coins and copies move.

A *transaction* is a group of transfers that happen together or not at all. A *transfer* moves coins, or one
copy, from one account to another. Both sides stand in one row, so the books always balance. The database
itself refuses to change or delete a row, and refuses a player's account below zero.

Transactions are numbered without gaps in the order of the commits, and each digest covers the one before. So
the end of the ledger is a single row, which each transaction locks last and as briefly as possible: `post`
only notes the transfers, and the commit enters them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, update
from sqlmodel import Session, col, select

from crypto.encoding import b64, canonical, i2osp, unb64
from crypto.transcript import tuple_hash
from service.db import before_commit, upsert
from service.models import Account, LedgerHead, LedgerTransaction, LedgerTransfer
from service.problems import conflict

MINT = "mint"
"""The account from which all coins and copies come. Its balance is minus the number of coins that exist."""
TILL = "till"
"""The account that receives the coins paid to the house. Nobody spends them."""
ESCROW = "escrow"
"""The account that holds the coins that open offers give, and those of tournaments that are not over."""
CHAIN = "chain"
"""The account that has the copies which are outside, as tokens on a chain."""
HOUSE = (MINT, TILL, ESCROW, CHAIN)
KINDS = (
    "starter",
    "basic",
    "grant",
    "reward",
    "purchase",
    "opening",
    "offer",
    "return",
    "trade",
    "fee",
    "stake",
    "refund",
    "prize",
    "out",
    "back",
)
"""The kinds of transactions. A name never gets a second meaning."""
NO_DIGEST = b64(bytes(32))
"""The digest before the first transaction."""

_PENDING = "cloche_ledger"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Coins (1 or more), or else one copy, from one account to another."""

    source: str
    target: str
    coins: int | None = None
    copy: str | None = None

    def json(self) -> dict[str, Any]:
        """The JSON form that the digest covers."""
        return {"source": self.source, "target": self.target, "coins": self.coins, "copy": self.copy}


@dataclass(frozen=True, slots=True)
class _Note:
    kind: str
    ref: str | None
    at: int
    transfers: tuple[Transfer, ...]


def post(session: Session, kind: str, transfers: Iterable[Transfer], at: int, ref: str | None = None) -> None:
    """Enter a transaction when the session commits; if it does not commit, nothing is entered.

    `ref` names what the transaction is for, if that may happen only once: a second commit with the same `ref`
    fails. A caller that takes coins from a player calls `take` first. Raises `ValueError` for an unknown kind
    and for no transfers.
    """
    note = _Note(kind, ref, at, tuple(transfers))
    if kind not in KINDS:
        raise ValueError(f"there is no kind of transaction {kind!r}")
    if not note.transfers:
        raise ValueError("a transaction needs at least one transfer")
    pending: list[_Note] = session.info.setdefault(_PENDING, [])
    if not pending:
        # In the second round: callbacks of the first lock other rows, and the ledger's end is locked last.
        before_commit(session, lambda: before_commit(session, lambda: _write(session)))
    pending.append(note)


def take(session: Session, player_id: str, coins: int) -> None:
    """Lock a player's account and check that it has `coins` coins. Raises `Problem` 409.

    A caller that takes coins from several players locks them in the order of their ids.
    """
    statement = select(Account).where(Account.id == player_id).with_for_update(key_share=True)
    account = session.exec(statement.execution_options(populate_existing=True)).first()
    pending: list[_Note] = session.info.get(_PENDING, [])
    noted = _sums(transfer for note in pending for transfer in note.transfers).get(player_id, 0)
    there = (0 if account is None else account.coins) + noted
    if there < coins:
        text = f"This costs {coins} coins, and you have {there}."
        raise conflict("too_few_coins", text, needed=coins, coins=there)


def coins_of(session: Session, player_id: str) -> int:
    """Read how many coins a player has."""
    found = session.exec(select(Account.coins).where(Account.id == player_id)).first()
    return found or 0


def digest_of(
    before: str, seq: int, kind: str, ref: str | None, at: int, transfers: Sequence[Transfer]
) -> str:
    """A transaction's digest, base64url: TH("ledger"; the one before, I2OSP(seq, 8), canonical JSON; 32)."""
    listed = [transfer.json() for transfer in transfers]
    said = {"seq": seq, "kind": kind, "ref": ref, "at": at, "transfers": listed}
    return b64(tuple_hash("ledger", unb64(before, 32), i2osp(seq, 8), canonical(said), length=32))


def _sums(transfers: Iterable[Transfer]) -> dict[str, int]:
    """The change of each account's coins, by account; 0 for an account that only moves copies."""
    sums: dict[str, int] = {}
    for transfer in transfers:
        for account, sign in ((transfer.source, -1), (transfer.target, 1)):
            sums[account] = sums.get(account, 0) + sign * (transfer.coins or 0)
    return sums


def _write(session: Session) -> None:
    """Enter the notes: in the players' accounts by id, in the house's accounts, then at the ledger's end."""
    notes: list[_Note] = session.info.pop(_PENDING)
    session.flush()
    changes = _sums(transfer for note in notes for transfer in note.transfers)
    for account in sorted(changes, key=lambda name: (name in HOUSE, name)):
        _change(session, account, changes[account])
    seq, digest = _end(session, len(notes))
    for note in notes:
        seq += 1
        digest = digest_of(digest, seq, note.kind, note.ref, note.at, note.transfers)
        row = LedgerTransaction(seq=seq, kind=note.kind, ref=note.ref, at=note.at, digest=digest)
        session.add(row)
        session.flush()  # the transfers refer to it
        session.execute(insert(LedgerTransfer), [_row(seq, i, t) for i, t in enumerate(note.transfers)])
    session.get_one(LedgerHead, 1, populate_existing=True).digest = digest
    session.flush()


def _row(seq: int, number: int, transfer: Transfer) -> Mapping[str, Any]:
    return {
        "seq": seq,
        "number": number,
        "source": transfer.source,
        "target": transfer.target,
        "coins": transfer.coins,
        "copy_id": transfer.copy,
    }


def _change(session: Session, account: str, coins: int) -> None:
    """Add `coins` to an account, and open it if it is new.

    It takes two statements: in an upsert, the check against overdrawing would judge the row to insert.
    """
    values = {"id": account, "player_id": None if account in HOUSE else account, "coins": 0}
    session.execute(upsert(session, Account).values(values).on_conflict_do_nothing())
    if coins:
        mine = update(Account).where(col(Account.id) == account)
        session.execute(
            mine.values(coins=col(Account.coins) + coins), execution_options={"synchronize_session": False}
        )


def _end(session: Session, more: int) -> tuple[int, str]:
    """Lock the end of the ledger and move it on by `more`; returns the number and digest before."""
    new = upsert(session, LedgerHead).values(id=1, seq=more, digest=NO_DIGEST)
    moved = new.on_conflict_do_update(index_elements=["id"], set_={"seq": col(LedgerHead.seq) + more})
    row = session.execute(moved.returning(col(LedgerHead.seq), col(LedgerHead.digest))).one()
    return row.seq - more, row.digest

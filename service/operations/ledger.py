"""The ledger: the only way in which coins and copies move.

A *transaction* is some transfers that happen together or not at all; a *transfer* takes coins, or one copy,
out of one account and puts them into another. Both legs are one row, so books that do not balance cannot be
written; the database itself refuses to change or delete a row, and a player's account below zero.

Transactions are numbered without gaps in the order of the commits, and each digest covers the one before. So
the end of the ledger is one row, locked last of all in a transaction and as shortly as can be: `post` only
notes what is to be entered.
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
"""Where all coins and copies come from: its balance is what there is, below zero."""
TILL = "till"
"""Where coins go that the house is paid; they are spent by nobody."""
ESCROW = "escrow"
"""Where the coins lie that open offers give."""
HOUSE = (MINT, TILL, ESCROW)
KINDS = ("starter", "basic", "reward", "purchase", "opening", "offer", "return", "trade")
"""What a transaction can be; names are never given a second meaning."""
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
        """As it is hashed."""
        return {"source": self.source, "target": self.target, "coins": self.coins, "copy": self.copy}


@dataclass(frozen=True, slots=True)
class _Note:
    kind: str
    ref: str | None
    at: int
    transfers: tuple[Transfer, ...]


def post(session: Session, kind: str, transfers: Iterable[Transfer], at: int, ref: str | None = None) -> None:
    """Have a transaction entered when the session commits; if it is not committed nothing is.

    `ref` says what it is for, where that may be only once: the second commit under the same one fails. Who
    takes coins from a player calls `take` first.
    """
    assert kind in KINDS, "kinds are listed"
    note = _Note(kind, ref, at, tuple(transfers))
    assert note.transfers, "a transaction moves something"
    pending: list[_Note] = session.info.setdefault(_PENDING, [])
    if not pending:
        # In the second round, since others lock rows in the first: the end of the ledger comes last of all.
        before_commit(session, lambda: before_commit(session, lambda: _write(session)))
    pending.append(note)


def take(session: Session, player_id: str, coins: int) -> None:
    """See to it that a player has so many coins, until the commit. Raises `Problem` 409.

    Who takes coins from several players does it in the order of their ids.
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
    """How many coins a player has."""
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
    """By how many coins each account that is named changes, 0 for copies alone."""
    sums: dict[str, int] = {}
    for transfer in transfers:
        for account, sign in ((transfer.source, -1), (transfer.target, 1)):
            sums[account] = sums.get(account, 0) + sign * (transfer.coins or 0)
    return sums


def _write(session: Session) -> None:
    """Enter what was noted: in players' accounts by id, in the house's, then at the end of the ledger."""
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
    """Add coins to an account, which is opened with its first movement.

    Not in one statement: an account that would be overdrawn were it new is refused before it is found.
    """
    values = {"id": account, "player_id": None if account in HOUSE else account, "coins": 0}
    session.execute(upsert(session, Account).values(values).on_conflict_do_nothing())
    if coins:
        mine = update(Account).where(col(Account.id) == account)
        session.execute(
            mine.values(coins=col(Account.coins) + coins), execution_options={"synchronize_session": False}
        )


def _end(session: Session, more: int) -> tuple[int, str]:
    """Lock the end of the ledger and move it on by so many; number and digest of the last before."""
    new = upsert(session, LedgerHead).values(id=1, seq=more, digest=NO_DIGEST)
    moved = new.on_conflict_do_update(index_elements=["id"], set_={"seq": col(LedgerHead.seq) + more})
    row = session.execute(moved.returning(col(LedgerHead.seq), col(LedgerHead.digest))).one()
    return row.seq - more, row.digest

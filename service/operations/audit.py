"""The audit: it checks every transaction of the ledger, all stored data that follows from them, and the
log of acts.

Balances, owners and states follow from the ledger, so the audit computes them anew and compares. Each error
becomes a `AuditFinding` that names the thing; the audit repairs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, func, literal, union_all
from sqlalchemy import select as sql_select
from sqlmodel import Session, col, select

from service.models import (
    Account,
    BoosterOpening,
    BoosterRow,
    CardSerial,
    Copy,
    CopyHold,
    GameRow,
    GameSeat,
    Grant,
    LedgerHead,
    LedgerTransaction,
    LedgerTransfer,
    Offer,
    OfferCopy,
    Tournament,
    TournamentEntry,
    Trip,
    Win,
)
from service.operations import acts, ledger
from service.operations.ledger import ESCROW, HOUSE, MINT, NO_DIGEST, Transfer

Progress = Callable[[int, int], object]
"""A callback that is given the number of finished steps and of all steps."""
AWAY = col(Trip.state).in_(("leaving", "outside", "lost"))
"""The trips whose copies are not in the house."""
BATCH = 500
"""The number of rows to read at a time."""


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """One error: a stable code, the thing that is wrong, and why."""

    code: str
    about: str
    text: str

    def __str__(self) -> str:
        return f"[{self.code}] {self.about}: {self.text}"


@dataclass
class Audit:
    """The totals of the ledger, and the findings so far."""

    transactions: int = 0
    transfers: int = 0
    copies: int = 0
    coins: dict[str, int] = field(default_factory=dict)
    """The sum of each account's transfers, by account."""
    holders: dict[str, str] = field(default_factory=dict)
    """The account that received each copy last, by copy."""
    findings: list[AuditFinding] = field(default_factory=list)

    def wrong(self, code: str, about: str, text: str) -> None:
        """Add a finding."""
        self.findings.append(AuditFinding(code, about, text))

    @property
    def minted(self) -> int:
        """The number of coins that exist."""
        return -self.coins.get(MINT, 0)


def audit(session: Session, progress: Progress = lambda done, total: None) -> Audit:
    """Check everything as it is at one moment, even while others write."""
    if session.get_bind().dialect.name == "postgresql":
        # On SQLite a transaction sees one moment. On PostgreSQL each statement would see its own.
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    books = Audit()
    entered = session.exec(select(func.count()).select_from(LedgerTransaction)).one()
    copies = session.exec(select(func.count()).select_from(Copy)).one()
    total = entered + copies
    digest = NO_DIGEST
    for row, transfers in _transactions(session):
        digest = _judge(books, row, transfers, digest)
        if books.transactions % BATCH == 0:
            progress(books.transactions, total)
    _head(books, session.get(LedgerHead, 1), digest)
    _accounts(books, session)
    for done, copy in enumerate(_copies(session)):
        _copy(books, copy)
        if done % BATCH == 0:
            progress(entered + done, total)
    for copy_id in sorted(books.holders):
        books.wrong("copy_missing", f"copy {copy_id}", "the ledger has moved it, and there is no such copy")
    _serials(books, session)
    _held(books, session)
    _boosters(books, session)
    _wins(books, session)
    _grants(books, session)
    _offered(books, session)
    _tournaments(books, session)
    _outside(books, session)
    for fault in acts.faults(session):
        books.wrong(*fault)
    progress(total, total)
    return books


def _transactions(session: Session) -> Iterator[tuple[LedgerTransaction, list[LedgerTransfer]]]:
    """All transactions in order, each with its transfers."""
    after = 0
    while True:
        newer = select(LedgerTransaction).where(LedgerTransaction.seq > after)
        rows = list(session.exec(newer.order_by(col(LedgerTransaction.seq)).limit(BATCH)))
        if not rows:
            return
        between = (LedgerTransfer.seq > after, LedgerTransfer.seq <= rows[-1].seq)
        order = (col(LedgerTransfer.seq), col(LedgerTransfer.number))
        found: dict[int, list[LedgerTransfer]] = {}
        for transfer in session.exec(select(LedgerTransfer).where(*between).order_by(*order)):
            found.setdefault(transfer.seq, []).append(transfer)
        for row in rows:
            yield row, found.get(row.seq, [])
        after = rows[-1].seq
        session.expunge_all()


def _judge(books: Audit, row: LedgerTransaction, rows: list[LedgerTransfer], before: str) -> str:
    """Check one transaction and add up its transfers; returns its digest, which the next one covers."""
    about = f"transaction {row.seq}"
    books.transactions += 1
    books.transfers += len(rows)
    if row.seq != books.transactions:
        books.wrong("gap", about, f"number {books.transactions} should come next")
        books.transactions = row.seq
    if not rows:
        books.wrong("empty", about, "moves nothing")
    if [transfer.number for transfer in rows] != [*range(len(rows))]:
        books.wrong("transfer_missing", about, "its transfers are not numbered from 0 without gaps")
    if row.kind not in ledger.KINDS:
        books.wrong("unknown_kind", about, f"is of no kind that there is: {row.kind}")
    listed = [Transfer(t.source, t.target, t.coins, t.copy_id) for t in rows]
    digest = ledger.digest_of(before, row.seq, row.kind, row.ref, row.at, listed)
    if digest != row.digest:
        books.wrong("bad_digest", about, "it, or the one before it, is not what was entered")
    for transfer in listed:
        _move(books, about, transfer)
    for account in {transfer.source for transfer in listed} - {*HOUSE}:
        if books.coins.get(account, 0) < 0:
            books.wrong("overdrawn", about, f"leaves account {account} with {books.coins[account]} coins")
    return row.digest


def _move(books: Audit, about: str, transfer: Transfer) -> None:
    if (transfer.coins is None) == (transfer.copy is None) or (transfer.coins or 1) < 1:
        books.wrong("unbalanced", about, "a transfer moves coins, or else one copy")
    if transfer.source == transfer.target:
        books.wrong("unbalanced", about, "a transfer goes from one account to another")
    if transfer.coins is not None:
        books.coins[transfer.source] = books.coins.get(transfer.source, 0) - transfer.coins
        books.coins[transfer.target] = books.coins.get(transfer.target, 0) + transfer.coins
    if transfer.copy is not None:
        holder = books.holders.get(transfer.copy, MINT)
        if holder != transfer.source:
            text = f"takes copy {transfer.copy} from {transfer.source}, and {holder} has it"
            books.wrong("not_theirs", about, text)
        books.holders[transfer.copy] = transfer.target


def _head(books: Audit, head: LedgerHead | None, digest: str) -> None:
    seq, last = (0, NO_DIGEST) if head is None else (head.seq, head.digest)
    if (seq, last) != (books.transactions, digest):
        text = f"should be transaction {seq}, and the last one is {books.transactions}"
        books.wrong(
            "bad_end", "the end of the ledger", text if seq != books.transactions else "keeps another digest"
        )


def _accounts(books: Audit, session: Session) -> None:
    kept = {account.id: account for account in session.exec(select(Account))}
    for name in sorted({*kept, *books.coins}):
        about, worked_out = f"account {name}", books.coins.get(name, 0)
        if name not in kept:
            books.wrong("account_missing", about, "has transfers, and there is no such account")
        elif kept[name].coins != worked_out:
            text = f"{kept[name].coins} coins are kept, and its transfers come to {worked_out}"
            books.wrong("bad_balance", about, text)
        if name in kept and (kept[name].player_id is None) != (name in HOUSE):
            books.wrong("bad_account", about, "is no account of the house's, and of no player")


def _copies(session: Session) -> Iterator[Copy]:
    after = ""
    while True:
        rows = list(session.exec(select(Copy).where(Copy.id > after).order_by(col(Copy.id)).limit(BATCH)))
        if not rows:
            return
        yield from rows
        after = rows[-1].id
        session.expunge_all()


def _copy(books: Audit, copy: Copy) -> None:
    """Compare a copy with the ledger's holder, and remove it from the holders."""
    books.copies += 1
    about = f"copy {copy.id} (card {copy.card}, number {copy.serial})"
    holder = books.holders.pop(copy.id, None)
    if holder is None:
        books.wrong("not_entered", about, "was never entered in the ledger")
    elif (holder == ledger.CHAIN) != (copy.state == "outside"):
        books.wrong("bad_state", about, f"is {copy.state}, and {holder} has it in the ledger")
    elif holder not in (copy.owner_id, ledger.CHAIN):
        books.wrong("bad_owner", about, f"is kept as {copy.owner_id}'s, and the ledger gave it to {holder}")
    if (copy.state == "free") != (copy.held_by is None):
        books.wrong("bad_state", about, f"is {copy.state}, and what holds it is {copy.held_by or 'nothing'}")
    if copy.soulbound and copy.state not in ("free", "held"):
        books.wrong("bad_state", about, f"is bound to its owner, and {copy.state}")


def _serials(books: Audit, session: Session) -> None:
    last = {row.card: row.last for row in session.exec(select(CardSerial))}
    highest = select(Copy.card, func.max(col(Copy.serial)), func.count()).group_by(col(Copy.card))
    for card, most, count in session.exec(highest):
        if most > last.get(card, 0) or count > most:
            text = f"{count} copies up to number {most}, where {last.get(card, 0)} numbers were given"
            books.wrong("bad_serials", f"card {card}", text)


def _held(books: Audit, session: Session) -> None:
    """Check that running games hold the held copies, and that the owners play in them."""
    one: Any = sql_select(
        col(Copy.id).label("copy_id"), col(Copy.held_by).label("game_id"), col(Copy.owner_id)
    )
    more: Any = sql_select(col(Copy.id), col(CopyHold.game_id), col(Copy.owner_id))
    more = more.join(CopyHold, col(CopyHold.copy_id) == col(Copy.id))
    pairs = union_all(one.where(col(Copy.state) == "held"), more).subquery()
    seated = (col(GameSeat.game_id) == pairs.c.game_id) & (col(GameSeat.player_id) == pairs.c.owner_id)
    running = (col(GameRow.id) == col(GameSeat.game_id)) & col(GameRow.ended_at).is_(None)
    stray = (
        sql_select(pairs.c.copy_id, pairs.c.game_id)
        .outerjoin(GameSeat, seated)
        .outerjoin(GameRow, running)
        .where(col(GameRow.id).is_(None))
        .order_by(pairs.c.copy_id, pairs.c.game_id)
    )
    for copy_id, holder in session.execute(stray):
        text = f"is held by game {holder}, which does not run, or in which its owner has no seat"
        books.wrong("bad_holder", f"copy {copy_id}", text)
    alone = (
        select(Copy.id, Copy.state, CopyHold.game_id)
        .join(CopyHold, col(CopyHold.copy_id) == col(Copy.id))
        .where((col(Copy.state) != "held") | (col(Copy.held_by) == col(CopyHold.game_id)))
        .order_by(col(Copy.id))
    )
    for copy_id, state, holder in session.exec(alone):
        text = f"is {state}, and game {holder} is noted as a further game that holds it"
        books.wrong("bad_holder", f"copy {copy_id}", text)


def _entered(session: Session, refs: Select[Any]) -> set[str]:
    """The ones of these refs that the ledger has transactions for."""
    found = select(LedgerTransaction.ref).where(col(LedgerTransaction.ref).in_(refs))
    return {ref for ref in session.exec(found) if ref is not None}


def _boosters(books: Audit, session: Session) -> None:
    """Check that bought boosters were paid for, and that each opened one brought the copies it states."""
    paid = _entered(session, sql_select(literal("booster:") + col(BoosterRow.id)))
    entered = _entered(session, sql_select(literal("opening:") + col(BoosterRow.id)))
    origin = literal("booster:") + col(BoosterRow.id)
    brought: dict[str, list[int]] = {}
    for booster_id, card in session.exec(
        select(BoosterRow.id, Copy.card).join(Copy, col(Copy.origin) == origin).order_by(col(Copy.card))
    ):
        brought.setdefault(booster_id, []).append(card)
    openings = {row.booster_id: row.opening for row in session.exec(select(BoosterOpening))}
    for booster in session.exec(select(BoosterRow).order_by(col(BoosterRow.id))):
        about, opening = f"booster {booster.id}", openings.get(booster.id)
        if booster.origin == "bought" and f"booster:{booster.id}" not in paid:
            books.wrong("not_paid", about, "was bought, and the ledger has no payment")
        if (booster.opened_at is None) != (opening is None):
            books.wrong("bad_opening", about, "is kept as opened without an opening, or the other way round")
        said = [] if opening is None else sorted(opening["cards"])
        if brought.get(booster.id, []) != said:
            books.wrong(
                "bad_opening", about, f"says {said}, and the copies are {brought.get(booster.id, [])}"
            )
        if opening is not None and f"opening:{booster.id}" not in entered:
            books.wrong("not_entered", about, "was opened, and the ledger does not have it")


def _wins(books: Audit, session: Session) -> None:
    """Check that each reward was paid once."""
    ref = literal("win:") + col(Win.game_id) + literal(":") + col(Win.player_id)
    joined = (
        select(Win.game_id, Win.player_id, Win.coins, LedgerTransfer.coins)
        .outerjoin(LedgerTransaction, col(LedgerTransaction.ref) == ref)
        .outerjoin(LedgerTransfer, col(LedgerTransfer.seq) == col(LedgerTransaction.seq))
        .order_by(col(Win.game_id), col(Win.player_id))
    )
    for game_id, player_id, coins, paid in session.exec(joined):
        if coins != paid:
            text = f"{coins} coins were due to {player_id}, and the ledger has {paid or 'none'}"
            books.wrong("bad_reward", f"win in game {game_id}", text)


def _grants(books: Audit, session: Session) -> None:
    """Check that each grant brought what it states, and that nothing else says that it was granted."""
    origin = literal("granted:") + col(Grant.id)
    ref = literal("grant:") + col(Grant.id)
    granted = {row.id: row for row in session.exec(select(Grant).order_by(col(Grant.id)))}
    paid = (
        select(Grant.id, LedgerTransfer.coins)
        .join(LedgerTransaction, col(LedgerTransaction.ref) == ref)
        .join(LedgerTransfer, col(LedgerTransfer.seq) == col(LedgerTransaction.seq))
    )
    copies = select(Grant.id, func.count()).join(Copy, col(Copy.origin) == origin)
    packs = select(Grant.id, func.count()).join(BoosterRow, col(BoosterRow.origin) == origin)
    brought = [
        {grant_id: int(count or 0) for grant_id, count in session.exec(found)}
        for found in (paid, packs.group_by(col(Grant.id)), copies.group_by(col(Grant.id)))
    ]
    for grant_id, grant in granted.items():
        said = (grant.coins, grant.boosters, grant.copies)
        found = tuple(each.get(grant_id, 0) for each in brought)
        if said != found:
            names = "coins, boosters and copies"
            text = f"gave {said} {names}, and the books have {found}"
            books.wrong("bad_grant", f"grant {grant_id}", text)
    known = {f"granted:{grant_id}" for grant_id in granted}
    for table in (BoosterRow, Copy):
        stray = select(table.origin).where(col(table.origin).startswith("granted:")).distinct()
        for name in sorted({*session.exec(stray)} - known):
            books.wrong("bad_grant", name, "is an origin of something, and there is no such grant")


def _offered(books: Audit, session: Session) -> None:
    """Check that open offers hold the copies that they give, and the account `escrow` their coins."""
    belongs = (
        (col(OfferCopy.copy_id) == col(Copy.id))
        & (col(OfferCopy.offer_id) == col(Copy.held_by))
        & col(OfferCopy.given)
    )
    open_one = (
        (col(Offer.id) == col(Copy.held_by))
        & (col(Offer.state) == "open")
        & (col(Offer.maker_id) == col(Copy.owner_id))
    )
    aside = col(Copy.state).in_(("listed", "escrow"))
    stray = (
        select(Copy.id, Copy.held_by)
        .outerjoin(OfferCopy, belongs)
        .outerjoin(Offer, open_one)
        .where(aside, col(OfferCopy.copy_id).is_(None) | col(Offer.id).is_(None))
        .order_by(col(Copy.id))
    )
    for copy_id, holder in session.exec(stray):
        text = f"is set aside for offer {holder}, which is not open, not its owner's, or does not give it"
        books.wrong("bad_offer", f"copy {copy_id}", text)
    missing = (
        select(OfferCopy.offer_id, OfferCopy.copy_id)
        .join(Offer, (col(Offer.id) == col(OfferCopy.offer_id)) & (col(Offer.state) == "open"))
        .outerjoin(
            Copy, (col(Copy.id) == col(OfferCopy.copy_id)) & (col(Copy.held_by) == col(Offer.id)) & aside
        )
        .where(col(OfferCopy.given), col(Copy.id).is_(None))
        .order_by(col(OfferCopy.copy_id))
    )
    for offer_id, copy_id in session.exec(missing):
        books.wrong("bad_offer", f"offer {offer_id}", f"gives copy {copy_id}, which is not set aside for it")
    coins = session.exec(select(func.sum(col(Offer.gives_coins))).where(Offer.state == "open")).one() or 0
    staked = sum(stake for state, stake in _staked(session).values() if state in ("open", "running"))
    if int(coins) + staked != books.coins.get(ESCROW, 0):
        text = (
            f"holds {books.coins.get(ESCROW, 0)} coins; open offers give {coins}, tournaments have {staked}"
        )
        books.wrong("bad_escrow", f"account {ESCROW}", text)


def _staked(session: Session) -> dict[str, tuple[str, int]]:
    """The state of each tournament, and the coins that its players and its director have put into it."""
    fees = select(TournamentEntry.tournament_id, func.sum(col(TournamentEntry.paid)))
    paid = dict(session.exec(fees.group_by(col(TournamentEntry.tournament_id))).all())
    rows = session.exec(select(Tournament.id, Tournament.state, Tournament.added)).all()
    return {row_id: (state, added + int(paid.get(row_id, 0))) for row_id, state, added in rows}


def _tournaments(books: Audit, session: Session) -> None:
    """Check that a tournament that is over has paid all its coins, and one cancelled has given all back."""
    sums = (
        select(LedgerTransaction.ref, func.sum(col(LedgerTransfer.coins)))
        .join(LedgerTransfer, col(LedgerTransfer.seq) == col(LedgerTransaction.seq))
        .where(col(LedgerTransaction.kind).in_(("prize", "refund")))
        .group_by(col(LedgerTransaction.ref))
    )
    paid = {str(ref): int(coins or 0) for ref, coins in session.exec(sums)}
    prizes = select(TournamentEntry.tournament_id, func.sum(col(TournamentEntry.prize)))
    won = dict(session.exec(prizes.group_by(col(TournamentEntry.tournament_id))).all())
    for tournament_id, (state, coins) in sorted(_staked(session).items()):
        about, due = f"tournament {tournament_id}", coins
        for name, ended in (("prize", "over"), ("refund", "cancelled")):
            expected = due if state == ended else 0
            if paid.get(f"{name}:{tournament_id}", 0) != expected:
                text = f"is {state}: a {name} of {expected} coins is due, and the ledger has another sum"
                books.wrong("bad_tournament", about, text)
        if int(won.get(tournament_id, 0)) != (coins if state == "over" else 0):
            books.wrong("bad_tournament", about, "keeps prizes that are not all its coins")


def _outside(books: Audit, session: Session) -> None:
    """Check that a copy is outside if and only if one trip of it says so."""
    away = {row.copy_id: row.statement_id for row in session.exec(select(Trip).where(AWAY))}
    kept = dict(session.exec(select(Copy.id, Copy.held_by).where(Copy.state == "outside")).all())
    for copy_id in sorted({*away, *kept}):
        if away.get(copy_id) != kept.get(copy_id):
            text = f"is outside by {kept.get(copy_id)}, and its trip says {away.get(copy_id)}"
            books.wrong("bad_trip", f"copy {copy_id}", text)

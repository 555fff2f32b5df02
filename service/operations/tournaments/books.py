"""The coins of tournaments. They lie in the account `escrow` until all are paid, or all given back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from service.models import Tournament, TournamentEntry
from service.operations import ledger
from service.operations.ledger import ESCROW, Transfer


def take_added(session: Session, tournament: Tournament, now: int) -> None:
    """Set aside what the director adds. Raises `Problem` 409 for too few coins."""
    if tournament.added:
        ledger.take(session, tournament.director_id, tournament.added)
        aside = Transfer(tournament.director_id, ESCROW, coins=tournament.added)
        ledger.post(session, "stake", [aside], now, f"stake:{tournament.id}")


def take_fee(session: Session, entry: TournamentEntry, now: int) -> None:
    """Set aside the fee of an entry. Raises `Problem` 409 for too few coins."""
    if entry.paid:
        ledger.take(session, entry.player_id, entry.paid)
        aside = Transfer(entry.player_id, ESCROW, coins=entry.paid)
        ledger.post(session, "fee", [aside], now, f"fee:{entry.id}")


def give_fee_back(session: Session, entry: TournamentEntry, now: int) -> None:
    """Give the fee of one entry back."""
    if entry.paid:
        back = Transfer(ESCROW, entry.player_id, coins=entry.paid)
        ledger.post(session, "refund", [back], now, f"refund:{entry.id}")


def give_all_back(
    session: Session, tournament: Tournament, entries: Sequence[TournamentEntry], now: int
) -> None:
    """Give every fee back, and what the director has added, in one transaction."""
    owed = {entry.player_id: entry.paid for entry in entries if entry.paid}
    if tournament.added:
        owed[tournament.director_id] = owed.get(tournament.director_id, 0) + tournament.added
    _pay(session, "refund", owed, now, f"refund:{tournament.id}")


def coins_in(tournament: Tournament, entries: Sequence[TournamentEntry]) -> int:
    """All coins of a tournament: the fees, and what the director has added."""
    return tournament.added + sum(entry.paid for entry in entries)


def pay(session: Session, tournament: Tournament, prizes: Mapping[str, int], now: int) -> None:
    """Pay prizes, by player id, in one transaction."""
    _pay(
        session,
        "prize",
        {player: coins for player, coins in prizes.items() if coins},
        now,
        f"prize:{tournament.id}",
    )


def _pay(session: Session, kind: str, owed: Mapping[str, int], now: int, ref: str) -> None:
    if owed:
        transfers = [Transfer(ESCROW, player, coins=coins) for player, coins in sorted(owed.items())]
        ledger.post(session, kind, transfers, now, ref)

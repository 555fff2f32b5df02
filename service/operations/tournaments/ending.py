"""The end of a tournament: all prizes are paid at once, or everything is given back at once."""

from __future__ import annotations

from sqlmodel import Session

from service.models import Tournament
from service.operations import feed
from service.operations.tournaments import books
from service.operations.tournaments.rows import entries_of
from service.runtime import Runtime
from service.tournaments.prizes import shared


def finish(house: Runtime, session: Session, tournament: Tournament) -> None:
    """Pay the prizes by the stored standings, and close the tournament, which is locked."""
    entries = sorted(entries_of(session, tournament.id), key=lambda entry: entry.rank)
    coins = books.coins_in(tournament, entries)
    prizes = shared(coins, tournament.prizes, [entry.place or entry.rank for entry in entries])
    for entry, prize in zip(entries, prizes, strict=True):
        entry.prize = prize
        session.add(entry)
        told = {"tournament": tournament.id, "place": entry.place or entry.rank, "prize": prize}
        feed.add(house, session, [entry.player_id], "tournament.over", **told)
    books.pay(session, tournament, {entry.player_id: entry.prize for entry in entries}, house.now())
    _close(house, session, tournament, "over")


def cancel(house: Runtime, session: Session, tournament: Tournament, reason: str) -> None:
    """Give everything back, and close the tournament, which is locked. Games that run go on."""
    entries = entries_of(session, tournament.id)
    books.give_all_back(session, tournament, entries, house.now())
    told = {tournament.director_id, *(entry.player_id for entry in entries)}
    feed.add(house, session, sorted(told), "tournament.cancelled", tournament=tournament.id, reason=reason)
    tournament.reason = reason
    _close(house, session, tournament, "cancelled")


def _close(house: Runtime, session: Session, tournament: Tournament, state: str) -> None:
    tournament.state, tournament.ended_at = state, house.now()
    tournament.next_at = tournament.due_at = None
    session.add(tournament)

"""Entering a tournament, and leaving it."""

from __future__ import annotations

from sqlmodel import Session, col, select

from service.models import Player, Tournament, TournamentEntry
from service.operations import feed, holds, sanctions, seating
from service.operations.tournaments import books, ending
from service.operations.tournaments.rows import ListedEntry, entry_row, locked, own_entry, require_state
from service.problems import Problem, conflict
from service.runtime import Runtime

LEFT = "left"
"""The reason of a player who has gone by themselves."""


def enter(house: Runtime, player: Player, tournament_id: str, deck: str | None) -> ListedEntry:
    """Enter a tournament, with a deck by id where decks are the players' own; the fee is set aside.

    Before the start a player may change the deck by this. Its cards are kept as they are now, whatever
    becomes of the deck list. Raises `Problem` 403 for a suspended player; 404 for an unknown tournament or
    deck; 409 for a closed or full one, or too few coins; 422 for a deck that can't be played.
    """
    with house.write() as session:
        tournament = locked(session, tournament_id)
        require_state(tournament, "open", "running")
        holds.lock_players(session, [player.id])
        sanctions.require_none(session, player.id, house.now(), sanctions.kinds_against(tournament.fee))
        by = seating.format_kept(house, tournament.format)
        cards = seating.playable_deck(house, session, player.id, tournament.mode, deck, by)
        entry = entry_row(session, tournament_id, player.id)
        if entry is None:
            entry = _add(house, session, tournament, player.id, cards)
            entry.deck_id = None if cards is None else deck
        elif entry.cards != cards:
            if tournament.state != "open":
                raise conflict("decks_shut", "The tournament has begun: no deck list changes any more.")
            entry.cards, entry.deck_id = cards, deck
            session.add(entry)
        session.flush()
        return own_entry(session, tournament_id, player)


def _add(
    house: Runtime, session: Session, tournament: Tournament, player_id: str, cards: dict[str, int] | None
) -> TournamentEntry:
    if tournament.state == "running" and tournament.round > tournament.late_rounds:
        raise conflict("entries_closed", "This tournament takes no late entries any more.")
    if tournament.entered >= tournament.places:
        detail = f"All {tournament.places} places of this tournament are taken."
        raise conflict("tournament_full", detail, at_most=tournament.places)
    tournament.entered += 1
    tournament.numbered += 1
    tournament.version += 1
    entry = TournamentEntry(
        tournament_id=tournament.id,
        player_id=player_id,
        entered_at=house.now(),
        paid=tournament.fee,
        cards=cards,
        seed=tournament.numbered,
        rank=tournament.numbered,
        from_round=tournament.round + 1,
    )
    session.add_all((tournament, entry))
    session.flush()
    books.take_fee(session, entry, house.now())
    return entry


def withdraw(house: Runtime, player: Player, tournament_id: str) -> None:
    """Leave a tournament: before its start the fee comes back, after it the player is paired no more.

    Idempotent. A running game goes on. Raises `Problem` 404, 409.
    """
    with house.write() as session:
        tournament = locked(session, tournament_id)
        require_state(tournament, "open", "running")
        entry = entry_row(session, tournament_id, player.id)
        if entry is None:
            return
        if tournament.state == "open":
            take_off(house, session, tournament, entry)
        else:
            put_out(house, session, tournament, entry, LEFT, tell=False)


def take_off(house: Runtime, session: Session, tournament: Tournament, entry: TournamentEntry) -> None:
    """Take a player off the list before the start, and give the fee back. The tournament is locked."""
    books.give_fee_back(session, entry, house.now())
    tournament.entered -= 1
    tournament.version += 1
    session.add(tournament)
    session.delete(entry)


def put_out(
    house: Runtime,
    session: Session,
    tournament: Tournament,
    entry: TournamentEntry,
    reason: str,
    *,
    tell: bool = True,
) -> None:
    """Pair a player no more. The fee stays in the tournament, which is locked. Idempotent."""
    if entry.out_round is not None:
        return
    entry.out_round, entry.out_reason = tournament.round, reason
    tournament.version += 1
    session.add_all((tournament, entry))
    if tell:
        feed.add(house, session, [entry.player_id], "tournament.out", tournament=tournament.id, reason=reason)


def leave_all(house: Runtime, player: Player) -> None:
    """Take a player out of every tournament, and cancel those of theirs that have not begun."""
    alive = col(Tournament.state).in_(("open", "running"))
    mine = select(Tournament.id).where(Tournament.director_id == player.id, Tournament.state == "open")
    entered = (
        select(TournamentEntry.tournament_id)
        .join(Tournament, col(Tournament.id) == col(TournamentEntry.tournament_id))
        .where(TournamentEntry.player_id == player.id, alive, col(TournamentEntry.out_round).is_(None))
    )
    with house.read() as session:
        directed = session.exec(mine.order_by(col(Tournament.id))).all()
        found = session.exec(entered.order_by(col(Tournament.id))).all()
    for tournament_id in directed:
        with house.write() as session:
            tournament = locked(session, tournament_id)
            if tournament.state == "open":
                ending.cancel(house, session, tournament, "The director has left the house.")
    for tournament_id in found:
        try:
            withdraw(house, player, tournament_id)
        except Problem as problem:  # it is over meanwhile
            if problem.status != 409:
                raise

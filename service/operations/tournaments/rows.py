"""Reading tournaments, their entries and their matches; locking them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, or_, select

from service.models import Player, Tournament, TournamentEntry, TournamentMatch
from service.operations import players
from service.problems import conflict, not_found
from service.runtime import Runtime
from service.tournaments.standings import DecidedMatch

LARGEST = 2**31 - 1
"""The largest number that a column of rounds or boards holds."""


@dataclass(frozen=True, slots=True)
class ListedTournament:
    """A tournament with its director's handle."""

    tournament: Tournament
    director: str


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """A player in a tournament."""

    entry: TournamentEntry
    handle: str
    match: ListedMatch | None = None
    """The player's newest match; only where one entry is asked for."""
    shown: bool = False
    """True if the viewer may see the deck: it is their own, or the tournament is over."""

    @property
    def deck(self) -> dict[int, int] | None:
        """The deck, copies by card number, for a viewer who may see it; None in a mode without own decks."""
        if not self.shown or self.entry.cards is None:
            return None
        return {int(card): count for card, count in self.entry.cards.items()}


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match with the handles of its players."""

    match: TournamentMatch
    first: str
    second: str | None


def locked(session: Session, tournament_id: str) -> Tournament:
    """A tournament, locked until the commit. Raises `Problem` 404."""
    query = select(Tournament).where(Tournament.id == tournament_id).with_for_update()
    found = session.exec(query.execution_options(populate_existing=True)).first()
    if found is None:
        raise not_found("tournament")
    return found


def require_state(tournament: Tournament, *states: str) -> None:
    """Raise `Problem` 409 for a tournament in another state."""
    if tournament.state not in states:
        detail = f"This tournament is {tournament.state}."
        raise conflict("tournament_closed", detail, state=tournament.state)


def entry_row(session: Session, tournament_id: str, player_id: str) -> TournamentEntry | None:
    """The row of a player in a tournament; None for a player who has not entered."""
    mine = (TournamentEntry.tournament_id == tournament_id, TournamentEntry.player_id == player_id)
    query = select(TournamentEntry).where(*mine)
    return session.exec(query.execution_options(populate_existing=True)).first()


def entries_of(session: Session, tournament_id: str) -> list[TournamentEntry]:
    """All entries of a tournament, by their seeds."""
    query = select(TournamentEntry).where(TournamentEntry.tournament_id == tournament_id)
    fresh = query.order_by(col(TournamentEntry.seed)).execution_options(populate_existing=True)
    return list(session.exec(fresh))


def boards_of(session: Session, tournament_id: str) -> list[DecidedMatch]:
    """All decided matches of a tournament, in the order of rounds and boards."""
    query = select(TournamentMatch).where(
        TournamentMatch.tournament_id == tournament_id, TournamentMatch.state == "over"
    )
    rows = session.exec(query.order_by(col(TournamentMatch.round), col(TournamentMatch.board)))
    return [
        DecidedMatch(row.round, row.first_id, row.second_id, row.result or "", row.played, row.board)
        for row in rows
    ]


def find(session: Session, tournament_id: str) -> ListedTournament:
    """A tournament. Raises `Problem` 404."""
    found = session.get(Tournament, tournament_id)
    if found is None:
        raise not_found("tournament")
    return listed(session, [found])[0]


def listed(session: Session, rows: Sequence[Tournament]) -> list[ListedTournament]:
    """Tournaments with their directors' handles, in this order. It takes one query for all."""
    names = _handles(session, [row.director_id for row in rows])
    return [ListedTournament(row, names[row.director_id]) for row in rows]


def newest(
    session: Session, *, state: str | None, player_id: str | None, before: tuple[int, str] | None, limit: int
) -> list[tuple[ListedTournament, tuple[int, str]]]:
    """Tournaments, each with its key in this list; the newest first, from the first before the key.

    With `player_id` those that a player has entered, the newest entry first; else all, or those in a state.
    """
    if player_id is not None:
        at, key = col(TournamentEntry.entered_at), col(TournamentEntry.id)
        query = (
            select(Tournament, at, key)
            .join(TournamentEntry, col(TournamentEntry.tournament_id) == col(Tournament.id))
            .where(TournamentEntry.player_id == player_id)
        )
    else:
        at, key = col(Tournament.created_at), col(Tournament.id)
        query = select(Tournament, at, key)
    if state is not None:
        query = query.where(Tournament.state == state)
    if before is not None:
        query = query.where((at < before[0]) | ((at == before[0]) & (key < before[1])))
    rows = session.exec(query.order_by(at.desc(), key.desc()).limit(limit)).all()
    shown = listed(session, [row[0] for row in rows])
    return [(each, (row[1], row[2])) for each, row in zip(shown, rows, strict=True)]


def standings(session: Session, tournament_id: str, after: int, limit: int) -> list[ListedEntry]:
    """The players in the order of the standings, from the first after the rank `after`.

    Raises `Problem` 404. Before the first round is complete, they come in the order of seeds or entries.
    """
    find(session, tournament_id)
    query = (
        select(TournamentEntry, Player.handle)
        .join(Player, col(Player.id) == col(TournamentEntry.player_id))
        .where(TournamentEntry.tournament_id == tournament_id, TournamentEntry.rank > after)
        .order_by(col(TournamentEntry.rank))
    )
    return [ListedEntry(*row) for row in session.exec(query.limit(limit))]


def entry_of(
    house: Runtime, session: Session, tournament_id: str, handle: str, viewer_id: str | None
) -> ListedEntry:
    """A player in a tournament, with the newest match, and the deck if it is over or the viewer's own.

    Raises `Problem` 404.
    """
    player = players.find(session, handle, house.now())
    return _shown(session, tournament_id, player, viewer_id)


def own_entry(session: Session, tournament_id: str, player: Player) -> ListedEntry:
    """The player's own entry, with deck and newest match. Raises `Problem` 404."""
    return _shown(session, tournament_id, player, player.id)


def _shown(session: Session, tournament_id: str, player: Player, viewer_id: str | None) -> ListedEntry:
    tournament = find(session, tournament_id).tournament
    entry = entry_row(session, tournament_id, player.id)
    if entry is None:
        raise not_found("entry")
    newest_match = _newest_match(session, tournament_id, player.id)
    matches_shown = _listed_matches(session, [] if newest_match is None else [newest_match])
    shown = tournament.state == "over" or player.id == viewer_id
    return ListedEntry(entry, player.handle, matches_shown[0] if matches_shown else None, shown)


def _newest_match(session: Session, tournament_id: str, player_id: str) -> TournamentMatch | None:
    """The player's match of the newest round in which there is one. Each side has its index."""
    here = select(TournamentMatch).where(TournamentMatch.tournament_id == tournament_id)
    last = col(TournamentMatch.round).desc()
    sides = (TournamentMatch.first_id, TournamentMatch.second_id)
    found = [session.exec(here.where(side == player_id).order_by(last).limit(1)).first() for side in sides]
    return max((match for match in found if match is not None), key=lambda match: match.round, default=None)


def matches(session: Session, tournament_id: str, number: int, after: int, limit: int) -> list[ListedMatch]:
    """The matches of a round, from the first board after `after`. Raises `Problem` 404."""
    if not 1 <= number <= find(session, tournament_id).tournament.round:
        raise not_found("round")
    query = select(TournamentMatch).where(
        TournamentMatch.tournament_id == tournament_id,
        TournamentMatch.round == number,
        TournamentMatch.board > after,
    )
    return _listed_matches(
        session, session.exec(query.order_by(col(TournamentMatch.board)).limit(limit)).all()
    )


def match_row(session: Session, tournament_id: str, number: int, board: int) -> TournamentMatch:
    """A match, locked until the commit. Raises `Problem` 404."""
    if max(number, board) > LARGEST:
        raise not_found("match")
    query = select(TournamentMatch).where(
        TournamentMatch.tournament_id == tournament_id,
        TournamentMatch.round == number,
        TournamentMatch.board == board,
    )
    fresh = query.with_for_update().execution_options(populate_existing=True)
    found = session.exec(fresh).first()
    if found is None:
        raise not_found("match")
    return found


def one_match(session: Session, match: TournamentMatch) -> ListedMatch:
    """A match with the handles of its players."""
    return _listed_matches(session, [match])[0]


def _listed_matches(session: Session, rows: Sequence[TournamentMatch]) -> list[ListedMatch]:
    ids = [player for row in rows for player in (row.first_id, row.second_id) if player is not None]
    names = _handles(session, ids)
    return [
        ListedMatch(row, names[row.first_id], None if row.second_id is None else names[row.second_id])
        for row in rows
    ]


def _handles(session: Session, ids: Sequence[str]) -> dict[str, str]:
    return dict(session.exec(select(Player.id, Player.handle).where(col(Player.id).in_(set(ids)))).all())


def undecided(session: Session, tournament_id: str) -> bool:
    """Tell whether a match of the tournament is not over yet."""
    query = select(TournamentMatch.board).where(
        TournamentMatch.tournament_id == tournament_id,
        or_(TournamentMatch.state == "pending", TournamentMatch.state == "playing"),
    )
    return session.exec(query.limit(1)).first() is not None

"""The games of a round: begin those of pending matches, and read the results of those that are over.

A match stays pending until the transaction that begins its game, so a game that a crash prevented begins at
the next look, and none begins twice.
"""

from __future__ import annotations

from collections.abc import Sequence

import structlog
from sqlmodel import Session, col, select

from service.models import GameEntry, GameRow, GameSeat, Player, Tournament, TournamentEntry, TournamentMatch
from service.operations import feed, holds, seating
from service.operations.holds import DeckGone
from service.operations.tournaments.entering import put_out
from service.operations.tournaments.rows import entry_row, locked, match_row
from service.problems import conflict
from service.runtime import Runtime
from service.tournaments import ELIMINATION
from service.tournaments.standings import DRAWN, FIRST, NEITHER, SECOND

MOST_GAMES = 3
"""Games of one match in an elimination. After so many draws the better seed goes on."""
NO_SHOW = "no_show"
"""The reason of a player who did not come to a game in time."""
_COMING = ("enter", "ready")
"""The kinds of messages without which a game does not begin."""

log = structlog.get_logger(__name__)


def pending(session: Session, tournament_id: str) -> Sequence[tuple[int, int]]:
    """The matches without a game that are to have one: (round, board)."""
    query = select(TournamentMatch.round, TournamentMatch.board).where(
        TournamentMatch.tournament_id == tournament_id, TournamentMatch.state == "pending"
    )
    return session.exec(query.order_by(col(TournamentMatch.round), col(TournamentMatch.board))).all()


def begin(house: Runtime, tournament_id: str, number: int, board: int) -> None:
    """Begin the game of a pending match. Idempotent.

    A player who can't play it, as a card of the deck is gone for instance, loses it without a game and is
    out.
    """
    try:
        with house.write() as session:
            _begin(house, session, tournament_id, number, board)
    except DeckGone as gone:
        _forfeit(house, tournament_id, number, board, gone)


def _begin(house: Runtime, session: Session, tournament_id: str, number: int, board: int) -> None:
    # Shared: games of a round begin side by side, and none while the tournament is being cancelled.
    running = select(Tournament).where(Tournament.id == tournament_id, Tournament.state == "running")
    tournament = session.exec(running.with_for_update(read=True)).first()
    here = select(TournamentMatch).where(
        TournamentMatch.tournament_id == tournament_id,
        TournamentMatch.round == number,
        TournamentMatch.board == board,
        TournamentMatch.state == "pending",
    )
    match = session.exec(here.with_for_update(skip_locked=True)).first()
    if tournament is None or match is None or match.second_id is None:
        return
    ids = [match.first_id, match.second_id]
    holds.lock_players(session, ids)
    order = ids if match.games % 2 == 0 else ids[::-1]
    people = [_fit(session, tournament_id, player) for player in order]
    table = seating.begin_with_decks(
        house,
        session,
        people,
        mode=tournament.mode,
        options=tournament.options,
        format=tournament.format,
        rated=tournament.rated,
        spectators=True,
    )
    match.state, match.game_id = "playing", table.game_id
    match.games += 1
    session.add(match)
    for player, other in zip(order, people[::-1], strict=True):
        told = {"tournament": tournament_id, "round": number, "board": board, "game": table.game_id}
        feed.add(house, session, [player], "tournament.paired", name=other.player.handle, **told)


def _fit(session: Session, tournament_id: str, player_id: str) -> seating.PreparedPlayer:
    """A player of a match, with the deck. Raises `DeckGone` for one who has left the house."""
    player = session.get_one(Player, player_id, populate_existing=True)
    entry = entry_row(session, tournament_id, player_id)
    if entry is None or player.deleted_at is not None:
        raise DeckGone(player_id, conflict("player_gone", "This player has left the house."))
    return seating.PreparedPlayer(player, entry.cards, entry.deck_id)


def _forfeit(house: Runtime, tournament_id: str, number: int, board: int, gone: DeckGone) -> None:
    with house.write() as session:
        tournament = locked(session, tournament_id)
        match = match_row(session, tournament_id, number, board)
        if tournament.state != "running" or match.state != "pending":
            return
        result = SECOND if gone.player_id == match.first_id else FIRST
        match.state, match.result, match.played = "over", result, False
        session.add(match)
        _out(house, session, tournament, gone.player_id, gone.code)
        log.info("match_forfeited", tournament=tournament_id, round=number, board=board, reason=gone.code)


def _out(house: Runtime, session: Session, tournament: Tournament, player_id: str, reason: str) -> None:
    entry = entry_row(session, tournament.id, player_id)
    if entry is not None:
        put_out(house, session, tournament, entry, reason)


def record(house: Runtime, session: Session, tournament: Tournament) -> None:
    """Enter the results of the matches whose games are over. The tournament is locked."""
    ended = (
        select(TournamentMatch, GameRow)
        .join(GameRow, col(GameRow.id) == col(TournamentMatch.game_id))
        .where(
            TournamentMatch.tournament_id == tournament.id,
            TournamentMatch.state == "playing",
            col(GameRow.ended_at).is_not(None),
        )
        .order_by(col(TournamentMatch.board))
    )
    for match, row in session.exec(ended.execution_options(populate_existing=True)).all():
        _decide(house, session, tournament, match, row)
        session.add(match)
    session.flush()


def _decide(
    house: Runtime, session: Session, tournament: Tournament, match: TournamentMatch, row: GameRow
) -> None:
    """Set a match's result by its game; a game without a result is played again."""
    if row.outcome is None:
        match.state = "pending"
        return
    seats = session.exec(
        select(GameSeat.player_id).where(GameSeat.game_id == row.id).order_by(col(GameSeat.seat))
    ).all()
    winners = [seats[seat] for seat in row.outcome["winners"]]
    absent = [] if winners else _absent(session, row.id, seats)
    for player_id in absent:
        _out(house, session, tournament, player_id, NO_SHOW)
    if len(winners) == 2 and tournament.system == ELIMINATION:
        if match.games < MOST_GAMES:
            match.state = "pending"
            return
        winners = [_better_seed(session, match)]
    if len(winners) == 2:
        match.result = DRAWN
    elif winners or len(absent) == 1:
        first = match.first_id in winners if winners else match.first_id not in absent
        match.result = FIRST if first else SECOND
    else:
        match.result = NEITHER
    match.state, match.played = "over", not absent


def _absent(session: Session, game_id: str, seats: Sequence[str | None]) -> list[str]:
    """The players who did not come to a game that has not begun: by its record they let the time pass."""
    late = select(GameEntry.entry).where(GameEntry.game_id == game_id, GameEntry.kind == "timeout")
    said = [entry["body"] for entry in session.exec(late)]
    found = {seats[body["seat"]] for body in said if body["kind"] in _COMING}
    return sorted(player for player in found if player is not None)


def _better_seed(session: Session, match: TournamentMatch) -> str:
    both = (col(TournamentEntry.player_id) == match.first_id) | (
        col(TournamentEntry.player_id) == match.second_id
    )
    here = select(TournamentEntry.player_id).where(TournamentEntry.tournament_id == match.tournament_id, both)
    return session.exec(here.order_by(col(TournamentEntry.seed)).limit(1)).one()

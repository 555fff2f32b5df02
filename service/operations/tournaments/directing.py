"""What the director of a tournament does, or a moderator: start, put results right, drop players, cancel.

Each act stands in the log (`acts`), with its author and the reason. `by` is the player who acts, or None for
the operator at the command line.
"""

from __future__ import annotations

from sqlmodel import Session

from service import publisher
from service.models import Player, Tournament, TournamentEntry
from service.operations import acts, feed, players, roles
from service.operations.tournaments import ending, entering
from service.operations.tournaments.rows import (
    ListedMatch,
    ListedTournament,
    entry_row,
    listed,
    locked,
    match_row,
    one_match,
    require_state,
)
from service.operations.tournaments.terms import HOUSE_NEEDS
from service.problems import Fault, Problem, conflict, forbidden, invalid, not_found
from service.runtime import Runtime
from service.tournaments import ELIMINATION
from service.tournaments.standings import DRAWN, FIRST, NEITHER, SECOND

RULINGS = (FIRST, SECOND, DRAWN, NEITHER)
"""The results that can be set by hand."""


def start(house: Runtime, by: Player | None, tournament_id: str) -> ListedTournament:
    """Have the workers start a tournament now, before its time. Raises `Problem` 403, 404, 409."""
    with house.write() as session:
        tournament = locked(session, tournament_id)
        _acting(session, by, tournament)
        require_state(tournament, "open")
        if tournament.entered < HOUSE_NEEDS:
            detail = f"A tournament needs {HOUSE_NEEDS} players."
            raise conflict("too_few_players", detail, at_least=HOUSE_NEEDS)
        tournament.starts_at = min(tournament.starts_at, house.now())
        _look_now(house, session, tournament)
        return listed(session, [tournament])[0]


def cancel(house: Runtime, by: Player | None, tournament_id: str, reason: str) -> ListedTournament:
    """Cancel a tournament before its end, and give everything back. Raises `Problem` 403, 404, 409."""
    with house.write() as session:
        tournament = locked(session, tournament_id)
        who = _acting(session, by, tournament)
        require_state(tournament, "open", "running")
        ending.cancel(house, session, tournament, reason)
        _log(house, session, who, "tournament_cancelled", tournament, reason=reason)
        return listed(session, [tournament])[0]


def rule(
    house: Runtime, by: Player | None, tournament_id: str, number: int, board: int, result: str, reason: str
) -> ListedMatch:
    """Set the result of a match by hand, instead of its game's or before there is one. Idempotent.

    Raises `Problem` 403 for anybody but the director and moderators, and for a match of one's own; 404; 409
    for a bye, for a closed tournament, and in an elimination for a round that others follow; 422.
    """
    with house.write() as session:
        tournament = locked(session, tournament_id)
        who = _acting(session, by, tournament)
        require_state(tournament, "running")
        match = match_row(session, tournament_id, number, board)
        if match.second_id is None:
            raise conflict("no_opponent", "This match has one player, so its result stands.")
        if who in (match.first_id, match.second_id):
            raise forbidden("own_case", "You play this match yourself: another moderator decides it.")
        _require_possible(tournament, number, result)
        if (match.state, match.result, match.ruling) == ("over", result, reason):
            return one_match(session, match)
        former = match.result
        match.state, match.result, match.ruled_by, match.ruling = "over", result, who, reason
        match.played = match.game_id is not None
        tournament.stale = True
        session.add(match)
        _look_now(house, session, tournament)
        said = {"round": number, "board": board, "result": result, "reason": reason}
        _log(house, session, who, "match_ruled", tournament, former=former, **said)
        told = [match.first_id, match.second_id]
        feed.add(house, session, told, "tournament.ruled", tournament=tournament.id, **said)
        return one_match(session, match)


def _require_possible(tournament: Tournament, number: int, result: str) -> None:
    if tournament.system != ELIMINATION:
        return
    if number < tournament.round:
        detail = "The players of a later round follow from this result."
        raise conflict("round_over", detail, round=tournament.round)
    if result == DRAWN:
        detail = "In an elimination one player goes on, or neither."
        raise invalid("bad_result", detail, [Fault("bad_result", detail, "/result")])


def drop(house: Runtime, by: Player | None, tournament_id: str, handle: str, reason: str) -> None:
    """Take a player out, as their own withdrawal does. Idempotent. Raises `Problem` 403, 404, 409."""
    with house.write() as session:
        tournament, who, entry = _named(house, session, by, tournament_id, handle)
        if entry.out_round is not None:
            return
        if tournament.state == "open":
            entering.take_off(house, session, tournament, entry)
            told = {"tournament": tournament.id, "reason": reason}
            feed.add(house, session, [entry.player_id], "tournament.out", **told)
        else:
            entering.put_out(house, session, tournament, entry, reason)
        _log(house, session, who, "player_dropped", tournament, player=entry.player_id, reason=reason)


def restore(house: Runtime, by: Player | None, tournament_id: str, handle: str, reason: str) -> None:
    """Pair a player again who is out. Idempotent. Raises `Problem` 403, 404, 409."""
    with house.write() as session:
        tournament, who, entry = _named(house, session, by, tournament_id, handle)
        if entry.out_round is None:
            return
        entry.out_round = entry.out_reason = None
        tournament.version += 1
        session.add_all((tournament, entry))
        _log(house, session, who, "player_restored", tournament, player=entry.player_id, reason=reason)
        feed.add(house, session, [entry.player_id], "tournament.restored", tournament=tournament.id)


def _named(
    house: Runtime, session: Session, by: Player | None, tournament_id: str, handle: str
) -> tuple[Tournament, str, TournamentEntry]:
    """The locked tournament, the id of the one who acts, and the entry of the player with this handle."""
    tournament = locked(session, tournament_id)
    who = _acting(session, by, tournament)
    require_state(tournament, "open", "running")
    player = players.find(session, handle, house.now())
    entry = entry_row(session, tournament_id, player.id)
    if entry is None:
        raise not_found("entry")
    return tournament, who, entry


def _acting(session: Session, by: Player | None, tournament: Tournament) -> str:
    """The id of the one who acts. Raises `Problem` 403 if they neither direct it nor keep order."""
    if by is None:
        return acts.OPERATOR
    if by.id != tournament.director_id and roles.role_of(session, by.id) is None:
        raise not_director()
    return by.id


def not_director() -> Problem:
    """The problem of a player who does what only a director may."""
    return forbidden("not_director", "Only the tournament's director and moderators may do this.")


def _look_now(house: Runtime, session: Session, tournament: Tournament) -> None:
    """Have a worker look at once; if the wake-up is lost, the next sweep does."""
    tournament.due_at = house.now()
    session.add(tournament)
    house.wake(session, publisher.ROUND, tournament.id)


def _log(
    house: Runtime, session: Session, who: str, kind: str, tournament: Tournament, **details: object
) -> None:
    acts.enter(session, who, kind, ("tournament", tournament.id), house.now(), **details)

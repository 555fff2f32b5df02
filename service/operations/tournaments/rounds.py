"""The rounds of a tournament: what the workers do when it is due.

A step looks at a locked tournament and does the one thing that is due. Two workers never have the same one in
hand. Pairing many players takes a while, so a round is computed from a copy, without a lock, and used only if
nothing has changed since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy import update
from sqlmodel import Session, col, select

from service.models import RatingRow, Tournament, TournamentEntry, TournamentMatch
from service.operations import feed, ratings, sanctions
from service.operations.tournaments import ending, entering, playing
from service.operations.tournaments.rows import boards_of, entries_of, undecided
from service.operations.tournaments.terms import HOUSE_NEEDS
from service.problems import Problem
from service.runtime import Runtime
from service.tournaments import ELIMINATION, ROUND_ROBIN, SWISS, brackets, swiss
from service.tournaments import standings as figures
from service.tournaments.brackets import Slot
from service.tournaments.standings import BYE, FIRST, NEITHER, REST, SECOND, WIN, DecidedMatch

LOOK_MS = 3_000
"""Milliseconds between two looks at a running round: so long a result may wait to be read."""
TOO_FEW = "Too few players have entered."

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The next round, as it was computed from the tournament at this round and version."""

    round: int
    version: int
    slots: Sequence[Slot]


def due(house: Runtime, limit: int) -> list[str]:
    """Claim at most `limit` tournaments at which it is time to look, the longest due first; their ids.

    Two workers never claim the same one at the same time, and a claim runs out by itself.
    """
    now = house.now()
    late = select(Tournament.id).where(col(Tournament.due_at) <= now).order_by(col(Tournament.due_at))
    with house.read() as session:
        if session.exec(late.limit(1)).first() is None:
            return []
    with house.write() as session:
        found = session.exec(late.limit(limit).with_for_update(skip_locked=True)).all()
        claimed = update(Tournament).where(col(Tournament.id).in_(found))
        session.execute(claimed.values(due_at=now + LOOK_MS))
    return list(found)


def advance(house: Runtime, tournament_id: str) -> None:
    """Do all that is due: start, read results, close a round, pair the next, begin its games, pay prizes.

    Idempotent, and it may be interrupted anywhere.
    """
    plan: _Plan | None = None
    while True:
        with house.write() as session:
            needs_plan = _step(house, session, tournament_id, plan)
        if not needs_plan:
            break
        plan = _planned(house, tournament_id)
    with house.read() as session:
        waiting = playing.pending(session, tournament_id)
    for number, board in waiting:
        try:
            playing.begin(house, tournament_id, number, board)
        except Problem:  # the house has no longer the format, for instance: the other matches go on
            log.exception("match_not_begun", tournament=tournament_id, round=number, board=board)


def _step(house: Runtime, session: Session, tournament_id: str, plan: _Plan | None) -> bool:
    """Do what is due, as far as it is without a plan of the next round; returns whether one is needed."""
    alive = col(Tournament.state).in_(("open", "running"))
    query = select(Tournament).where(Tournament.id == tournament_id, alive)
    tournament = session.exec(query.with_for_update(skip_locked=True)).first()
    if tournament is None:
        return False
    now = house.now()
    session.add(tournament)
    if tournament.state == "open":
        if tournament.starts_at > now:
            tournament.due_at = tournament.starts_at
            return False
        return _start(house, session, tournament)
    playing.record(house, session, tournament)
    runs = undecided(session, tournament_id)
    closed = not runs and tournament.next_at is None
    if closed:
        tournament.next_at = now + tournament.pause_ms
    if closed or tournament.stale:
        _store(session, tournament, tournament.round - runs)
    if runs or (tournament.next_at or now) > now:
        tournament.due_at = now + LOOK_MS if runs else tournament.next_at
        return False
    if tournament.round < (tournament.rounds or 0):
        if plan is None or (plan.round, plan.version) != (tournament.round, tournament.version):
            return True
        if plan.slots:
            _open_round(house, session, tournament, plan.slots)
            return False
    ending.finish(house, session, tournament)
    log.info("tournament_over", tournament=tournament_id, rounds=tournament.round)
    return False


def _start(house: Runtime, session: Session, tournament: Tournament) -> bool:
    """Shut the list, seed the players by their ratings, and fix the number of rounds."""
    entries = entries_of(session, tournament.id)
    barred = select(TournamentEntry.player_id).where(
        TournamentEntry.tournament_id == tournament.id,
        sanctions.against(col(TournamentEntry.player_id), house.now()),
    )
    suspended = set(session.exec(barred))
    for entry in entries:
        if entry.player_id in suspended:
            entering.take_off(house, session, tournament, entry)
            told = {"tournament": tournament.id, "reason": "suspended"}
            feed.add(house, session, [entry.player_id], "tournament.out", **told)
    entries = [entry for entry in entries if entry.player_id not in suspended]
    session.flush()
    if len(entries) < HOUSE_NEEDS:
        ending.cancel(house, session, tournament, TOO_FEW)
        return False
    _seed(session, tournament, entries)
    tournament.rounds = _rounds(tournament, len(entries))
    tournament.state, tournament.numbered = "running", len(entries)
    tournament.next_at = house.now()
    tournament.version += 1
    session.flush()
    return True


def _seed(session: Session, tournament: Tournament, entries: Sequence[TournamentEntry]) -> None:
    """Number the players by their ratings in the mode, equal ones by their entries."""
    rated = (
        select(TournamentEntry.player_id, RatingRow.mu)
        .join(RatingRow, col(RatingRow.player_id) == col(TournamentEntry.player_id))
        .where(TournamentEntry.tournament_id == tournament.id, RatingRow.mode == tournament.mode)
    )
    mu = dict(session.exec(rated).all())
    ordered = sorted(entries, key=lambda entry: (-mu.get(entry.player_id, ratings.NEW.mu), entry.seed))
    for number, entry in enumerate(ordered, 1):
        entry.seed = entry.rank = number
        session.add(entry)


def _rounds(tournament: Tournament, players: int) -> int:
    if tournament.system == ROUND_ROBIN:
        return brackets.rounds_of_round_robin(players)
    usual = brackets.rounds_of_elimination(players)
    if tournament.system == ELIMINATION:
        return usual
    return min(tournament.rounds or usual, players - 1)


def _store(session: Session, tournament: Tournament, complete: int) -> None:
    """Store the standings after so many complete rounds."""
    entries = {entry.player_id: entry for entry in entries_of(session, tournament.id)}
    boards = [board for board in boards_of(session, tournament.id) if board.round <= complete]
    found = figures.standings(tournament.system, list(entries), boards, complete)
    for rank, standing in enumerate(found, 1):
        entry = entries[standing.player]
        entry.rank, entry.place, entry.points = rank, standing.place, standing.points
        entry.buchholz, entry.sonneborn, entry.wins = standing.buchholz, standing.sonneborn, standing.wins
        session.add(entry)
    tournament.stale = False
    session.flush()


def _planned(house: Runtime, tournament_id: str) -> _Plan | None:
    """The next round, computed from the tournament as it is now; without players there are no slots."""
    with house.read() as session:
        tournament = session.get_one(Tournament, tournament_id)
        entries = entries_of(session, tournament_id)
        boards = boards_of(session, tournament_id)
    number, seeds = tournament.round + 1, [entry.player_id for entry in entries]
    still = {entry.player_id for entry in entries if entry.out_round is None}
    slots: Sequence[Slot]
    if tournament.system == ELIMINATION:
        slots = _bracket(seeds, boards, number, tournament.rounds or 0)
    elif len(still) < HOUSE_NEEDS:
        slots = []
    elif tournament.system == ROUND_ROBIN:
        slots = brackets.round_robin(seeds, number)
    else:
        slots = _swiss(seeds, still, boards, number - 1)
    return _Plan(tournament.round, tournament.version, slots)


def _bracket(seeds: Sequence[str], boards: Sequence[DecidedMatch], number: int, rounds: int) -> list[Slot]:
    if number == 1:
        return brackets.first_of_elimination(seeds)
    winners: list[str | None] = [None] * 2 ** (rounds - number + 1)
    for board in boards:
        if board.round == number - 1:
            both = (board.first, board.second)
            winners[board.number - 1] = next((one for one in both if one and board.points(one) == WIN), None)
    return brackets.next_of_elimination(winners, seeds)


def _swiss(
    seeds: Sequence[str], still: set[str], boards: Sequence[DecidedMatch], complete: int
) -> list[Slot]:
    """The pairs of a Swiss round; of each, the one who has sat first less often sits first."""
    met: dict[str, set[str]] = {seed: set() for seed in seeds}
    firsts: Counter[str] = Counter()
    gifts: set[str] = set()
    for board in boards:
        if board.played and board.second is not None:
            met[board.first].add(board.second)
            met[board.second].add(board.first)
            firsts.update({board.first: 1, board.second: -1})
        elif board.result in (BYE, FIRST, SECOND):
            winner = board.second if board.result == SECOND else board.first
            gifts.add(winner or "")
    found = figures.standings(SWISS, seeds, boards, complete)
    contenders = [
        swiss.Contender(each.player, each.points, frozenset(met[each.player]), each.player in gifts)
        for each in found
        if each.player in still
    ]
    slots: list[Slot] = []
    for number, (one, other) in enumerate(swiss.paired(contenders)):
        swap = other is not None and (firsts[one], number % 2) > (firsts[other], 0)
        slots.append((other, one) if swap else (one, other))
    return slots


def _open_round(house: Runtime, session: Session, tournament: Tournament, slots: Sequence[Slot]) -> None:
    """Enter the matches of the next round. Those without two players who are still in are decided at once."""
    tournament.round += 1
    tournament.next_at = None
    tournament.due_at = house.now() + LOOK_MS
    gone = {e.player_id for e in entries_of(session, tournament.id) if e.out_round is not None}
    for board, (first, second) in enumerate(slots, 1):
        if first is None:
            continue
        result = _at_once(tournament.system, first, second, gone)
        match = TournamentMatch(
            tournament_id=tournament.id,
            round=tournament.round,
            board=board,
            first_id=first,
            second_id=second,
            state="pending" if result is None else "over",
            result=result,
        )
        session.add(match)
        if result == BYE:
            told = {"tournament": tournament.id, "round": tournament.round}
            feed.add(house, session, [first], "tournament.bye", **told)
    log.info("round_paired", tournament=tournament.id, round=tournament.round, matches=len(slots))


def _at_once(system: str, first: str, second: str | None, gone: set[str]) -> str | None:
    """The result of a match that needs no game; None for one that is to be played."""
    if second is None:
        return REST if system == ROUND_ROBIN else NEITHER if first in gone else BYE
    if first in gone or second in gone:
        return NEITHER if first in gone and second in gone else SECOND if first in gone else FIRST
    return None

"""The terms of a tournament, and opening one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from cards.games.contract import Mode
from service.models import Player, Tournament
from service.operations import paces, sanctions, seating, tables
from service.operations.tournaments import books
from service.operations.tournaments.rows import ListedTournament
from service.operations.trades import MOST_COINS
from service.problems import Fault, conflict, invalid
from service.runtime import Runtime
from service.tournaments import ROUND_ROBIN, SWISS

MOST_OPEN = 3
"""The tournaments of one director that are not over at the same time."""
MOST_PLACES = 256
MOST_IN_ROUND_ROBIN = 32
MOST_ROUNDS = 20
MOST_PRIZES = 32
LONGEST_NAME = 60
LATEST_START = 30 * 24 * 60
"""The most minutes until a tournament begins."""
LONGEST_PAUSE = 24 * 60
"""The most minutes between two rounds."""
HOUSE_NEEDS = 2
"""The fewest players of a tournament. With fewer the house cancels it."""
NO_SHOW_SECONDS = 300
"""Seconds to enter a game, unless the director or the pace says otherwise: who is later has lost it."""
MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Terms:
    """What a director decides about a tournament."""

    name: str
    system: str
    mode: str
    pace: str = "usual"
    options: Mapping[str, Any] = field(default_factory=dict)
    format: str | None = None
    rated: bool = False
    fee: int = 0
    added: int = 0
    prizes: Sequence[int] = ()
    """Percents of all coins for the first places; together 100."""
    places: int = 32
    rounds: int | None = None
    """Rounds of a Swiss tournament; None for as many as single elimination would take."""
    late_rounds: int = 0
    starts_in: int = 60
    """Minutes until the start."""
    pause: int = 2
    """Minutes between two rounds."""


def create(house: Runtime, player: Player, terms: Terms) -> ListedTournament:
    """Open a tournament, which the player directs. The coins that they add are set aside at once.

    Raises `Problem` 403 for a suspended player, 409 for too many tournaments or too few coins, and 422 for
    terms that can't be.
    """
    rules = seating.mode_of(terms.mode)
    _require_possible(terms, rules)
    options = tables.complete_options(
        rules, {"enter": NO_SHOW_SECONDS, **paces.options_of(rules, terms.pace), **terms.options}
    )
    tables.format_named(house, rules, terms.format)
    now = house.now()
    starts_at = now + terms.starts_in * MINUTE_MS
    with house.write() as session:
        # Locked, so that a player's simultaneous requests are counted one after another.
        session.exec(select(Player.id).where(Player.id == player.id).with_for_update(key_share=True)).one()
        sanctions.require_none(session, player.id, now, sanctions.kinds_against(terms.added))
        _require_room(session, player.id)
        tournament = Tournament(
            name=terms.name,
            system=terms.system,
            mode=terms.mode,
            options=options,
            format=terms.format,
            rated=terms.rated,
            director_id=player.id,
            fee=terms.fee,
            added=terms.added,
            prizes=list(terms.prizes),
            places=terms.places,
            rounds=terms.rounds,
            late_rounds=terms.late_rounds,
            pause_ms=terms.pause * MINUTE_MS,
            created_at=now,
            starts_at=starts_at,
            due_at=starts_at,
        )
        session.add(tournament)
        session.flush()
        books.take_added(session, tournament, now)
        return ListedTournament(tournament, player.handle)


def _require_room(session: Session, player_id: str) -> None:
    mine = (
        select(func.count())
        .select_from(Tournament)
        .where(Tournament.director_id == player_id, col(Tournament.state).in_(("open", "running")))
    )
    if session.exec(mine).one() >= MOST_OPEN:
        detail = f"A player directs at most {MOST_OPEN} tournaments at a time."
        raise conflict("too_many_tournaments", detail, at_most=MOST_OPEN)


def _require_possible(terms: Terms, rules: Mode[Any]) -> None:
    """Raise `Problem` 422 with every fault of the terms."""
    faults = [*_prize_faults(terms), *_size_faults(terms)]
    if not rules.facts.seats[0] <= 2 <= rules.facts.seats[1]:
        detail = f"{rules.facts.title} is not for two players."
        faults.append(Fault("not_for_two", detail, "/mode"))
    if faults:
        raise invalid(faults[0].code, "There can be no tournament on these terms.", faults)


def _prize_faults(terms: Terms) -> list[Fault]:
    if not (terms.fee or terms.added):
        if terms.prizes:
            return [Fault("bad_prizes", "Without a fee or added coins there are no prizes.", "/prizes")]
        return []
    if sum(terms.prizes) != 100 or list(terms.prizes) != sorted(terms.prizes, reverse=True):
        detail = "Prizes are percents by place: together 100, and none greater than the one before."
        return [Fault("bad_prizes", detail, "/prizes")]
    if terms.added + terms.fee * terms.places > MOST_COINS:
        detail = f"All prizes together are at most {MOST_COINS} coins."
        return [Fault("bad_prizes", detail, "/fee", data={"at_most": MOST_COINS})]
    return []


def _size_faults(terms: Terms) -> list[Fault]:
    faults = []
    if terms.system == ROUND_ROBIN and terms.places > MOST_IN_ROUND_ROBIN:
        detail = f"A round robin is for at most {MOST_IN_ROUND_ROBIN} players."
        faults.append(Fault("bad_places", detail, "/places", data={"at_most": MOST_IN_ROUND_ROBIN}))
    if terms.system != SWISS and terms.rounds is not None:
        detail = "Only a Swiss tournament has a number of rounds that can be chosen."
        faults.append(Fault("bad_rounds", detail, "/rounds"))
    if terms.late_rounds and terms.system != SWISS:
        detail = "Only a Swiss tournament takes late entries."
        faults.append(Fault("bad_rounds", detail, "/late_rounds"))
    if terms.rounds is not None and terms.late_rounds >= terms.rounds:
        detail = "Nobody enters during the last round."
        faults.append(Fault("bad_rounds", detail, "/late_rounds"))
    return faults

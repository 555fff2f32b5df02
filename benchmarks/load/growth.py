"""The growth of a turn's cost: late in a long game, and in a house that has kept many games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from statistics import median
from uuid import UUID

from sqlalchemy import Connection, insert, select, text, update
from sqlmodel import SQLModel, col

from benchmarks.load.beside import ticks
from benchmarks.load.findings import LoadFinding, PartResults
from benchmarks.load.sizes import Sizes
from benchmarks.measure import order
from benchmarks.turns.house import InProcessHouse, opened
from benchmarks.turns.measure import WARM, register_all, steady
from benchmarks.turns.table import DrivenMatch, register, sit_down
from benchmarks.turns.wsgi import expect
from cards.games.contract import Ask, Move, Turn
from service.models import GameEntry, GameRow, GameSeat, PlayerEvent, PlayerFeed, Submission
from service.models.base import metadata

COMPARED = 100
"""Turns of each side, at least; a fifth of the turns in process where those are more."""
AT_ONCE = 2_000
"""Games that are written in one transaction."""
SEATS = 4
OUTLINES = 20
"""The number of times that a round is played out in advance."""
COPIED: tuple[type[SQLModel], ...] = (GameRow, GameSeat, GameEntry, Submission)
"""The tables that keep a game, in the order in which their rows are added."""


def turn(house: InProcessHouse, match: DrivenMatch, choose: Callable[[], tuple[int, Move | None]]) -> float:
    """Play a turn; returns the processor seconds of the message and of every follower's read."""
    message, before = match.message(*choose()), match.game.seq
    cpu = expect(house.call(match.post(message)), 201, "a message").cpu
    for seat in match.seats:
        told = expect(house.call(match.read(seat.number, before)), 200, "a read")
        match.take(told.json["entries"])
        cpu += told.cpu
    return cpu


@dataclass
class Steered:
    """A match whose rounds are played out in advance, so that no score ends it before its time.

    A round is played at random by the rules alone, some times over; the one that leaves the points nearest to
    zero is then played at the house. The whole pack must be dealt, so that the seats together know it.
    """

    match: DrivenMatch
    plan: list[tuple[int, Move]] = field(default_factory=list)

    def next(self) -> tuple[int, Move]:
        """Return the next seat and its move. Raises `EndedEarly` once the match is over.

        Raises `HiddenCards` where the rules turn up cards that the seats together don't know.
        """
        if not self.match.until("move"):
            raise EndedEarly(f"The match is over after {self.match.game.seq} entries.")
        if not self.plan:
            rounds = [self._round() for _ in range(OUTLINES)]
            self.plan = min(rounds, key=lambda found: found[0])[1]
        return self.plan.pop(0)

    def _round(self) -> tuple[int, list[tuple[int, Move]]]:
        """Play the round to its end at random; returns the points furthest from zero, and the moves."""
        game, rng = self.match.game, self.match.rng
        rules, state, moves = game.rules, game.state, list[tuple[int, Move]]()
        while isinstance(coming := rules.next(state), Ask | Turn):
            if isinstance(coming, Turn):
                if coming.positions is None:
                    raise HiddenCards(
                        "The seats together lack cards, so nobody can play the round in advance."
                    )
                state = rules.turn(state, {place: state.faces[place] for place in coming.positions})
                continue
            seat = min(coming.seats)
            move: Move = rules.legal(state.seen(rules.sees(state, seat)), seat).sample(rng)
            moves.append((seat, move))
            state = rules.play(state, {seat: move})
        return max(map(abs, rules.points(state))), moves


class HiddenCards(RuntimeError):
    """A match with cards that none of its seats knows."""


class EndedEarly(RuntimeError):
    """A match that is over before it was long enough."""


SideTimes = tuple[list[float], list[float]]
"""The processor seconds of late turns, and of early ones."""


def _compare(
    times: int, late: Callable[[], float], early: Callable[[], float], told: Callable[[], None]
) -> SideTimes:
    """Time both sides in alternating order, after some turns that do not count."""
    found: SideTimes = ([], [])
    for number in range(times + WARM):
        took = {side: (late, early)[side]() for side in order(number)}
        if number >= WARM:
            found[0].append(took[0])
            found[1].append(took[1])
        told()
    return found


def _finding(name: str, goal: float, what: str, late: list[float], early: list[float]) -> LoadFinding:
    parts = {"late ms": median(late) * 1000, "early ms": median(early) * 1000, "turns": float(len(late))}
    return LoadFinding(name, median(late) / median(early), "ratio", goal, what, parts)


def long_game(sizes: Sizes) -> PartResults:
    """Measure a turn of hearts at the end of a long record, against one at the beginning of another game."""
    folder = sizes.folder / "long"
    folder.mkdir()
    times = max(COMPARED, sizes.turns // 5)
    with opened(folder) as house:
        rng = Random(sizes.seed)
        old = _hearts(house, rng)
        while old.match.game.seq < sizes.entries if old.match.until("move") else False:
            message = old.match.message(*old.next())
            expect(house.call(old.match.post(message)), 201, "a message")
            sizes.tick("a long game", min(1.0, old.match.game.seq / sizes.entries))
        young = _hearts(house, rng)  # only now: its clocks run
        with steady():
            told = ticks(sizes, "its last turns", times + WARM)
            late, early = _compare(
                times,
                lambda: turn(house, old.match, old.next),
                lambda: turn(house, young.match, young.next),
                told,
            )
    what = f"A turn of hearts in a record of {old.match.game.seq:,} entries, against one in a young game."
    return PartResults([_finding("long_game", 1.2, what, late, early)])


def _hearts(house: InProcessHouse, rng: Random) -> Steered:
    visitors = [register(house.call) for _ in range(SEATS)]
    return Steered(sit_down(house.call, visitors, "hearts", rng))


def grown(sizes: Sizes) -> PartResults:
    """Measure a turn in a house that keeps very many games, against one in an empty house."""
    full, empty = sizes.folder / "full", sizes.folder / "empty"
    full.mkdir()
    empty.mkdir()
    times = max(COMPARED, sizes.turns // 5)
    with opened(full) as house, opened(empty) as other:
        fill(house, sizes.grown, lambda share: sizes.tick("filling a database", share))
        matches = [_flip(each, sizes.seed) for each in (house, other)]

        def next_turn(number: int, at: InProcessHouse) -> float:
            if not matches[number].until("move"):
                matches[number] = _flip(at, sizes.seed)
            match = matches[number]
            return turn(at, match, lambda: (match.due()[0], None))

        with steady():
            told = ticks(sizes, "turns in a full house", times + WARM)
            late, early = _compare(times, lambda: next_turn(0, house), lambda: next_turn(1, other), told)
    what = f"A turn in a house with {sizes.grown:,} games, against one in an empty house."
    return PartResults([_finding("grown", 1.1, what, late, early)])


def _flip(house: InProcessHouse, seed: int) -> DrivenMatch:
    match = sit_down(house.call, register_all(house), "flip", Random(seed), house.tend)
    match.until("move")
    return match


def fill(house: InProcessHouse, games: int, told: Callable[[float], object] = lambda share: None) -> None:
    """Fill the tables with copies of a game that has just begun, each under an id of its own."""
    model = _flip(house, 0).id
    engine = house.runtime.database.engine.execution_options(cloche_write=True)
    for first in range(0, games, AT_ONCE):
        ids = [str(UUID(int=(1 << 127) + first + i)) for i in range(min(AT_ONCE, games - first))]
        with engine.begin() as connection:
            for table in COPIED:
                _copy(connection, table, model, ids)
            _events(connection, model, first, len(ids))
        told(min(1.0, (first + AT_ONCE) / games))
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))


def _copy(connection: Connection, table: type[SQLModel], model: str, ids: list[str]) -> None:
    """Copy all rows of a game for each of these ids."""
    columns = metadata.tables[str(table.__tablename__)].columns
    key = "id" if table is GameRow else "game_id"
    found = connection.execute(select(*columns).where(columns[key] == model)).mappings()
    rows = [dict(row) for row in found]
    if not rows:
        return
    changed = {"ended_at": 1, "due_at": None} if table is GameRow else {}
    copies = [{**row, **changed, key: identity} for identity in ids for row in rows]
    connection.execute(insert(table), copies)


def _events(connection: Connection, model: str, first: int, count: int) -> None:
    """Add events to the feeds of the game's players, as many as there are new games, without gaps."""
    seats = select(col(GameSeat.player_id)).where(col(GameSeat.game_id) == model)
    for player in connection.execute(seats).scalars().all():
        feed = col(PlayerFeed.player_id) == player
        begin = int(connection.execute(select(col(PlayerFeed.last)).where(feed)).scalar() or 0) + 1
        events = [
            {
                "player_id": player,
                "seq": begin + i,
                "at": 10 + first,
                "name": "game.asked",
                "data": {"game": model},
            }
            for i in range(count)
        ]
        connection.execute(insert(PlayerEvent), events)
        connection.execute(update(PlayerFeed).where(feed).values(last=begin + count - 1))

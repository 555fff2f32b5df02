"""Time a turn of the house beside a turn of the bound: the same messages, in turn, in one thread."""

from __future__ import annotations

import gc
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.measure import Spread, order, spread
from benchmarks.turns.bound import BoundServer, Hand, copy_game, create_bound
from benchmarks.turns.house import InProcessHouse, opened
from benchmarks.turns.table import DrivenMatch, Visitor, register, sit_down
from benchmarks.turns.wsgi import WsgiApp, ask, expect
from cards.games.contract import Move
from player.due import seen
from referee import Game, Message
from referee.validation import hand_points, meal_context
from service import migrations
from service.db import Database

AfterTurn = Callable[[], object]
"""A callback after each turn."""
WARM = 5
"""Turns of each side that do not count: statements are compiled, and caches filled."""
STARTERS = ("trattoria", "night-market")


@dataclass
class Turns:
    """Processor seconds of turns, side by side, in the order in which they were played."""

    house: list[float] = field(default_factory=list)
    bound: list[float] = field(default_factory=list)
    post_statements: list[int] = field(default_factory=list)
    """Statements of each POST of the house; only on SQLite."""
    read_statements: list[int] = field(default_factory=list)
    """Statements of each follower's read."""

    @property
    def ratio(self) -> float:
        """The median turn of the house, against the median turn of the bound."""
        return median(self.house) / median(self.bound)

    @property
    def pairs(self) -> Spread:
        """The ratios of the pairs."""
        return spread([a / b for a, b in zip(self.house, self.bound, strict=True)])


class EntriesMissing(RuntimeError):
    """A read lacks entries that it must have, so the turn was not measured whole."""


@dataclass
class HouseAndBound:
    """A house and a bound in this process, and players who are known to both."""

    house: InProcessHouse
    bound: BoundServer
    floor: WsgiApp
    """The bound's application."""
    visitors: list[Visitor]
    rng: Random
    newest: dict[str, int] = field(default_factory=dict)
    """The seq of the bound's newest entry, by game."""

    def begin(self, mode: str) -> DrivenMatch:
        """Begin a match at the house, play it to its first choice, and copy it to the bound."""
        own = mode == "chef"  # a deck is held until its match is over
        visitors = register_all(self.house) if own else self.visitors
        match = sit_down(self.house.call, visitors, mode, self.rng, self.house.tend)
        match.until("seal" if own else "move")
        copy_game(self.house.runtime.database, self.bound, match.id)
        self.newest[match.id] = match.game.seq
        return match

    def turn(self, match: DrivenMatch, message: Message, turns: Turns) -> float:
        """Play a turn at the house: the message, and all followers' reads. Returns processor seconds."""
        before = match.game.seq
        posted, count = self.house.count(match.post(message))
        turns.post_statements.append(count)
        cpu = expect(posted, 201, "a message").cpu
        return cpu + self.reads(match, before, turns)

    def reads(self, match: DrivenMatch, after: int, turns: Turns) -> float:
        """Have all followers of the house read the new entries. Returns processor seconds.

        Raises `EntriesMissing`.
        """
        cpu = 0.0
        for seat in match.seats:
            answer, count = self.house.count(match.read(seat.number, after))
            turns.read_statements.append(count)
            entries = expect(answer, 200, "a read").json["entries"]
            if not entries:
                raise EntriesMissing(f"Seat {seat.number} reads nothing after entry {after} of the house.")
            match.take(entries)
            cpu += answer.cpu
        return cpu

    def least(self, match: DrivenMatch, message: Message) -> float:
        """Send a message to the bound. Returns processor seconds."""
        cpu = expect(ask(self.floor, match.post(message)), 201, "a message to the bound").cpu
        self.newest[match.id] += 1
        return cpu

    def least_reads(self, match: DrivenMatch, after: int) -> float:
        """Have all followers of the bound read the new entries. Returns processor seconds.

        Raises `EntriesMissing`.
        """
        cpu = 0.0
        for seat in match.seats:
            answer = expect(ask(self.floor, match.read(seat.number, after)), 200, "a read of the bound")
            found, new = len(answer.json["entries"]), self.newest[match.id] - after
            if found != new:
                raise EntriesMissing(f"Seat {seat.number} reads {found} of {new} new entries of the bound.")
            cpu += answer.cpu
        return cpu


def register_all(house: InProcessHouse) -> list[Visitor]:
    """Register the players of a match."""
    return [register(house.call, starter) for starter in STARTERS]


@contextmanager
def sides(folder: Path, database: tuple[str, str] | None = None, seed: int = 0) -> Iterator[HouseAndBound]:
    """Open a house and a bound: on SQLite files in `folder`, or on these two empty PostgreSQL databases."""
    rng = Random(seed)
    with ExitStack() as stack:
        house_url, url = database or (None, f"sqlite:///{folder / 'bound.sqlite3'}")
        house = stack.enter_context(opened(folder, house_url))
        tables = Database(url)
        migrations.upgrade(tables.engine)
        tables.dispose()
        bound = BoundServer(url, secrets.token_bytes(32))
        stack.callback(bound.close)
        yield HouseAndBound(house, bound, create_bound(bound), register_all(house), rng)


@contextmanager
def steady() -> Iterator[None]:
    """Exempt all present objects from garbage collection, as a serving process does.

    In a process that has exempted objects of its own, all stay exempt: Python can only take all back at once.
    """
    others = gc.get_freeze_count() > 0
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        if not others:
            gc.unfreeze()


def play_turns(at: HouseAndBound, times: int, told: AfterTurn = lambda: None) -> Turns:
    """Play open moves of flip: each message at the house and at the bound, in alternating order."""
    turns = Turns()
    with steady():
        match = at.begin("flip")
        for number in range(times + WARM):
            if number == WARM:
                turns = Turns()
            while not match.until("move"):
                match = at.begin("flip")
            message = match.message(match.due()[0])
            took: dict[int, float] = {}
            for side in order(number):
                if side == 0:
                    took[0] = at.turn(match, message, turns)
                else:
                    before = at.newest[match.id]
                    took[1] = at.least(match, message) + at.least_reads(match, before)
            turns.house.append(took[0])
            turns.bound.append(took[1])
            told()
    return turns


def play_meals(at: HouseAndBound, times: int, told: AfterTurn = lambda: None) -> Turns:
    """Play sealed turns at both sides; a turn is half of a step, which both chefs seal.

    The house gets both seals, closes the step as its worker does, and both chefs read. The bound gets two
    other seals of the same chefs, with proofs of their own, and both chefs read.
    """
    turns = Turns()
    with steady():
        match = at.begin("chef")
        for number in range(times + WARM):
            if number == WARM:
                turns = Turns()
            while not match.until("seal") or len(match.due()) < len(match.seats):
                match = at.begin("chef")
            game = match.game
            sent = [match.message(seat) for seat in match.due()]
            others = [another_seal(match, game, seat, at.bound) for seat in range(len(match.seats))]
            took: dict[int, float] = {}
            for side in order(number):
                took[side] = _meals(at, match, sent, turns) if side == 0 else _proofs(at, match, others)
            turns.house.append(took[0] / len(sent))
            turns.bound.append(took[1] / len(others))
            told()
    return turns


def _meals(at: HouseAndBound, match: DrivenMatch, messages: list[Message], turns: Turns) -> float:
    before, cpu = match.game.seq, 0.0
    for message in messages:
        answer, count = at.house.count(match.post(message))
        turns.post_statements.append(count)
        cpu += expect(answer, 201, "a seal").cpu
    return cpu + at.house.tend(match.id) + at.reads(match, before, turns)


def _proofs(at: HouseAndBound, match: DrivenMatch, messages: list[Message]) -> float:
    before = at.newest[match.id]
    return sum(at.least(match, message) for message in messages) + at.least_reads(match, before)


def another_seal(match: DrivenMatch, game: Game, number: int, bound: BoundServer) -> Message:
    """Make another seal of the same chef for the same step, and give the bound what it needs to verify it."""
    seat = match.seats[number]
    own = game.knowing(seat.faces)
    choice: Move = game.rules.legal(seen(own, number).state, number).sample(match.rng)
    message, _ = seat.seal(own, choice)
    packing = game.rules.packing(own.state, number)
    context = meal_context(game, number, message.step, packing)
    bound.proofs[match.id, message.step, number] = Hand(
        context, hand_points(game, number, packing.hand), packing.boxes
    )
    return message

"""Measure rates on one core: random games and decisions of every mode, and hands of cribbage counted.

Seconds are processor seconds of this process, in one thread. So other work on the machine does not count,
although it still slows work with which it shares caches. All players take turns, forwards and backwards, a
slice each, so that a busy moment falls on all alike.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from benchmarks.measure import Spread, WorkFailed, spread
from benchmarks.playouts import Contender, Source, others, ours
from cards.games.cribbage.bulk import every, shows

SLICE = 0.5
"""The shortest slice of play, in processor seconds."""
HANDS = 100_000
"""The number of random hands in one slice."""
ALL_HANDS = 12_994_800

LEAST: Mapping[str, float] = {
    "playouts_cribbage": 250,
    "decisions_hearts": 20_000,
    "decisions_flip": 20_000,
    "decisions_big_c": 2_000,
    "cribbage_show": 300_000,
    "cribbage_show_all": ALL_HANDS / 60,
}
"""The lowest rate a second that is allowed, by figure, where something is promised."""

Began = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Rate:
    """The result of one figure."""

    name: str
    who: str
    """The game that was played, and the library if it is not ours."""
    unit: str
    """"games", "decisions", "hands"."""
    seats: int | None
    per_second: Spread
    """The spread over the slices."""
    slices: int
    least: float | None
    within: bool | None
    """True if the median is at least `least`; None where nothing is promised."""

    def json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Rate:
        """Read it from its JSON, as benchmarks/schema.json has it."""
        return cls(**{**data, "per_second": Spread(**data["per_second"])})


@dataclass(slots=True)
class _Run:
    """A player and what it has played so far."""

    player: Contender
    source: Source
    slices: list[tuple[float, int]]
    """The seconds and decisions of each slice."""
    games: int = 0


def rate(name: str, who: str, unit: str, seats: int | None, rates: Sequence[float]) -> Rate:
    """The figure whose slices had these rates a second."""
    found, least = spread(rates), LEAST.get(name)
    within = None if least is None else found.median >= least
    return Rate(name, who, unit, seats, found, len(rates), least, within)


def names() -> list[str]:
    """The names of all rates that can be measured on this machine."""
    players = [*ours(), *others()[0]]
    return [f"{what}_{p.name}" for p in players for what in ("playouts", "decisions")] + [
        "cribbage_show",
        "cribbage_show_all",
    ]


def measure(times: int, only: Sequence[str] = (), told: Began = lambda name: None) -> list[Rate]:
    """Measure the rates named in `only`, or all, in `times` slices each.

    `told` is called with the name of each slice's player. Raises `WorkFailed` if the hands of cribbage do not
    score what they must.
    """
    wanted = [*only] or names()
    players = [
        p for p in (*ours(), *others()[0]) if {f"playouts_{p.name}", f"decisions_{p.name}"} & {*wanted}
    ]
    runs = [_Run(player, player.begin(), []) for player in players]
    for run in runs:
        _slice(run, SLICE / 5)
        run.slices.clear()
        run.games = 0
    for turn in range(times):
        for run in runs if turn % 2 == 0 else runs[::-1]:
            told(run.player.name)
            _slice(run, SLICE)
    found = [figure for run in runs for figure in _figures(run) if figure.name in wanted]
    if "cribbage_show" in wanted:
        told("cribbage_show")
        found.append(_shown(times))
    if "cribbage_show_all" in wanted:
        told("cribbage_show_all")
        found.append(_all_shown())
    return found


def _slice(run: _Run, seconds: float) -> None:
    """Play for so many processor seconds, and on until at least one game has ended."""
    gc.collect()
    decisions, started, source = 0, time.process_time(), run.source
    until = started + seconds
    while time.process_time() < until or not run.games:
        if next(source):
            decisions += 1
        else:
            run.games += 1
    run.slices.append((time.process_time() - started, decisions))


def _figures(run: _Run) -> Iterator[Rate]:
    """Both figures of a run. Games a second are decisions a second, divided by the decisions of a game."""
    player = run.player
    a_game = sum(decisions for _, decisions in run.slices) / max(run.games, 1)
    rates = [decisions / seconds for seconds, decisions in run.slices]
    games = [each / a_game for each in rates]
    yield rate(f"playouts_{player.name}", player.who, "games", player.seats, games)
    yield rate(f"decisions_{player.name}", player.who, "decisions", player.seats, rates)


def _shown(times: int) -> Rate:
    """Count random hands. Each slice has new ones, which are made off the clock."""
    rng, rates = Random(1), []
    shows(bytes(range(5)))
    for _ in range(times):
        hands = bytes(card for _ in range(HANDS) for card in rng.sample(range(52), 5))
        gc.collect()
        started = time.process_time()
        found = shows(hands)
        rates.append(HANDS / (time.process_time() - started))
        if len(found) != HANDS or max(found) > 29:
            raise WorkFailed("The hands of cribbage were not counted.")
    return rate("cribbage_show", "hands of cribbage at random", "hands", None, rates)


def _all_shown() -> Rate:
    """Make and count all hands with all starters, once, and check the ends of their distribution."""
    counts = [0] * 30
    started = time.process_time()
    for hands in every():
        for points, count in enumerate(_counted(shows(hands))):
            counts[points] += count
    took = time.process_time() - started
    if (sum(counts), counts[0], counts[28], counts[29]) != (ALL_HANDS, 1_009_008, 76, 4):
        raise WorkFailed("The hands of cribbage do not score what they must.")
    return rate("cribbage_show_all", "all hands and starters of cribbage", "hands", None, [ALL_HANDS / took])


def _counted(scores: bytes) -> list[int]:
    return [scores.count(points) for points in range(30)]

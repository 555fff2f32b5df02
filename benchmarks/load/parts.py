"""The parts of a load, in the order in which they run, and the figures that each gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.load import beside, growth, listeners, loops, over_http, people, starting
from benchmarks.load.findings import PartResults
from benchmarks.load.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a load, which can be measured alone."""

    name: str
    what: str
    """The part in a few words."""
    figures: Sequence[str]
    run: Callable[[Sizes], PartResults]


PARTS: tuple[Part, ...] = (
    Part(
        "turns",
        "a turn in process on SQLite, against its bound",
        ("turn_sqlite", "statements_post", "statements_read"),
        beside.on_sqlite,
    ),
    Part(
        "postgresql",
        "a turn in process on PostgreSQL, against its bound",
        ("turn_postgresql",),
        beside.on_postgresql,
    ),
    Part("sealed", "a sealed turn of chef, against its bound", ("turn_sealed",), beside.sealed),
    Part(
        "http",
        "a turn over HTTP, against the bound and boardgame.io",
        ("turn_http", "turn_boardgame"),
        over_http.over_http,
    ),
    Part(
        "latency",
        "open loops: many matches at a quick pace, four times as many at a slow one",
        ("open_loop_p99_ms",),
        loops.latency,
    ),
    Part("overload", "twice the capacity", ("overload_share",), loops.overload),
    Part("processes", "four processes on PostgreSQL, against one", ("processes",), loops.several),
    Part("listeners", "memory of many listeners", ("listener_kib",), listeners.listener_memory),
    Part("long", "the last turn of a long game", ("long_game",), growth.long_game),
    Part("grown", "a turn in a house with very many games", ("grown",), growth.grown),
    Part(
        "people",
        "each list and operation of players in a house with very many of them",
        ("people",),
        people.people,
    ),
    Part("slow", "half-open connections while a chef seals", ("slow_ms",), listeners.slow_clients),
    Part("start", "the start of a house", ("start",), starting.start),
    Part("commands", "the start of commands that need no house", ("commands_s",), starting.commands),
)
BESIDE = ("turns", "postgresql", "sealed", "http")
"""The parts that compare with bounds and with boardgame.io."""
FIGURES = tuple(name for part in PARTS for name in part.figures)


def run(names: Sequence[str], sizes: Sizes) -> PartResults:
    """Measure the parts of these names, in their own order."""
    found = PartResults()
    for part in PARTS:
        if part.name in names:
            found += part.run(sizes)
    return found


def parts_of(figures: Sequence[str]) -> list[str]:
    """Return the names of the parts that give these figures. Raises KeyError for an unknown figure."""
    by_figure = {name: part.name for part in PARTS for name in part.figures}
    return [by_figure[name] for name in figures]

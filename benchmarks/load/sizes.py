"""The sizes of a load."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

LoadProgress = Callable[[str, float], object]
"""A callback that is told what runs, and which share of it is done, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of all that is measured. The defaults are those of published figures."""

    folder: Path
    """The folder in which houses are opened. Its maker empties it."""
    tick: LoadProgress
    mix: Mapping[str, int] = field(default_factory=lambda: {"flip": 1})
    """The modes that are played, with their shares of the matches."""
    matches: int = 50
    pace: float = 1.0
    """Seconds between two moves of a match."""
    seconds: float = 30.0
    """The length of a phase."""
    follow: tuple[str, ...] = ("poll", "events")
    """The ways in which players follow: "poll", "events"."""
    drivers: int = 2
    """Processes that play, for each mode."""
    players: int | None = None
    """The number of players that each driver registers for all of its matches; None for new ones at each."""
    processes: int = 1
    """Processes of the house that answer requests; more than one need PostgreSQL."""
    turns: int = 300
    """Turns that are played in process, side by side."""
    meals: int = 40
    """Sealed turns, of two seals each."""
    listeners: int = 1_000
    entries: int = 5_000
    """Entries of the long game."""
    grown: int = 100_000
    """Games in the full database, and players in the full house."""
    few: int = 1_000
    """Players in the small house."""
    people: int = 15
    """The number of times that each operation among players is done in each house."""
    filled: int = 0
    """Games in the database of a house that is opened for an open loop."""
    slow: tuple[int, int] = (1_000, 300)
    """Half-open connections from one address, and from many."""
    starts: int = 7
    """The number of times that each start is timed."""
    boardgame: Path | None = None
    """The folder of the server and the driver of boardgame.io, with its modules."""
    seed: int = 1

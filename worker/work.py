"""What a worker does, as three callables: the operations of the service behind its tasks and its sweep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from service.house import House
from service.operations import clock, games
from worker import bots


@dataclass(frozen=True)
class Work:
    """The operations a worker calls. Each is safe to call twice, and from several threads at once."""

    due: Callable[[int], Sequence[str]]
    """Claim at most that many games whose deadline has passed, and return their ids."""
    resolve: Callable[[str], object]
    """Do whatever is due in a game."""
    bots: Callable[[str], object]
    """Let the house's bots that are asked in a game move."""


def work_of(house: House) -> Work:
    """The real work: the operations of `house`."""
    return Work(
        due=partial(clock.due, house), resolve=partial(games.resolve, house), bots=partial(bots.move, house)
    )

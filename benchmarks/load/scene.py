"""A house full of players, and three more who do there what players and moderators do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.load import crowded
from benchmarks.turns.house import InProcessHouse, opened
from benchmarks.turns.table import Visitor, register
from benchmarks.turns.wsgi import JsonResponse, Request, expect
from service.operations import grants, roles
from service.runtime import Runtime

COINS = 1_000_000
REFUSALS = 400
"""The lowest status of a refusal."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player who is signed in."""

    visitor: Visitor
    id: str
    handle: str


@dataclass
class Scene:
    """A house full of players, who do nothing by themselves, and three who do."""

    house: InProcessHouse
    ann: Person
    bob: Person
    mia: Person
    """A moderator."""

    @property
    def runtime(self) -> Runtime:
        """The house behind the application."""
        return self.house.runtime

    def ask(self, who: Person | None, method: str, path: str, body: Any = None) -> JsonResponse:
        """Have somebody ask for something. Raises `RequestRefused` if the house refuses it."""
        token = None if who is None else who.visitor.token
        answer = self.house.call(Request(method, path, token, body))
        return answer if answer.status < REFUSALS else expect(answer, 200, f"{method} {path}")

    def newcomer(self) -> Person:
        """Register somebody."""
        return _known(self.house, register(self.house.call))

    def worked(self, work: Callable[[Runtime], object]) -> float:
        """Have a worker do something; returns its processor seconds."""
        began = time.thread_time()
        work(self.runtime)
        return time.thread_time() - began


@contextmanager
def scene(folder: Path, players: int, told: Callable[[float], object]) -> Iterator[Scene]:
    """Open a house in a new folder, and fill it with so many players."""
    folder.mkdir()
    with opened(folder) as house:
        crowded.fill(house.runtime, players, told)
        yield furnished(house)


def furnished(house: InProcessHouse) -> Scene:
    """Let three players into a full house: one with a past, and one who keeps order."""
    ann, bob, mia = (_known(house, register(house.call)) for _ in range(3))
    crowded.add_past(house.runtime, ann.id)
    for person in (ann, bob):
        grants.give(house.runtime, person.handle, grants.Gift(coins=COINS))
    roles.give(house.runtime, None, mia.handle, roles.ADMIN)
    return Scene(house, ann, bob, mia)


def _known(house: InProcessHouse, visitor: Visitor) -> Person:
    me = expect(house.call(Request("GET", "/me", visitor.token)), 200, "the player").json
    return Person(visitor, me["id"], me["handle"])

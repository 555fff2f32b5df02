"""Wake-ups come twice, late, out of order and for nothing, and two workers sweep the same games: each step is
resolved once all the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

import pytest

from service import publisher
from service.config import Settings
from service.runtime import Runtime
from tests.faults.aftermath import check_database, check_pair, timeouts
from tests.faults.people import PATIENT, Pair
from tests.stack import Stack

TASKS = (publisher.RESOLVE, publisher.BOTS, publisher.OPEN)
BETWEEN = 0.1
"""Seconds between two waves of wake-ups: a flood, but not one that keeps the house from all else."""


@contextmanager
def flood(stack: Stack, games: Sequence[str], rng: Random, least: int) -> Iterator[list[int]]:
    """Every wake-up there could be, over and over, in no order; yields how many were sent (one item).

    Beside those of the house come `least` and more.
    """
    house = Runtime.open(Settings.from_environment(stack.environment))
    over, sent = threading.Event(), [0]

    def send() -> None:
        while not over.wait(BETWEEN) or sent[0] < least:  # late ones, for games that are over, belong to it
            wishes = [(task, game) for task in TASKS for game in rng.sample(list(games), 2)]
            for task, game in rng.sample(wishes * 2, len(wishes)):
                assert house.publisher.send(task, game)
                sent[0] += 1

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield sent
    finally:
        over.set()
        thread.join()
        house.close()


@pytest.mark.servers
@pytest.mark.parametrize(
    ("matches", "rounds", "least"), [pytest.param(2, 1, 200), pytest.param(4, 2, 400, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("flavour", ["postgresql+rabbitmq", "postgresql+redis"])
def test_a_flood_of_wake_ups_and_two_sweepers_resolve_nothing_twice(
    open_stack: Callable[..., Stack],
    request: pytest.FixtureRequest,
    tmp_path: Path,
    flavour: str,
    matches: int,
    rounds: int,
    least: int,
) -> None:
    stack = open_stack(flavour, sweep_ms=20)
    second = stack.run("worker", "--log", str(stack.data / "log" / "second.log"))
    second.says("A worker for")
    request.addfinalizer(second.kill)
    rng = Random(f"flood {flavour}")
    pairs = [
        Pair.sit(
            stack.url,
            tmp_path / str(number),
            Random(rng.random()),
            rounds=rounds,
            sleeps="seal" if number == 0 else None,
            options={**PATIENT, "seal": 5} if number == 0 else PATIENT,
        )
        for number in range(matches)
    ]
    with flood(stack, [pair.game_id for pair in pairs], rng, least) as sent, ExitStack() as playing:
        for pair in pairs:
            playing.enter_context(pair.playing())
    assert sent[0] >= least
    closed = {
        line["game"]
        for name in ("worker", "second")
        for line in stack.log(name)
        if line["event"] == "step_closed"
    }
    assert closed == {pair.game_id for pair in pairs}
    for number, pair in enumerate(pairs):
        assert timeouts(check_pair(pair)) == (["seal"] if number == 0 else [])
    check_database(stack.database, matches)
    assert second.stop() == 0

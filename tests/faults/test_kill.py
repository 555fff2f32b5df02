"""Processes of the house die without warning, at random moments, while many matches are played."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.faults.aftermath import check_database, check_pair, timeouts
from tests.faults.people import PATIENT, Pair
from tests.stack import FLAVOURS, Stack
from tests.waiting import until

SLEEPERS = ("seal", "reveal")
"""Messages that somebody sleeps over; the clock of that table is short."""


def slept_over(number: int) -> str | None:
    """Return what somebody at the table of this number sleeps over, at every fifth."""
    return SLEEPERS[number // 5 % 2] if number % 5 == 0 else None


def sit_down(
    stack: Stack, folder: Path, matches: int, rng: Random, rounds: int, closing: threading.Event
) -> list[Pair]:
    """Open so many tables. At every fifth somebody sleeps over a message, and some people's machines die too.

    Nobody else agrees on a draw before `closing`, so that no machine is too fast for the last kill.
    """

    def seat(number: int) -> Pair:
        sleeps = slept_over(number)
        return Pair.sit(
            stack.url,
            folder / str(number),
            Random(rng.random()),
            rounds=rounds,
            sleeps=sleeps,
            frail=0.02 if number % 3 == 0 else 0.0,
            options={**PATIENT, sleeps: 5} if sleeps else PATIENT,
            closing=None if sleeps else closing,
        )

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(seat, range(matches)))


def kill(stack: Stack, which: str) -> None:
    """Kill one process of the house; whoever watches over it (gunicorn's parent, or we) starts it again."""
    stack.kill9(which)
    if which != "api":
        stack.start()


def soak(stack: Stack, folder: Path, rng: Random, *, matches: int, rounds: int, kills: int) -> None:
    """Play, kill, and look at what is left."""
    targets = ["api", "house"] if stack.flavour == "embedded" else ["api", "worker", "house"]
    plan = [targets[i % len(targets)] for i in range(kills)]
    rng.shuffle(plan)
    closing = threading.Event()
    pairs = sit_down(stack, folder, matches, rng, rounds, closing)
    with ExitStack() as matches_in_hand:
        threads = [thread for pair in pairs for thread in matches_in_hand.enter_context(pair.playing())]
        for which in plan:
            time.sleep(rng.uniform(0.3, 2.5))
            kill(stack, which)
        assert any(thread.is_alive() for thread in threads), "nobody was there at the last kill"
        closing.set()
    until(stack.start, what="the house is open")
    for number, pair in enumerate(pairs):
        sleeps = slept_over(number)
        assert set(timeouts(check_pair(pair))) == ({sleeps} if sleeps else set())
    check_database(stack.database, matches)


# Six matches have both kinds of sleeper, and three kills meet every process once.
@pytest.mark.parametrize(
    ("matches", "kills"), [pytest.param(6, 3), pytest.param(20, 5, marks=pytest.mark.long)]
)
@pytest.mark.parametrize(
    "flavour", [f if f == "embedded" else pytest.param(f, marks=pytest.mark.servers) for f in FLAVOURS]
)
def test_matches_outlive_kill_9(
    open_stack: Callable[..., Stack], tmp_path: Path, flavour: str, matches: int, kills: int
) -> None:
    rng = Random(f"kill {flavour}")
    soak(open_stack(flavour), tmp_path, rng, matches=matches, rounds=1, kills=kills)


@pytest.mark.long
@pytest.mark.parametrize(
    "flavour", [f if f == "embedded" else pytest.param(f, marks=pytest.mark.servers) for f in FLAVOURS]
)
def test_matches_outlive_many_kills_at_moments_never_tried(
    open_stack: Callable[..., Stack], tmp_path: Path, flavour: str
) -> None:
    seed = secrets.token_hex(8)
    print(f"seed {seed}")  # noqa: T201 (it repeats the kills)
    soak(open_stack(flavour), tmp_path, Random(seed), matches=20, rounds=4, kills=9)

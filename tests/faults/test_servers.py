"""The servers that the house leans on go away and come back in mid-match."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

import pytest

from service import publisher
from tests.faults.aftermath import check_database, check_pair, timeouts
from tests.faults.people import PATIENT, Pair
from tests.faults.servers import Line, Postgresql, Rabbitmq, Redis, Server, running
from tests.stack import RABBITMQ, REDIS, Stack, need
from tests.waiting import until

pytestmark = pytest.mark.servers


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    """The things that are thrown away after the test, the newest first."""
    with ExitStack() as stack:
        yield stack


def sit_down(stack: Stack, folder: Path, matches: int, rounds: int = 1) -> list[Pair]:
    """Open so many tables of two."""
    return [
        Pair.sit(stack.url, folder / str(number), Random(number), rounds=rounds) for number in range(matches)
    ]


def check(stack: Stack, pairs: list[Pair], games: int = 0) -> None:
    """Check in so many games that nothing is lost or doubled, and that nobody was said to be late."""
    for pair in pairs:
        assert not timeouts(check_pair(pair))
    check_database(stack.database, games or len(pairs))


def seq(pair: Pair) -> int:
    """Return the number of a match's newest entry."""
    return int(pair.people[0].guest.api.game(pair.game_id)["seq"])


@pytest.mark.parametrize(
    ("kind", "flavour"), [(Redis, "postgresql+redis"), (Rabbitmq, "postgresql+rabbitmq")]
)
def test_play_goes_on_without_a_broker_and_with_it_again(
    kind: Callable[[Path], Server], flavour: str, ends: ExitStack, tmp_path: Path
) -> None:
    need(flavour)
    broker = ends.enter_context(running(kind))
    stack = ends.enter_context(Stack(flavour, tmp_path / "house", broker=broker.url))
    first, second, third = sit_down(stack, tmp_path, 3)
    with first.playing():
        pass  # by messages
    broker.kill()
    with second.playing():
        pass  # by the sweep
    broker.start()
    time.sleep(publisher.PAUSE)  # so long nobody asks a broker again that did not answer
    with third.playing():
        until(lambda: "broker_reachable" in str(stack.log("worker") + stack.log()), what="it is found again")
    check(stack, [first, second, third])


@pytest.mark.parametrize(
    ("broker", "flavour"), [(REDIS, "postgresql+redis"), (RABBITMQ, "postgresql+rabbitmq")]
)
def test_play_goes_on_while_the_line_to_the_broker_is_dead(
    broker: str, flavour: str, ends: ExitStack, tmp_path: Path
) -> None:
    # Half-open: nobody is told that nothing arrives any more.
    need(flavour)
    target = urlsplit(broker)
    line = Line(str(target.hostname), int(target.port or 0))
    ends.callback(line.close)
    url = broker.replace(f":{target.port}", f":{line.port}")
    stack = ends.enter_context(Stack(flavour, tmp_path / "house", broker=url))
    late = Pair.sit(stack.url, tmp_path / "late", Random(0), sleeps="seal", options={**PATIENT, "seal": 5})
    meanwhile, after = sit_down(stack, tmp_path, 2)
    with late.playing():
        pass  # the sweep has found a deadline, and has a line of its own to the broker
    line.die()
    with meanwhile.playing():
        pass
    line.heal()
    with after.playing():
        pass
    assert timeouts(check_pair(late)) == ["seal"]
    check(stack, [meanwhile, after], 3)


def test_a_database_that_crashes_in_mid_match_loses_and_doubles_nothing(
    ends: ExitStack, tmp_path: Path
) -> None:
    need("postgresql+redis")
    server = ends.enter_context(running(Postgresql))
    stack = ends.enter_context(Stack("postgresql+redis", tmp_path / "house", postgresql=server.url))
    pairs = sit_down(stack, tmp_path, 4, rounds=2)
    with ExitStack() as matches:
        for pair in pairs:
            matches.enter_context(pair.playing())
        for past in (4, 12):
            until(lambda past=past: seq(pairs[0]) >= past, what=f"entry {past}")
            server.crash()
            answer = stack.get(f"/api/v1/games/{pairs[0].game_id}", timeout=20)
            assert answer.status_code == 503
            assert answer.json()["code"] == "no_database"
            assert answer.headers["Retry-After"] == "1"
            assert stack.get("/readyz", timeout=20).status_code == 503
            assert stack.get("/healthz", timeout=20).status_code == 200
            time.sleep(0.5)
            server.start()
    check(stack, pairs)
    assert not [line for line in stack.log() if line["event"] == "unexpected"]

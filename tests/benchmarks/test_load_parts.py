"""Every part of `cloche load`, small: real houses, drivers and crowds in processes of their own."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.load import deeds, growth, listeners, loops, over_http, people, starting
from benchmarks.load.crowd import CrowdOrder, crowd
from benchmarks.load.driver import addresses
from benchmarks.load.findings import PartResults
from benchmarks.load.served import house, served
from benchmarks.load.sizes import Sizes
from benchmarks.turns import scratch
from cloche.main import main
from tests.stack import Stack

pytestmark = pytest.mark.processes
MeasurePart = Callable[[Sizes], PartResults]


@pytest.fixture
def sizes(tmp_path: Path) -> Sizes:
    """A load of a second or two, from one driver; tests that give options have the usual two."""
    return Sizes(
        tmp_path,
        lambda what, share: None,
        drivers=1,
        matches=2,
        pace=0.5,
        seconds=2.0,
        follow=("events",),
        turns=2,
        listeners=30,
        entries=120,
        slow=(30, 10),
        starts=1,
    )


def load(*arguments: str) -> dict[str, Any]:
    """The results of a load, which must find nothing wrong."""
    done = CliRunner().invoke(main, ["load", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["wrong"] == []
    return found


def test_an_open_loop_plays_no_more_than_was_planned() -> None:
    found = load("--matches", "2", "--pace", "1", "--seconds", "5", "--follow", "poll", "--follow", "events")
    assert list(found["figures"]) == ["open_loop_p99_ms", "statements_post", "statements_read"]
    assert len(found["rows"]) == 2
    for row in found["rows"]:
        assert row["planned"] == 2.0
        assert 0 < row["throughput"] <= row["planned"]
        assert 0 < row["p50"] <= row["p99"]
        assert row["faults"] == {}
        assert len(row["cpu"]) == 2, "gunicorn's parent, and the process that answers"


def test_a_full_database_is_loaded_and_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "COMPARED", 1)
    monkeypatch.setattr(people, "WARM", 0)
    small = ("--matches", "1", "--pace", "1", "--seconds", "4", "--follow", "events", "--turns", "2")
    found = load("--grown", "60", *small)
    loop = {"open_loop_p99_ms", "statements_post", "statements_read"}
    assert set(found["figures"]) == {"grown", "people", *loop}
    assert len(found["rows"]) == 1
    assert [each["name"] for each in found["grown"]] == [*deeds.LISTS, *deeds.DEEDS]
    assert found["figures"]["people"] == max(each["full"] / each["small"] for each in found["grown"])


def test_a_mix_of_modes_is_played_with_proofs_too() -> None:
    modes = ("--mode", "flip", "--mode", "chef", "--mode", "hearts")
    found = load(*modes, "--matches", "3", "--pace", "0.5", "--seconds", "5", "--follow", "events")
    [row] = found["rows"]
    assert row["what"].startswith("3 matches of chef and flip and hearts")
    assert row["throughput"] > 0


def test_a_house_that_is_named_is_loaded_only_when_its_owner_says_so(
    open_stack: Callable[..., Stack],
) -> None:
    at = open_stack()
    small = ("--matches", "2", "--players", "2", "--pace", "1", "--seconds", "4", "--follow", "poll")
    found = load(at.url, "--yes", *small)
    assert found["rows"][0]["cpu"] == {}, "nobody knows the processes of a house elsewhere"
    refused = CliRunner().invoke(main, ["load", at.url, *small])
    assert refused.exit_code == 2


def test_beyond_its_capacity_a_house_keeps_all_that_it_took(sizes: Sizes) -> None:
    found = loops.overload(replace(sizes, seconds=3.0))
    assert not found.wrong
    [finding] = found.findings
    assert finding.name == "overload_share"
    assert finding.value > 0
    assert len(found.rows) == len(loops.RAMP) + 2


@pytest.mark.servers
def test_four_processes_are_measured_beside_one(sizes: Sizes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "ROUNDS", 1)
    found = loops.several(replace(sizes, matches=5, seconds=6.0))
    missing = [text for text in found.lacking if "too few moves" not in text]
    if missing:
        assert not os.environ.get("CI"), missing
        pytest.skip(missing[0])
    assert not found.wrong
    assert {one.name for one in found.findings} == (set() if found.lacking else {"processes"})
    assert sorted(len(row.cpu) for row in found.rows) == [1 + 1, 1 + loops.MANY]


def test_without_a_database_server_processes_are_left_out_aloud(
    sizes: Sizes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch, "server", lambda: "postgresql://postgres@127.0.0.1:1")
    [text] = loops.several(sizes).lacking
    assert text.startswith("processes: No PostgreSQL answers at ")


def test_the_bound_is_played_under_the_server_of_the_house(
    sizes: Sizes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(over_http, "ROUNDS", 1)
    found = over_http.over_http(replace(sizes, seconds=3.0))
    assert not found.wrong
    assert {row.what.partition(",")[0] for row in found.rows} == {"house", "bound"}
    assert [one.name for one in found.findings] == ["turn_http"]
    assert found.lacking[0].startswith("turn_boardgame: "), "what is not installed is left out aloud"


def test_every_listener_is_admitted_and_weighed(sizes: Sizes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "CALM", 0.5)
    found = listeners.listener_memory(sizes)
    assert not found.wrong
    assert found.findings[0].parts["listeners"] == sizes.listeners


def test_listeners_who_are_not_admitted_are_counted(sizes: Sizes) -> None:
    with house(sizes.folder / "small", ["--listeners", "8"]) as at:
        path = "/games/00000000-0000-4000-8000-000000000000/events"
        with crowd(CrowdOrder(at.url, [path], addresses(5, 1))) as (_, state):
            assert state == {"open": 0, "closed": 0, "refused": {"404": 5}}


def test_seals_are_taken_while_connections_hang(sizes: Sizes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "CALM", 0.5)
    [finding] = listeners.slow_clients(sizes).findings
    assert finding.name == "slow_ms"
    assert finding.parts["open from one address"] <= 30
    assert finding.parts["open from many addresses"] == 10


@pytest.mark.parametrize("part", [growth.long_game, growth.grown])
def test_growth_is_measured_side_by_side(
    sizes: Sizes, monkeypatch: pytest.MonkeyPatch, part: MeasurePart
) -> None:
    monkeypatch.setattr(growth, "COMPARED", 3)
    [finding] = part(replace(sizes, grown=50)).findings
    assert finding.parts["turns"] == 3
    assert finding.value > 0


@pytest.mark.parametrize("part", [starting.start, starting.commands])
def test_starts_are_timed(sizes: Sizes, part: MeasurePart) -> None:
    [finding] = part(sizes).findings
    assert all(seconds > 0 for seconds in finding.parts.values())


def test_the_child_that_serves_is_looked_at_not_its_busier_parent(tmp_path: Path) -> None:
    # The parent works before it starts a child, as a house's does when it imports everything.
    script = (
        "import os, subprocess, sys, time\n"
        "while time.process_time() < 0.5: pass\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print('open at http://127.0.0.1:9, child', child.pid, flush=True)\n"
        "child.wait()\n"
    )
    with served([sys.executable, "-c", script], tmp_path, {}, r"open at (http://\S+), child") as at:
        child = int(re.search(r"child (\d+)", at.output.read_text())[1])  # type: ignore[index]
        assert at.answering == child

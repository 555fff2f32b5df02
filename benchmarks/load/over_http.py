"""The cost of a turn over HTTP: a house, the bound under the same server, and boardgame.io, in turn."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from statistics import median

from benchmarks.load.driver import Job
from benchmarks.load.findings import LoadFinding, LoadRow, PartResults, row, typical
from benchmarks.load.json_process import JsonProcess, ProcessEnded, json_process
from benchmarks.load.loops import jobs_of, opened
from benchmarks.load.open_loop import Drivers, drivers, shared
from benchmarks.load.served import RunningServer, served
from benchmarks.load.sizes import Sizes

MATCHES = 8
"""Matches that are played at full speed."""
ROUNDS = 5
BOUND_SERVER = "cloche.commands.measure.bound_server"
VERSION = "0.50.2"


@dataclass(frozen=True, slots=True)
class Side:
    """One of the servers that take turns."""

    name: str
    play: Callable[[float], LoadRow]
    """Plays for so many seconds."""


def over_http(sizes: Sizes) -> PartResults:
    """Measure the processor time of a turn at full speed, against the bound and against boardgame.io."""
    crowd = replace(sizes, mix={"flip": 1}, matches=min(MATCHES, sizes.matches), pace=0.0)
    wrong, lacking = list[str](), list[str]()
    with ExitStack() as stack:
        sides = [
            *stack.enter_context(_house(crowd, wrong)),
            stack.enter_context(_bound(crowd, wrong)),
        ]
        try:
            sides.append(stack.enter_context(_boardgame(crowd)))
        except Missing as missing:
            lacking.append(f"turn_boardgame: {missing}")
        played = _take_turns(sides, sizes.seconds / 3)
    each = {name: median(sum(one.cpu.values()) for one in rows) for name, rows in played.items()}
    rows = [typical(found) for found in played.values()]
    parts = {f"{name} ms": cost for name, cost in each.items()}
    findings = [
        LoadFinding(
            "turn_http",
            each["house, poll"] / each["bound, poll"],
            "ratio",
            1.3,
            "Processor time of a turn at full speed, against the bound under the same server; both poll.",
            parts,
        )
    ]
    if "boardgame.io" in each:
        findings.append(
            LoadFinding(
                "turn_boardgame",
                each["house, events"] / each["boardgame.io"],
                "ratio",
                4.0,
                f"Processor time of a turn at full speed, by events, against boardgame.io {VERSION}.",
                parts,
            )
        )
    return PartResults(findings, rows, lacking, wrong)


def _take_turns(sides: Sequence[Side], seconds: float) -> dict[str, list[LoadRow]]:
    """Play at each server in turn, forwards and backwards; returns the rows by server."""
    played: dict[str, list[LoadRow]] = {side.name: [] for side in sides}
    for number in range(ROUNDS + 1):
        for side in sides if number % 2 == 0 else sides[::-1]:
            found = side.play(seconds)
            if number:  # before, processes have filled their caches
                played[side.name].append(found)
    return played


def _side(name: str, at: RunningServer, running: Drivers) -> Side:
    def play(seconds: float) -> LoadRow:
        before = at.cpu()
        heard = running.play(seconds, 0.0, what=f"{name}, full speed")
        return row(f"{name}, full speed", heard, before, at.cpu())

    return Side(name, play)


@contextmanager
def _house(crowd: Sizes, wrong: list[str]) -> Iterator[list[Side]]:
    """Open the house, followed in both ways."""
    with ExitStack() as stack:
        at = stack.enter_context(opened(crowd, "http"))
        both = {
            follow: stack.enter_context(drivers(jobs_of(at.url, crowd, follow), crowd.tick))
            for follow in ("poll", "events")
        }
        yield [_side(f"house, {follow}", at, running) for follow, running in both.items()]
        for follow, running in both.items():
            running.finish()
            wrong += [f"house, {follow}: {fault}" for fault in running.wrong]


@contextmanager
def _bound(crowd: Sizes, wrong: list[str]) -> Iterator[Side]:
    """Start the bound, under the server of the house."""
    folder = crowd.folder / "bound"
    folder.mkdir()
    command = [sys.executable, "-m", BOUND_SERVER, str(folder), str(crowd.matches)]
    with served(command, folder, {}, r"open at (http://\S+)") as at:
        games = str(folder / "games.json")
        job = Job(at.url, "flip", {}, 2, crowd.matches, False, crowd.seed, bare=games)
        with drivers(shared(job, crowd.drivers), crowd.tick) as running:
            yield _side("bound, poll", at, running)
            running.finish()
            wrong += [f"bound: {fault}" for fault in running.wrong]


class Missing(RuntimeError):
    """Raised where boardgame.io can't take part. The text says what is missing."""


@contextmanager
def _boardgame(crowd: Sizes) -> Iterator[Side]:
    """Start the server of boardgame.io, with storage in files, and a driver for it. Raises `Missing`."""
    node, folder = shutil.which("node"), crowd.boardgame
    if node is None:
        raise Missing("Node is not installed.")
    if folder is None or not (folder / "node_modules" / "boardgame.io").is_dir():
        raise Missing(f"boardgame.io {VERSION} is not installed: run `npm install` in benchmarks/boardgame.")
    installed = json.loads((folder / "node_modules" / "boardgame.io" / "package.json").read_text())["version"]
    if installed != VERSION:
        raise Missing(f"boardgame.io {installed} is installed, not {VERSION}.")
    place = crowd.folder / "boardgame"
    place.mkdir()
    server = [node, str(folder / "server.cjs"), str(place / "storage")]
    with served(server, place, {}, r"open at (http://\S+)") as at:
        command = [node, str(folder / "driver.cjs"), at.url, str(crowd.matches)]
        with json_process("The driver of boardgame.io", command, folder) as driver:
            try:
                driver.hear()
            except ProcessEnded as ended:
                raise Missing(f"{driver.name} has ended with {ended.code}.") from None
            yield Side("boardgame.io", lambda seconds: _moves(at, driver, seconds, crowd.matches))


def _moves(at: RunningServer, driver: JsonProcess, seconds: float, matches: int) -> LoadRow:
    """Have the driver of boardgame.io move at full speed. Raises `ProcessEnded`."""
    before = at.cpu()
    driver.tell({"seconds": seconds})
    told = driver.hear()
    used = {pid: spent - before.get(pid, 0.0) for pid, spent in at.cpu().items()}
    moves = max(1.0, told["moves"])
    cpu = {f"process {number}": used[pid] * 1000 / moves for number, pid in enumerate(sorted(used), 1)}
    return LoadRow(
        "boardgame.io, full speed",
        matches,
        0.0,
        told["moves"] / seconds,
        told["p50"],
        told["p99"],
        None,
        0,
        {"lost": told["lost"]} if told["lost"] else {},
        cpu,
        told["cpu_ms"] / moves,
    )

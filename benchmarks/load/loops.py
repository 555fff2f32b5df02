"""Open loops against a house: latency at a pace, throughput beyond the capacity, and several processes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from statistics import median

from benchmarks.load import growth
from benchmarks.load.driver import Job
from benchmarks.load.findings import LoadFinding, LoadRow, PartResults, row, typical
from benchmarks.load.heard import Heard
from benchmarks.load.open_loop import Drivers, drivers, shared
from benchmarks.load.served import RunningServer, house
from benchmarks.load.sizes import Sizes
from benchmarks.turns import house as turns_house
from benchmarks.turns.scratch import NoServer, databases
from cards.games import find

OPTIONS = {"flip": {"target": 100}}
"""Options that make a match long enough, by mode."""
SLOWEST = 200.0
"""Milliseconds from the planned moment of a move that the slowest hundredth may take."""
RAMP = (0.05, 0.1, 0.2, 0.5)
"""Shares of the matches with which the capacity is looked for."""
ROUNDS = 3
"""The number of times that compared houses take turns."""
MANY = 4
"""Processes beside one."""


class NothingMoved(RuntimeError):
    """A load without a move: there is nothing to report."""


def jobs_of(url: str, sizes: Sizes, follow: str) -> list[Job]:
    """Make the jobs of all drivers: each mode has its share of the matches, and drivers of its own."""
    total, found = sum(sizes.mix.values()), list[Job]()
    for number, (mode, share) in enumerate(sorted(sizes.mix.items())):
        count = max(1, round(sizes.matches * share / total))
        seats = max(2, find(mode).facts.seats[0])
        options = OPTIONS.get(mode, {})
        seed, first = sizes.seed + 1_000 * number, sum(job.matches for job in found)
        job = Job(
            url, mode, dict(options), seats, count, follow == "events", seed, sizes.players, first=first
        )
        found += shared(job, sizes.drivers)
    return found


def _named(sizes: Sizes, follow: str) -> str:
    every = f"a move each {sizes.pace:g} s" if sizes.pace else "at full speed"
    return f"{sizes.matches} matches of {' and '.join(sorted(sizes.mix))}, {every}, {follow}"


def play(at: RunningServer | None, url: str, sizes: Sizes, follow: str) -> tuple[LoadRow, list[str]]:
    """Play one open loop; returns its row and what was wrong. `at` is a house whose processes are known."""
    with drivers(jobs_of(url, sizes, follow), sizes.tick) as running:
        before = at.cpu() if at else {}
        heard = running.play(sizes.seconds, sizes.pace, what=_named(sizes, follow))
        after = at.cpu() if at else {}
        running.finish()
    return row(_named(sizes, follow), heard, before, after), _wrong(running, follow)


def _wrong(running: Drivers, what: str) -> list[str]:
    """List what is wrong with the records."""
    return [f"{what}: {fault}" for fault in running.wrong]


def as_asked(sizes: Sizes, url: str | None = None) -> PartResults:
    """Play the open loop that is asked for, once for each way to follow, at a new house or at `url`."""
    rows, wrong = list[LoadRow](), list[str]()
    for follow in sizes.follow:
        if url is not None:
            one, more = play(None, url, sizes, follow)
        else:
            with opened(sizes, f"open-{follow}", sizes.processes) as at:
                one, more = play(at, at.url, sizes, follow)
        rows.append(one)
        wrong += more
    return PartResults([slowest(rows)], rows, wrong=wrong)


def latency(sizes: Sizes) -> PartResults:
    """Play the open loops: many matches at a quick pace, and four times as many at a slow one."""
    rows, wrong = list[LoadRow](), list[str]()
    crowds = (sizes, replace(sizes, matches=4 * sizes.matches, pace=5 * sizes.pace))
    for crowd in crowds:
        for follow in sizes.follow:
            with opened(sizes, f"open-{crowd.matches}-{follow}", sizes.processes) as at:
                found, more = play(at, at.url, crowd, follow)
            rows.append(found)
            wrong += more
    return PartResults([slowest(rows)], rows, wrong=wrong)


def slowest(rows: Sequence[LoadRow]) -> LoadFinding:
    """Make the figure of open loops: the slowest of their 99th percentiles."""
    parts = {f"{one.what} p99 ms": one.p99 for one in rows if one.p99 is not None}
    if len(parts) < len(rows):
        raise NothingMoved("In an open loop not one move was seen by its followers.")
    what = "From a move's planned moment until every follower has it: the slowest 99th percentile."
    return LoadFinding("open_loop_p99_ms", max(parts.values()), "ms", SLOWEST, what, parts)


@contextmanager
def opened(
    sizes: Sizes, name: str, processes: int = 1, database: str | None = None
) -> Iterator[RunningServer]:
    """Open a house: embedded, or on PostgreSQL for several processes or where a database is named."""
    with ExitStack() as stack:
        if processes > 1 and database is None:
            (database,) = stack.enter_context(databases(1))
        settings = {"DATABASE": database} if database else {}
        if sizes.filled:
            settings |= _fill(sizes, name, database)
        options = ["--processes", str(processes), "--worker", "--listeners", str(_listeners(sizes))]
        yield stack.enter_context(house(sizes.folder / name, options, settings))


def _fill(sizes: Sizes, name: str, database: str | None) -> dict[str, str]:
    """Fill the tables of a house that will be opened under this name; returns its settings."""
    folder = sizes.folder / f"{name}-data"
    folder.mkdir()
    with turns_house.opened(folder, database) as filled:
        growth.fill(filled, sizes.filled, lambda share: sizes.tick("filling a database", share))
        url = filled.runtime.settings.database
    return {"DATABASE": url, "DATA": str(folder)}


def _listeners(sizes: Sizes) -> int:
    """Count room for the listeners of all matches, four times as many as at the quick pace."""
    seats = max(max(2, find(mode).facts.seats[0]) for mode in sizes.mix)
    return min(10_000, 4 * sizes.matches * seats + 50)


def overload(sizes: Sizes) -> PartResults:
    """Measure the best throughput, and what is left of it when twice as much is planned."""
    rows = list[LoadRow]()
    # Each match has one move under way at most, so only many matches can ask for more than a house bears.
    crowd = replace(sizes, matches=4 * sizes.matches)
    follow = sizes.follow[-1]
    with opened(crowd, "overload") as at, drivers(jobs_of(at.url, crowd, follow), sizes.tick) as running:
        best = 0.0
        for share in RAMP:
            found = _phase(at, running, sizes.seconds / 3, 0.0, share, f"full speed, {follow}")
            rows.append(found[0])
            best = max(best, found[0].throughput)
        pace = running.matches / (2 * best)
        over, heard = _phase(at, running, sizes.seconds, pace, 1.0, f"twice the capacity, {follow}")
        after, _ = _phase(at, running, sizes.seconds / 3, sizes.pace * 4, 0.5, f"afterwards, {follow}")
        running.finish()
    parts = {"best moves a second": best, "moves a second beyond the capacity": over.throughput}
    parts |= {"refusals": float(len(heard.refused)), "refused reads": float(heard.reads_refused)}
    if heard.refused:
        parts |= {"median refusal ms": median(heard.refused)}
    if heard.retry_after:
        parts |= {"longest Retry-After s": max(heard.retry_after)}
    if after.p99 is not None:
        parts |= {"p99 afterwards ms": after.p99}
    what = "Moves a second when twice the capacity is planned, against the best throughput."
    finding = LoadFinding("overload_share", over.throughput / best, "ratio", 0.9, what, parts, at_least=True)
    return PartResults([finding], [*rows, over, after], wrong=_wrong(running, "overload"))


def _phase(
    at: RunningServer, running: Drivers, seconds: float, pace: float, share: float, what: str
) -> tuple[LoadRow, Heard]:
    """Play a phase with running drivers; returns its row, and what they heard."""
    before = at.cpu()
    heard = running.play(seconds, pace, share, what)
    return row(what, heard, before, at.cpu()), heard


def several(sizes: Sizes) -> PartResults:
    """Measure a turn with four processes against one: two houses on PostgreSQL take turns."""
    follow = sizes.follow[-1]
    crowd = replace(sizes, matches=max(2, sizes.matches * 2 // 5))
    played: dict[int, list[LoadRow]] = {1: [], MANY: []}
    costs, wrong = {count: list[float]() for count in played}, list[str]()
    try:
        with ExitStack() as stack:
            urls = stack.enter_context(databases(2))
            houses = {
                count: stack.enter_context(opened(crowd, f"processes-{count}", count, url))
                for count, url in zip(played, urls, strict=True)
            }
            players = {
                count: stack.enter_context(drivers(jobs_of(at.url, crowd, follow), sizes.tick))
                for count, at in houses.items()
            }
            idle = {count: _idle(at, sizes) for count, at in houses.items()}
            for number in range(ROUNDS):
                for count in sorted(played, reverse=number % 2 == 1):
                    at, running = houses[count], players[count]
                    what = f"{_count(count)} on PostgreSQL, {follow}"
                    one, heard = _phase(at, running, sizes.seconds / 3, sizes.pace, 1.0, what)
                    played[count].append(one)
                    spent = sum(one.cpu.values()) - idle[count] * heard.seconds * 1000 / max(1, heard.moved)
                    costs[count].append(spent)
            for count, running in players.items():
                running.finish()
                wrong += _wrong(running, _count(count))
    except NoServer as missing:
        return PartResults(lacking=[f"processes: {missing}"])
    each, rows = {n: median(found) for n, found in costs.items()}, [typical(rows) for rows in played.values()]
    if min(each.values()) <= 0:
        return PartResults(
            rows=rows, lacking=["processes: too few moves beside what an idle house does."], wrong=wrong
        )
    parts = {f"{_count(count)} ms": cost for count, cost in each.items()}
    parts |= {f"{_count(count)} idle ms a second": 1000 * share for count, share in idle.items()}
    what = "Processor time of a turn with four processes against one, less what each house takes when idle."
    finding = LoadFinding("processes", each[MANY] / each[1], "ratio", 1.2, what, parts)
    return PartResults([finding], rows, wrong=wrong)


def _count(processes: int) -> str:
    return "one process" if processes == 1 else f"{processes} processes"


def _idle(at: RunningServer, sizes: Sizes) -> float:
    """Measure the processor seconds a second of a house where nobody moves."""
    before, began = at.total, time.monotonic()
    time.sleep(sizes.seconds / 6)
    return (at.total - before) / (time.monotonic() - began)

"""The results of a load: figures with their goals, and a row for every load."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.load.heard import Heard, percentile
from benchmarks.machine import Machine
from benchmarks.results import checked

FORMAT = 1
PEOPLE = "people"
"""The figure that is about the growth of what players do."""
SCHEMA = Path(__file__).with_name("schema.json")


@dataclass(frozen=True, slots=True)
class LoadFinding:
    """One figure."""

    name: str
    value: float
    unit: str
    """"ratio", "statements", "ms", "KiB", "s"."""
    goal: float | None
    """The most that the value may be, or the least where `at_least` is set; None for no promise."""
    what: str
    """The sentence that says what was measured."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """The numbers that the value was computed from, by name; the name ends in the unit."""
    at_least: bool = False

    @property
    def within(self) -> bool | None:
        """True if the goal is kept; None where there is none."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal


@dataclass(frozen=True, slots=True)
class LoadRow:
    """The measurements of one load on one server."""

    what: str
    matches: int
    planned: float
    """Moves a second that were planned; 0 for as many as possible."""
    throughput: float
    """Moves a second that were accepted."""
    p50: float | None
    """Milliseconds from a move's planned moment until every follower had it; None without a move."""
    p99: float | None
    receipt_p99: float | None
    """The same until the receipt."""
    refused: int
    """Refusals of moves and of reads by a busy house."""
    faults: Mapping[str, int]
    """Counts of what should not happen, by a short name."""
    cpu: Mapping[str, float]
    """Milliseconds of processor time a move, by process."""
    drivers: float
    """Milliseconds of processor time a move, of the drivers."""


def row(what: str, heard: Heard, before: Mapping[int, float], after: Mapping[int, float]) -> LoadRow:
    """Make the row of a phase. `before` and `after` are the processor seconds of the house by process."""
    used = {pid: after[pid] - before.get(pid, 0.0) for pid in after}
    moves = max(1, heard.moved)
    named = {f"process {number}": used[pid] * 1000 / moves for number, pid in enumerate(sorted(used), 1)}
    return LoadRow(
        what,
        heard.matches,
        heard.planned,
        heard.throughput,
        percentile(heard.seen, 0.5) if heard.seen else None,
        percentile(heard.seen, 0.99) if heard.seen else None,
        percentile(heard.answered, 0.99) if heard.answered else None,
        len(heard.refused) + heard.reads_refused,
        dict(heard.faults),
        named,
        heard.cpu * 1000 / moves,
    )


def typical(rows: Sequence[LoadRow]) -> LoadRow:
    """Choose of the rows of one server the one whose moves cost the median."""
    return sorted(rows, key=lambda one: sum(one.cpu.values()))[len(rows) // 2]


@dataclass(frozen=True, slots=True)
class Grown:
    """What a list or an operation costs in a small house, and in a full one."""

    name: str
    small: float
    """Milliseconds of processor time in the small house: the median."""
    full: float
    """The same in the full house."""

    @property
    def ratio(self) -> float:
        """The cost in the full house, in multiples of that in the small one."""
        return self.full / self.small


@dataclass(frozen=True, slots=True)
class PartResults:
    """The results of one part."""

    findings: Sequence[LoadFinding] = ()
    rows: Sequence[LoadRow] = ()
    lacking: Sequence[str] = ()
    """The figures that could not be measured here, and why."""
    wrong: Sequence[str] = ()
    """The faults that were there afterwards, such as a record that lacks an accepted message."""
    grown: Sequence[Grown] = ()
    """Each list and each operation of players, in a small house and in a full one."""

    def __add__(self, other: PartResults) -> PartResults:
        return PartResults(
            [*self.findings, *other.findings],
            [*self.rows, *other.rows],
            [*self.lacking, *other.lacking],
            [*self.wrong, *other.wrong],
            [*self.grown, *other.grown],
        )


@dataclass(frozen=True, slots=True)
class LoadResults:
    """The results of one run of `cloche load` on one machine."""

    date: str
    """YYYY-MM-DD, UTC."""
    machine: Machine
    found: PartResults

    @property
    def figures(self) -> dict[str, float]:
        """Every figure's value, by name."""
        return {finding.name: finding.value for finding in self.found.findings}

    @property
    def over(self) -> list[LoadFinding]:
        """The figures that miss their goals."""
        return [finding for finding in self.found.findings if finding.within is False]

    def parted(self) -> tuple[LoadResults, LoadResults]:
        """Part the figures of a house under load from what grows with its players, which has its own file."""
        found = self.found
        people = [finding for finding in found.findings if finding.name == PEOPLE]
        rest = [finding for finding in found.findings if finding.name != PEOPLE]
        return (
            replace(self, found=replace(found, findings=rest, grown=())),
            replace(self, found=PartResults(people, grown=found.grown)),
        )

    def text(self) -> str:
        """Return the results as a JSON text, in the form of schema.json."""
        found = self.found
        data: dict[str, Any] = {
            "format": FORMAT,
            "date": self.date,
            "machine": self.machine.json(),
            "figures": self.figures,
            "findings": [{**asdict(finding), "within": finding.within} for finding in found.findings],
            "rows": [asdict(each) for each in found.rows],
            "lacking": [*found.lacking],
            "wrong": [*found.wrong],
        }
        if found.grown:
            data["grown"] = [asdict(each) for each in found.grown]
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def today(machine: Machine, found: PartResults) -> LoadResults:
    """Make results with today's date."""
    return LoadResults(datetime.now(UTC).date().isoformat(), machine, found)


def read(text: str) -> LoadResults:
    """Read results from their JSON. Raises ValueError if the JSON is not of that form."""
    data = checked(text, SCHEMA)
    findings = [
        LoadFinding(**{name: value for name, value in one.items() if name != "within"})
        for one in data["findings"]
    ]
    rows, grown = ([LoadRow(**one) for one in data["rows"]], [Grown(**one) for one in data.get("grown", ())])
    found = PartResults(findings, rows, data["lacking"], data["wrong"], grown)
    return LoadResults(data["date"], Machine(**data["machine"]), found)

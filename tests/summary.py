"""Sum up runs of tests: `python -m tests.summary FOLDER check=0 test=0 test-page=0 test-house=1`.

Every run is given with its exit status. The results of a run of tests are in FOLDER/NAME.xml, as pytest's
`--junit-xml` writes them. A line tells how long the tests of each folder took; those of several processes at
once are added up. The last line is the sum of all; the exit status is 1 unless everything passed.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Results:
    """The tests of one run: how many passed, the names of the others, and the seconds of each folder."""

    passed: int = 0
    failed: tuple[str, ...] = ()
    seconds: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Results) -> Results:
        return Results(self.passed + other.passed, self.failed + other.failed, self.seconds + other.seconds)


def read(report: Path) -> Results:
    """The results in a report. A test that was skipped has not passed: it counts as failed."""
    passed, failed, seconds = 0, [], Counter[str]()
    for case in ElementTree.parse(report).iter("testcase"):
        room = (case.get("classname") or "").removeprefix("tests.").partition(".")[0]
        seconds[room] += float(case.get("time") or 0)
        if all(child.tag not in ("failure", "error", "skipped") for child in case):
            passed += 1
        else:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
    return Results(passed, tuple(dict.fromkeys(failed)), seconds)


def run(folder: Path, name: str, status: int) -> Results:
    """The results of a run; one that went wrong otherwise than by a test counts as one failure."""
    report = folder / f"{name}.xml"
    try:
        found = read(report) if report.exists() else Results()
    except ElementTree.ParseError:
        found = Results()
    if status and not found.failed:
        found += Results(failed=(f"{name} (exit status {status})",))
    return found


def main(arguments: list[str]) -> int:
    """Print what failed and the sum; returns the exit status."""
    folder, *given = arguments
    total = Results()
    for text in given:
        name, _, status = text.rpartition("=")
        total += run(Path(folder), name, int(status))
    for failed in total.failed:
        print(f"failed: {failed}")  # noqa: T201
    if total.seconds:
        told = ", ".join(f"{room} {seconds:.0f}" for room, seconds in total.seconds.most_common())
        print(f"seconds of tests: {told}")  # noqa: T201
    print(f"{total.passed} passed, {len(total.failed)} failed")  # noqa: T201
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

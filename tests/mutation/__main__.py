"""`python -m tests.mutation [FILE ...]`: whether the tests notice when verifying code goes wrong.

Every file of `PLAN` is changed in one place after another, and the tests of its room are run on each
change. A change that no test notices is a survivor: it must stand in `survivors.toml` with the reason why
it does no harm. Exit status 1 for a survivor that does not, and for a reason whose change no longer
exists, or is noticed now.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import mmap
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.mutation import survivors
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.plan import BUDGET, PLAN, Plan
from tests.mutation.trial import Collected, Pool, Seen, afresh, collected, outcome, say, silence
from tests.paths import ROOT

KEPT = ".mutants"
"""The file of what is known of this very source already, so that a broken-off run goes on."""

SOURCE = ("cards", "crypto", "referee", "client")
"""The source that the tests of all rooms run."""


class Ledger:
    """The fate of each mutant, a line of a file each, so that nothing is lost with the process."""

    def __init__(self, root: Path, tests: Sequence[str]) -> None:
        (root / KEPT).mkdir(exist_ok=True)
        self._path = root / KEPT / "outcomes.jsonl"
        self._salt = _digest(root, (*SOURCE, *tests))
        self._known: dict[str, str] = {}
        self.read()

    def read(self) -> None:
        """Return what the file says by now."""
        if self._path.exists():
            for line in self._path.read_text().splitlines():
                key, found = json.loads(line)
                self._known[key] = found

    def _key(self, mutant: Mutant) -> str:
        return hashlib.sha256(f"{self._salt}\n{mutant.name}\n{mutant.source}".encode()).hexdigest()

    def of(self, mutant: Mutant) -> str | None:
        """Its outcome, None while it is not known."""
        return self._known.get(self._key(mutant))

    def note(self, mutant: Mutant, found: str) -> None:
        """Its outcome is known."""
        self._known[self._key(mutant)] = found
        with self._path.open("a") as file:
            file.write(json.dumps([self._key(mutant), found]) + "\n")


def _digest(root: Path, places: Iterable[str]) -> str:
    state = hashlib.sha256()
    for place in sorted(set(places)):
        folder = root / place
        for path in [folder] if folder.is_file() else sorted(folder.rglob("*.py")):
            state.update(f"{path}\n".encode() + path.read_bytes())
    return state.hexdigest()


class Progress:
    """One line a file, and every survivor that is not explained as it is found."""

    def __init__(self, file: str, found: Sequence[Mutant], root: Path) -> None:
        self._explained = survivors.explained(root)
        self._file, self._all, self._began = file, len(found), time.monotonic()
        self._told = self._began
        self.count: Counter[str] = Counter()

    def note(self, mutant: Mutant, found: str) -> None:
        """One more is known."""
        self.count[found] += 1
        if found != "killed" and mutant.name not in self._explained:
            say(f"  {found}: {mutant.name}")
        if time.monotonic() - self._told > 15:
            self._told = time.monotonic()
            say(f"  {self._file}: {self.count.total()} of {self._all}")

    def end(self) -> None:
        """The file is done."""
        found = ", ".join(f"{count} {what}" for what, count in sorted(self.count.items()))
        say(f"{self._file}: {found or 'nothing to try'} ({time.monotonic() - self._began:.0f} s)")


def seen_by(root: Path, room: Collected, files: Sequence[str], jobs: int) -> dict[str, Seen]:
    """Return what every test of a room does on the source as it is; kept by test file, for the next run."""
    pool, by_file, found = Pool(jobs), dict[str, list[str]](), dict[str, Seen]()
    for node in room.items:
        by_file.setdefault(node.split("::")[0], []).append(node)
    base = _digest(root, SOURCE) + repr(files)
    paths = []
    for test, nodes in by_file.items():
        folder = (root / test).parent
        beside = [
            str(path.relative_to(root)) for path in folder.glob("*.py") if not path.name.startswith("test_")
        ]
        key = hashlib.sha256((base + _digest(root, [test, *beside])).encode()).hexdigest()
        path = root / KEPT / f"{key}.json"
        paths.append(path)
        if not path.exists():
            pool.start(
                lambda nodes=nodes, path=path: room.watch(nodes, files, path),
                lambda status, path=path, test=test: None if path.exists() else say(f"{test} can't be run"),
                600,
            )
    pool.rest()
    for path in paths:
        told = json.loads(path.read_text()) if path.exists() else {"seen": {}, "failed": "see above"}
        if told["failed"]:
            path.unlink(missing_ok=True)
            say(f"The tests fail on the source as it is: {told['failed']}")
            raise SystemExit(1)
        found |= {node: Seen(one["seconds"], one["lines"]) for node, one in told["seen"].items()}
    return found


def reaching(
    mutant: Mutant, seen: Mapping[str, Seen], budget: float, killers: Sequence[str], mirror: str
) -> dict[str, float]:
    """The tests that run the changed lines, as far as the budget goes, and their times.

    Those that killed other mutants of the function come first, the newest of them at the front; then
    the quick ones. One that is written for the file (in `mirror`) may be four times as slow as others.
    """
    lines, file = set(mutant.lines), mutant.name.file
    near = []
    for node, one in seen.items():
        if lines.intersection(one.lines.get(file, ())):
            rank = -killers.index(node) if node in killers else 1
            near.append((rank, one.seconds / (4 if node.startswith(f"{mirror}::") else 1), node))
    found: dict[str, float] = {}
    for *_, node in sorted(near):
        if found and sum(found.values()) + seen[node].seconds > budget:
            break
        found[node] = seen[node].seconds
    return found


class File:
    """The trial of one file's mutants whose change is inside a function."""

    def __init__(
        self, room: Collected, seen: Mapping[str, Seen], ledger: Ledger, given: argparse.Namespace
    ) -> None:
        self._room, self._seen, self._ledger, self._given = room, seen, ledger, given
        self._killers: dict[str, list[str]] = {}

    def run(self, file: str, listed: Sequence[Mutant]) -> None:
        """Try them all."""
        progress, pool = Progress(file, listed, self._given.root), Pool(self._given.jobs)
        plan = PLAN.get(file, Plan((), ""))
        budget = self._given.budget or plan.budget
        for mutant in listed:
            killers = self._killers.setdefault(mutant.name.function, [])
            seconds = reaching(mutant, self._seen, budget, killers, plan.mirror)
            if seconds:
                self._start(pool, mutant, seconds, progress)
            else:
                self._note(mutant, "unreached", progress)
        pool.rest()
        progress.end()

    def _note(self, mutant: Mutant, found: str, progress: Progress) -> None:
        self._ledger.note(mutant, found)
        progress.note(mutant, found)

    def _start(self, pool: Pool, mutant: Mutant, seconds: dict[str, float], progress: Progress) -> None:
        nodes, asked = list(seconds), mmap.mmap(-1, 4)

        def ended(status: int) -> None:
            found, last = outcome(status), int.from_bytes(asked[:], "big")
            self._note(mutant, found, progress)
            killers = self._killers[mutant.name.function]
            if found == "killed" and nodes[last] not in killers:
                killers.append(nodes[last])

        pool.start(lambda: self._room.kill(mutant, seconds, asked), ended, sum(seconds.values()))


def in_functions(
    root: Path,
    tests: Sequence[str],
    found: Mapping[str, Sequence[Mutant]],
    ledger: Ledger,
    given: argparse.Namespace,
) -> int:
    """Try the mutants whose change is inside a function, from one process that has collected the tests."""

    def work(room: Collected) -> None:
        watched = {*found, *(file for file in PLAN if (root / file).is_file())}
        seen = seen_by(root, room, sorted(watched), given.jobs)
        say(f"{len(seen)} tests of {sum(one.seconds for one in seen.values()):.0f} s")
        for file, listed in found.items():
            File(room, seen, ledger, given).run(file, listed)

    child = os.fork()
    if not child:
        status = 1
        try:
            silence()
            status = collected(root, tests, work)
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def on_import(
    root: Path,
    tests: Sequence[Sequence[str]],
    file: str,
    listed: Sequence[Mutant],
    ledger: Ledger,
    jobs: int,
) -> None:
    """Try the mutants that change what an import does, each from a process with nothing of ours in it."""
    progress, pool = Progress(f"{file} on import", listed, root), Pool(jobs)

    def ended(status: int, mutant: Mutant) -> None:
        ledger.note(mutant, outcome(status))
        progress.note(mutant, outcome(status))

    for mutant in listed:
        pool.start(
            lambda mutant=mutant: afresh(root, mutant, *tests),
            lambda status, mutant=mutant: ended(status, mutant),
            BUDGET,
        )
    pool.rest()
    progress.end()


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("files", nargs="*", help="source files to try (all of the plan)")
    parser.add_argument("--function", action="append", help="only this function")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--budget", type=float, help="seconds of tests for a mutant, instead of the plan's")
    parser.add_argument("--fresh", action="store_true", help="forget what is known of this source")
    parser.add_argument(
        "--root", type=Path, default=ROOT, help="another source tree, for the driver's own tests"
    )
    parser.add_argument("--tests", action="append", help="instead of the plan's")
    given = parser.parse_args()
    if not given.tests and (without := sorted({*given.files} - PLAN.keys())):
        parser.error(f"there is no plan for {', '.join(without)} in tests/mutation/plan.py: give --tests")
    return given


def main() -> int:
    """Try all, tell, and judge."""
    given = _parse()
    os.environ["CLOCHE_ENGINE"] = "arkworks"
    root: Path = given.root.resolve()
    files = given.files or list(PLAN)
    if given.fresh:
        (root / KEPT / "outcomes.jsonl").unlink(missing_ok=True)
    began, tried = time.monotonic(), {}
    rooms: dict[tuple[str, ...], list[str]] = {}
    for file in files:
        tests = tuple(given.tests or PLAN[file].tests)
        rooms.setdefault(tests, []).append(file)
    for tests, there in rooms.items():
        ledger = Ledger(root, tests)
        found = {
            file: mutants(root, file, given.function, PLAN[file].without if file in PLAN else ())
            for file in there
        }
        todo = {f: [m for m in listed if ledger.of(m) is None] for f, listed in found.items()}
        inside = {f: [m for m in listed if not m.on_import] for f, listed in todo.items()}
        if any(inside.values()) and in_functions(root, tests, inside, ledger, given):
            return 1
        for file, listed in todo.items():
            sets = [tests] if given.tests else [[PLAN[file].mirror], tests]
            on_import(root, sets, file, [m for m in listed if m.on_import], ledger, given.jobs)
        ledger.read()
        tried |= {mutant.name: ledger.of(mutant) for listed in found.values() for mutant in listed}
    say(f"{len(tried)} mutants in {time.monotonic() - began:.0f} s")
    return survivors.judge(root, files, tried, complete=given.function is None)


if __name__ == "__main__":
    sys.exit(main())

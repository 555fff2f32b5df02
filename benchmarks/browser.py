"""The page in a browser: how soon its kitchen is ready, and what proofs take there, against its budgets.

A house serves the built page, and headless Chromium opens it. `web/tools/times.mjs` drives the browser by
playwright-core, and `in_kitchen` measures inside the kitchen. This needs a checkout with Node.js.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.machine import Machine, describe
from benchmarks.matches import played
from benchmarks.page import measured_on

HERE = Path(__file__).resolve().parent
TOOL = HERE.parent / "web" / "tools" / "times.mjs"
GIVEN = ("__init__.py", "in_kitchen.py", "provers.py")
"""The modules of this room that are handed to the kitchen."""
DATA = "browser.json"
"""The file in docs/ with the published figures."""
TIMES = 5
SECONDS = 900

TIME_BUDGETS: Mapping[str, tuple[int, str]] = {
    "ready_ms": (5000, "from the worker's start to a kitchen that answers, on a first visit"),
    "meal_ms": (250, "a meal of 24 cards and three courses, proven"),
    "deck_ms": (400, "a match deck, proven"),
    "record_ms": (3000, "the record of a match of ten rounds, verified"),
}
"""By name: the most milliseconds of the best run, and what is measured."""
SIZE_BUDGETS: Mapping[str, tuple[int, str]] = {
    "page_bytes": (150_000, "the page, without the languages that are not asked for"),
    "kitchen_bytes": (5_500_000, "the kitchen: Python, the rooms and the curve"),
}
"""By name: the most bytes of what a visitor waits for, compressed with brotli."""
_KITCHEN = re.compile(r"/(kitchen|pyodide|stdlib|rooms)\.")
_UNASKED = re.compile(r"/assets/de-|/icon|\.webmanifest$")
"""Another language than English, and what only an installed page asks for."""


class CantMeasure(Exception):
    """There is no browser, no Node.js or no built page here. The text says which."""


@dataclass(frozen=True, slots=True)
class BrowserFigures:
    """The figures of a run."""

    date: str
    """YYYY-MM-DD, UTC."""
    machine: Machine
    browser: str
    """The browser and its version."""
    times: Mapping[str, tuple[float, ...]]
    """Every measured time, in milliseconds, by the names of `TIME_BUDGETS`."""
    sizes: Mapping[str, int]
    """Bytes by the names of `SIZE_BUDGETS`."""

    @property
    def over(self) -> list[str]:
        """The names of figures that are over their budgets."""
        slow = [name for name, (most, _) in TIME_BUDGETS.items() if min(self.times[name]) > most]
        return slow + [name for name, (most, _) in SIZE_BUDGETS.items() if self.sizes[name] > most]

    def text(self) -> str:
        """Return it as a JSON text."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"


def read(text: str) -> BrowserFigures:
    """Read what `text` wrote. Raises ValueError for anything else."""
    try:
        data = json.loads(text)
        times = {name: tuple(float(each) for each in data["times"][name]) for name in TIME_BUDGETS}
        sizes = {name: int(data["sizes"][name]) for name in SIZE_BUDGETS}
        found = BrowserFigures(data["date"], Machine(**data["machine"]), data["browser"], times, sizes)
    except (KeyError, TypeError) as error:
        raise ValueError(f"these are no figures of a browser: {error}") from None
    if not all(times.values()):
        raise ValueError("a figure has no times")
    return found


def sizes(page: Path, paths: Iterable[str]) -> dict[str, int]:
    """The bytes that a visitor of a built page waits for; `paths` are the files that its manifest names."""
    found = dict.fromkeys(SIZE_BUDGETS, 0)
    for path in paths:
        small = page / f"{path[1:]}.br"
        size = (small if small.exists() else page / path[1:]).stat().st_size
        if _KITCHEN.match(path):
            found["kitchen_bytes"] += size
        elif not _UNASKED.match(path):
            found["page_bytes"] += size
    return found


def tools() -> tuple[str, str]:
    """The paths of Node.js and Chromium. Raises `CantMeasure`."""
    node, chromium = shutil.which("node"), shutil.which("chromium") or shutil.which("google-chrome")
    if node is None or chromium is None or not TOOL.exists():
        lacking = "a checkout" if not TOOL.exists() else "Node.js" if node is None else "Chromium"
        raise CantMeasure(f"This needs {lacking}, which is not here")
    return node, chromium


def measure(url: str, folder: Path, found_sizes: Mapping[str, int], times: int = TIMES) -> BrowserFigures:
    """Measure the page of a house, with its files in a folder that is there for it.

    Raises `CantMeasure`, also if the browser fails.
    """
    node, chromium = tools()
    machine = describe()
    files = [*(HERE / name for name in GIVEN), *_records(folder, times)]
    command = [node, str(TOOL), url, chromium, str(times), *map(str, files)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise CantMeasure(f"The browser was not done after {SECONDS} seconds") from None
    if done.returncode != 0:
        raise CantMeasure(f"The browser failed: {done.stderr.strip()[-1000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    measured = {name: tuple(told["times"][name]) for name in TIME_BUDGETS}
    date = datetime.now(UTC).date().isoformat()
    return BrowserFigures(date, machine, told["browser"], measured, dict(found_sizes))


def _records(folder: Path, count: int) -> list[Path]:
    """So many records of chef, each in a file: a verifier remembers the points of one that it has seen."""
    found, seed = [], 0
    for number in range(count):
        seed, record = played(seed)
        seed += 1
        path = folder / f"match-{number}.record"
        path.write_bytes(record.data)
        found.append(path)
    return found


def published(docs: Path) -> str:
    """Write the section about the figures in a folder of documents; empty if there are none.

    Raises ValueError for figures that can't be read.
    """
    file = docs / DATA
    return section(read(file.read_text(encoding="utf-8"))) if file.exists() else ""


_HEAD = """## The page in a browser

These are absolute times: a player waits for them. Headless Chromium opens the page of a house on the same
machine, so the line costs nothing. The kitchen is started anew in {times} new profiles; the other figures are
measured inside one kitchen, {times} times each, and no record is verified twice. The best time is held
against the budget. Sizes are what a visitor waits for, compressed with brotli; tests hold them.
`cloche bench --page --write` measures it again and writes this section and [its figures](browser.json).

| figure | best | all | budget | | what |
|---|--:|--:|--:|---|---|
"""


def section(found: BrowserFigures) -> str:
    """Write the section of docs/performance.md, as Markdown."""
    rows = []
    for name, (most, what) in TIME_BUDGETS.items():
        every = found.times[name]
        shown = ", ".join(f"{each:,.0f}" for each in every)
        rows.append((name, f"{min(every):,.0f} ms", shown, f"{most:,} ms", min(every) <= most, what))
    for name, (most, what) in SIZE_BUDGETS.items():
        size = found.sizes[name]
        rows.append((name, f"{size:,} bytes", "", f"{most:,} bytes", size <= most, what))
    lines = [
        f"| `{name}` | **{best}** | {every} | {budget} | {'within' if within else '**over**'} | {what} |\n"
        for name, best, every, budget, within, what in rows
    ]
    head = _HEAD.format(times=len(found.times["ready_ms"]))
    return head + "".join(lines) + f"\n{found.browser}. {measured_on(found.machine, found.date)}"


def lines(found: BrowserFigures) -> Sequence[str]:
    """The figures in lines, for a terminal."""
    best = [f"{name}: {min(found.times[name]):,.0f} of {most:,}" for name, (most, _) in TIME_BUDGETS.items()]
    return best + [f"{name}: {found.sizes[name]:,} of {most:,}" for name, (most, _) in SIZE_BUDGETS.items()]

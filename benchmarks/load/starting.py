"""The time that commands take to start: the house, and those that need no house."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.load.beside import ticks
from benchmarks.load.findings import LoadFinding, PartResults
from benchmarks.load.served import ROOT, house, served, surroundings
from benchmarks.load.sizes import Sizes
from benchmarks.measure import order

QUICK = (("modes",), ("--help",), ("--version",))
"""Commands that need no house."""
LIBRARIES = Path(__file__).with_name("libraries.py")


def start(sizes: Sizes) -> PartResults:
    """Measure the time to a house's first answer, against a process with its libraries that answers."""
    found: tuple[list[float], list[float]] = ([], [])
    told = ticks(sizes, "starting a house", sizes.starts + 1)
    for number in range(sizes.starts + 1):
        for side in order(number):
            folder = sizes.folder / f"start-{side}-{number}"
            folder.mkdir()
            took = (_house, _libraries)[side](folder)
            if number:  # the first one finds nothing in the system's cache
                found[side].append(took)
        told()
    parts = {"house s": median(found[0]), "libraries s": median(found[1]), "starts": float(sizes.starts)}
    what = "The first answer of `cloche serve`, against a process that imports its libraries and answers."
    return PartResults([LoadFinding("start", median(found[0]) / median(found[1]), "ratio", 1.5, what, parts)])


def _house(folder: Path) -> float:
    began = time.monotonic()
    with house(folder) as at:
        _answer(at.url + "/healthz")
        return time.monotonic() - began


def _libraries(folder: Path) -> float:
    began = time.monotonic()
    with served([sys.executable, str(LIBRARIES)], folder, {}, r"open at (http://\S+)") as at:
        _answer(at.url)
        return time.monotonic() - began


def _answer(url: str) -> None:
    import httpx

    httpx.get(url, timeout=60).raise_for_status()


def commands(sizes: Sizes) -> PartResults:
    """Measure what the quickest commands take, beyond a Python that does nothing."""
    every = [["-c", "pass"], *(["-m", "cloche", *words] for words in QUICK)]
    found: list[list[float]] = [[] for _ in every]
    told = ticks(sizes, "starting commands", sizes.starts + 1)
    for number in range(sizes.starts + 1):
        for took, words in zip(found, every, strict=True):
            if number:
                took.append(_run(words))
            else:
                _run(words)
        told()
    least, *others = map(median, found)
    parts = {"python -c pass s": least}
    parts |= {f"cloche {words[-1]} s": value for words, value in zip(QUICK, others, strict=True)}
    what = "The slowest of the commands that need no house, less `python -c pass`."
    return PartResults([LoadFinding("commands_s", max(others) - least, "s", 0.15, what, parts)])


def _run(words: Sequence[str]) -> float:
    began = time.monotonic()
    subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=surroundings(), stdout=subprocess.DEVNULL, check=True
    )
    return time.monotonic() - began

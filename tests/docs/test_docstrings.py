"""The examples of docstrings come out as they say: each is run as it stands in its source file."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.paths import ROOT

ROOMS = ("benchmarks", "cards", "client", "cloche", "crypto", "referee", "service", "worker")
FILES = [
    path.relative_to(ROOT)
    for room in ROOMS
    for path in sorted((ROOT / room).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("file", FILES, ids=str)
def test_the_examples_of_a_file(file: Path) -> None:
    tried = doctest.testmod(import_module(".".join(file.with_suffix("").parts)))
    assert tried.attempted
    assert not tried.failed


def test_there_are_examples() -> None:
    assert len(FILES) > 20

"""A class has a name of its own, so that one name means one thing (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.paths import ROOT

ELSEWHERE = {"tests", "benchmarks", "node_modules", "versions"}
ALIKE = {"cards/games", "crypto"}
"""Rooms whose parts are made alike: every game has its board, every proof its witness."""


def twice(root: Path, files: Iterable[Path]) -> dict[str, list[str]]:
    """The names of public classes that more than one of the files defines, each with those files."""
    found = defaultdict(set)
    for file in files:
        path = file.relative_to(root).as_posix()
        place = next((room for room in ALIKE if path.startswith(f"{room}/")), path)
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].add(place)
    return {name: sorted(places) for name, places in found.items() if len(places) > 1}


def test_no_two_files_define_a_class_of_the_same_name() -> None:
    files = [file for room in ROOT.iterdir() if room.name[0] != "." for file in room.rglob("*.py")]
    ours = [file for file in files if not ELSEWHERE & {*file.relative_to(ROOT).parts}]
    assert len(ours) > 500
    assert twice(ROOT, ours) == {}


def test_a_name_that_stands_twice_is_named_with_its_files(tmp_path: Path) -> None:
    for name in ("cards/games/a.py", "cards/games/b.py", "player/c.py", "worker/d.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    for name in ("cards/games/a.py", "cards/games/b.py"):
        (tmp_path / name).write_text("class Board: ...\n")
    (tmp_path / "player/c.py").write_text("class Seat: ...\nclass _Own: ...\n")
    (tmp_path / "worker/d.py").write_text("class Seat: ...\nclass _Own: ...\n")
    assert twice(tmp_path, tmp_path.rglob("*.py")) == {"Seat": ["player/c.py", "worker/d.py"]}

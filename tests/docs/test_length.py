"""Files and functions stay short enough to be read at once (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.paths import ROOT

LINES_OF_FILE = 500
LINES_OF_FUNCTION = 60


def too_long(path: Path) -> Iterator[str]:
    """What is too long in a file of Python, with its number of lines."""
    text = path.read_text(encoding="utf-8")
    if (lines := len(text.splitlines())) > LINES_OF_FILE:
        yield f"{path}: {lines}"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LINES_OF_FUNCTION:
                yield f"{path}: {node.name}: {lines}"


def test_no_file_and_no_function_is_too_long() -> None:
    files = [file for room in ROOT.iterdir() if room.name[0] != "." for file in sorted(room.rglob("*.py"))]
    ours = [file for file in files if not {"node_modules", "versions"} & {*file.parts}]
    assert len(ours) > 1000
    assert [found for file in ours for found in too_long(file)] == []


def test_what_is_too_long_is_named(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text("def f():\n" + "    x = 1\n" * LINES_OF_FUNCTION + "\n" * LINES_OF_FILE)
    assert list(too_long(file)) == [f"{file}: {LINES_OF_FILE + LINES_OF_FUNCTION + 1}", f"{file}: f: 61"]

"""What several test modules use stands in a kit, and what names a test file names one that is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests import tiers
from tests.paths import ROOT


def imported(path: Path) -> Iterator[str]:
    """Return the names of modules that a file of Python imports, and of what it imports from packages."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def of_tests(path: Path) -> list[str]:
    """Return what a file imports from the modules of tests."""
    return [
        name
        for name in imported(path)
        if name.startswith("tests.") and any(part.startswith("test_") for part in name.split(".")[1:])
    ]


def test_no_module_imports_from_a_test_module() -> None:
    files = sorted((ROOT / "tests").rglob("*.py"))
    assert len(files) > 400
    assert {file.name: names for file in files if (names := of_tests(file))} == {}


def test_such_an_import_is_named(tmp_path: Path) -> None:
    file = tmp_path / "test_this.py"
    file.write_text(
        "from tests.docs import test_length\nfrom tests.docs.test_pages import page\nimport tests.paths\n"
    )
    assert of_tests(file) == ["tests.docs.test_length", "tests.docs.test_pages.page"]


def test_the_files_that_begin_a_run_are_there() -> None:
    assert [file for file in tiers.FIRST if not (ROOT / file).is_file()] == []

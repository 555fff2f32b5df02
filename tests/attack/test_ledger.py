"""The table that `pytest -m attack` ends in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.waiting import PATIENCE

ATTACKS = """
import pytest
from tests.attack.ledger import attack

@attack("a flipped bit", "protocol 8", withstands="rejected")
@pytest.mark.parametrize("i", range(3))
def test_flip(i):
    pass

@attack("a guess", "protocol 6")
def test_guess(outcome):
    outcome.no_advantage("51 % of 900, bound 55 %", tries=900)

@attack("nothing to try [here]", "protocol 12")
def test_argued(outcome):
    outcome.argued("another mask covers it")

@attack("a hole", "protocol 2")
@pytest.mark.parametrize("i", range(2))
def test_hole(i, outcome):
    outcome.rejected(5, "never" * i)
    assert i

@attack("no world to attack", "protocol 2")
def test_setup(nowhere):
    pass

def test_other():
    pass
"""


def run(folder: Path, *options: str) -> str:
    (folder / "test_some.py").write_text(ATTACKS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = attack: one\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.attack.ledger", *options, str(folder)]
    ran = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "160", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return ran.stdout


def table(output: str) -> dict[str, list[str]]:
    """Tries and verdict of each attack in a run's output."""
    names = ("a flipped bit", "a guess", "nothing to try [here]", "a hole", "no world to attack")
    found = {}
    for line in output.splitlines():
        for name in names:
            if line.startswith(name + "  "):
                found[name] = [cell.strip() for cell in line.split("  ") if cell.strip()][-2:]
    return found


@pytest.mark.parametrize("options", [(), ("-p", "xdist", "-n", "2")])
def test_the_table_has_a_row_for_every_attack(tmp_path: Path, options: tuple[str, ...]) -> None:
    output = run(tmp_path, "-m", "attack", *options)
    assert table(output) == {
        "a flipped bit": ["3", "rejected"],
        "a guess": ["900", "no advantage: 51 % of 900, bound 55 %"],
        "nothing to try [here]": ["-", "no attack exists: another mask covers it"],
        "a hole": ["10", "NOT WITHSTOOD"],
        "no world to attack": ["1", "NOT WITHSTOOD"],
    }
    assert "5 attacks, 914 tries, 2 not withstood" in output


def test_other_runs_end_without_the_table(tmp_path: Path) -> None:
    for options in (("-m", "not attack"), ("-k", "flip or other")):
        output = run(tmp_path, *options)
        assert "passed" in output
        assert "tries" not in output.split("short test summary")[0].split("FAILURES")[0]
        assert table(output) == {}

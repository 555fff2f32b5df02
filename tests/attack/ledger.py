"""The ledger of attacks: each names itself, and `pytest -m attack` ends in a table of all and their verdicts.

    @attack("a seal sent back by the opponent", "protocol 8", knows="the seal and its proof")
    def test_...(outcome: Outcome) -> None:
        ...
        outcome.rejected(tries=40)

A test that passes without a word to `outcome` counts as one try, rejected. Tests under one name share a
row: their tries add up, and one that fails makes the row "NOT WITHSTOOD".
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

PROPERTY = "attack"
FAILED = "NOT WITHSTOOD"
EVERYTHING_BUT = "all but the other side's secrets"
"""The usual knowledge of an attacker: the code, all that is public, and all secrets of its own."""
_FOLDER = Path(__file__).parent
_LEAST_WIDTH = 110


def attack(name: str, against: str, *, knows: str = EVERYTHING_BUT, withstands: str = "rejected") -> Any:
    """Mark a test as an attack: its name, the sections it attacks, what the attacker knows.

    `withstands` is the verdict when the test passes; `Outcome` may say it more exactly.
    """
    return pytest.mark.attack(name=name, against=against, knows=knows, withstands=withstands)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The text of a passing test for its row; the last word counts."""

    row: dict[str, Any]

    def rejected(self, tries: int = 1, note: str = "") -> None:
        """Every try was refused. `note` says more, such as what a weakened check took."""
        self._say("rejected", tries, note)

    def no_advantage(self, figure: str, tries: int) -> None:
        """The attacker did no better than by guessing; `figure` is what was measured, and the bound."""
        self._say("no advantage", tries, figure)

    def argued(self, why: str) -> None:
        """There is no such attack to run, and why; the test shows what the argument rests on."""
        self._say("no attack exists", 0, why)

    def _say(self, verdict: str, tries: int, note: str) -> None:
        self.row.update(verdict=f"{verdict}: {note}" if note else verdict, tries=tries)


@pytest.fixture
def outcome(request: pytest.FixtureRequest) -> Outcome:
    """The row of this attack, to be filled in."""
    return Outcome(dict(request.node.user_properties)[PROPERTY])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Lay the row on the item before anything can fail: it travels in its reports, from workers too."""
    mark = item.get_closest_marker("attack")
    if mark is not None:
        row = {key: mark.kwargs[key] for key in ("name", "against", "knows")}
        item.user_properties.append((PROPERTY, {**row, "tries": 1, "verdict": mark.kwargs["withstands"]}))


def _asked_for(config: pytest.Config) -> bool:
    """Tell whether the run is about attacks: by `-m attack`, or by naming this folder and nothing else."""
    if re.search(r"(?<!not )\battack\b", config.option.markexpr):
        return True
    given = [Path(config.invocation_params.dir, arg.split("::")[0]).resolve() for arg in config.args]
    return all(path.is_relative_to(_FOLDER) for path in given)


def _rows(reports: Iterable[Any]) -> list[dict[str, Any]]:
    """The rows of the finished tests, those of one name joined, in the order of sections and names."""
    joined: dict[tuple[str, str], dict[str, Any]] = {}
    for report in reports:
        properties = dict(getattr(report, "user_properties", ()))
        if PROPERTY not in properties or not (report.when == "call" or report.failed):
            continue
        row = dict(properties[PROPERTY])
        if not report.passed:
            row["verdict"] = "skipped" if report.skipped else FAILED
        former = joined.setdefault((row["against"], row["name"]), {**row, "tries": 0, "verdicts": []})
        former["tries"] += row["tries"]
        if row["verdict"] not in former["verdicts"]:
            former["verdicts"].append(row["verdict"])
    for row in joined.values():
        row["verdict"] = FAILED if FAILED in row["verdicts"] else "; ".join(row["verdicts"])
    return sorted(joined.values(), key=lambda row: (_numbers(row["against"]), row["name"]))


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _table(rows: list[dict[str, Any]], width: int) -> str:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    columns: list[tuple[str, dict[str, Any]]] = [
        ("attack", {"ratio": 4}),
        ("against", {"ratio": 2}),
        ("the attacker knows", {"ratio": 3}),
        ("tries", {"justify": "right"}),
        ("verdict", {"ratio": 5}),
    ]
    for title, style in columns:
        table.add_column(title, overflow="fold", **style)
    for row in rows:
        cells = (row["name"], row["against"], row["knows"], str(row["tries"] or "-"), row["verdict"])
        table.add_row(*(cell.replace("[", r"\[") for cell in cells))
    out = io.StringIO()
    Console(file=out, width=width, no_color=True, highlight=False).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the table, where the run was about attacks."""
    if not _asked_for(config):
        return
    categories: dict[str, list[Any]] = terminalreporter.stats
    reports = [r for name in ("passed", "failed", "error", "skipped") for r in categories.get(name, [])]
    rows = _rows(r for r in reports if isinstance(r, pytest.TestReport))
    if not rows:
        return
    write: Callable[[str], None] = terminalreporter.write_line
    terminalreporter.section("attacks")
    write(_table(rows, max(_LEAST_WIDTH, terminalreporter._tw.fullwidth)))
    failed = sum(row["verdict"] == FAILED for row in rows)
    write(f"{len(rows)} attacks, {sum(row['tries'] for row in rows)} tries, {failed} not withstood")

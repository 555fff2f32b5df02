"""The mode that docs/modes.md shows whole is a mode: registered by an entry point, and played to the end."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Any

import pytest

from bots import default_name
from cards import games
from cards.games.contract import Mode
from cloche.table.presenter import Presenter
from cloche.table.presenters import presenter_of
from referee import verify_entries
from tests.cards.games.contract_kit import check_clocks, check_ends, check_facts, watch
from tests.paths import DOCS
from tests.referee.table import Table

PAGE = (DOCS / "modes.md").read_text()


@pytest.fixture
def hilo(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mode[Any]]:
    """The page's text, as an installed package has it."""
    [text] = re.findall(r"```python\n(\"\"\"Higher or lower.*?)```", PAGE, re.S)
    module = ModuleType("hilo.rules")
    monkeypatch.setitem(sys.modules, "hilo", ModuleType("hilo"))
    monkeypatch.setitem(sys.modules, "hilo.rules", module)
    exec(compile(text, "docs/modes.md", "exec"), module.__dict__)
    [named] = re.findall(r'^hilo = "(.*?)"', PAGE, re.M)
    entry = EntryPoint("hilo", named, "cloche.modes")
    monkeypatch.setattr(games, "_modes", {})
    monkeypatch.setattr(games, "entry_points", lambda group: [entry] if group == "cloche.modes" else [])
    games._load.cache_clear()
    yield module.MODE
    games._load.cache_clear()


def test_it_is_found_by_its_entry_point(hilo: Mode[Any]) -> None:
    assert "hilo" in games.names()
    assert games.find("hilo") is hilo
    assert default_name("hilo") == "random"
    assert type(presenter_of(hilo)) is Presenter


def test_it_is_about_a_hundred_lines() -> None:
    [text] = re.findall(r"```python\n(\"\"\"Higher or lower.*?)```", PAGE, re.S)
    assert len([line for line in text.splitlines() if line.strip()]) <= 120


@pytest.mark.parametrize("seats", [1, 2, 10])
def test_it_keeps_the_contract(hilo: Mode[Any], seats: int) -> None:
    for seed in range(3):
        watch("hilo", seats, seed)


def test_its_facts_and_ends_are_in_order(hilo: Mode[Any]) -> None:
    check_facts("hilo")
    check_clocks("hilo")
    check_ends("hilo")


def test_it_is_played_at_the_referees_table_and_its_record_is_verified(hilo: Mode[Any]) -> None:
    table = Table.open("hilo", 3, seed=8)
    while not table.game.over:
        table.step()
    assert table.game.outcome is not None
    assert sum(table.game.outcome.points) > 0
    kinds = [entry.kind for entry in table.record]
    assert kinds.count("turn") == 16
    assert kinds.count("account") == 15
    assert kinds[-2:] == ["shown", "result"]
    report = verify_entries([entry.json() for entry in table.record], None)
    assert report.valid, report.fault

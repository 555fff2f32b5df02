"""The figures of the page in a browser: read as they were written, and held against their budgets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import browser, in_kitchen, results
from benchmarks.browser import SIZE_BUDGETS, TIME_BUDGETS, BrowserFigures
from benchmarks.matches import played
from benchmarks.page import page
from cloche.commands.measure import bench, in_browser
from cloche.main import main
from tests.benchmarks.page_kit import MACHINE

GOOD = BrowserFigures(
    "2026-11-22",
    MACHINE,
    "Chromium 1.2.3",
    {name: (most / 2, most * 3.0) for name, (most, _) in TIME_BUDGETS.items()},
    {name: most - 1 for name, (most, _) in SIZE_BUDGETS.items()},
)


def test_the_best_time_counts() -> None:
    assert GOOD.over == []
    slow = replace(GOOD, times={**GOOD.times, "meal_ms": (251.0, 300.0)})
    large = replace(slow, sizes={**GOOD.sizes, "page_bytes": 150_001})
    assert large.over == ["meal_ms", "page_bytes"]
    assert browser.section(large).count("**over**") == 2
    assert "Chromium 1.2.3" in browser.section(GOOD)


def test_figures_are_read_as_they_were_written() -> None:
    assert browser.read(GOOD.text()) == GOOD
    for text in ("", "{}", "[]", GOOD.text().replace("meal_ms", "meal")):
        with pytest.raises(ValueError, match=r"figures|Expecting|time"):
            browser.read(text)


def test_the_command_writes_them_into_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other figures of the page stay as they were published."""
    whole = results.read((bench.DOCS / bench.DATA).read_text(encoding="utf-8"))
    (tmp_path / bench.DATA).write_text(whole.text(), encoding="utf-8")
    monkeypatch.setattr(bench, "DOCS", tmp_path)
    slow = replace(GOOD, times={**GOOD.times, "ready_ms": (5001.0,)})
    for found, code in ((GOOD, 0), (slow, 1)):
        monkeypatch.setattr(in_browser, "_measured", lambda found=found: found)
        done = CliRunner().invoke(main, ["bench", "--page", "--write", "--strict"])
        assert done.exit_code == code, done.output
        assert "meal_ms: 125 of 250" in done.stdout
        assert browser.read((tmp_path / browser.DATA).read_text()) == found
        assert (tmp_path / bench.PAGE).read_text() == page(whole, "", browser.section(found))


def test_what_is_lacking_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_browser.Page, "built", classmethod(lambda cls: None))
    done = CliRunner().invoke(main, ["bench", "--page"])
    assert (done.exit_code, "[no_page]" in done.stderr) == (1, True)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(browser.CantMeasure, match=r"Node\.js"):
        browser.tools()
    assert CliRunner().invoke(main, ["bench", "--page", "--only", "meal_prove"]).exit_code == 2


def test_a_record_that_does_not_hold_has_no_time() -> None:
    _, record = played(0, rounds=1)
    with pytest.raises(ValueError, match="does not hold"):
        in_kitchen._verified(record.data.replace(b'"seq":3', b'"seq":4', 1))
    assert in_kitchen._verified(record.data) > 0

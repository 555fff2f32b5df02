"""The page and its picture follow from the results alone, and the command writes them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import browser, results
from benchmarks.chart import chart
from benchmarks.figures import FIGURES, find
from benchmarks.load.report import published
from benchmarks.machine import describe
from benchmarks.measure import Measured, Took, WorkPair, summary
from benchmarks.page import number, page
from benchmarks.results import Results, read, validator
from cloche.commands.measure import bench
from cloche.main import main
from tests.benchmarks.page_kit import MACHINE


def some(name: str, ratio: float) -> Measured:
    """A measured figure with that ratio."""
    figure = find(name)
    pairs = [(Took(ratio * k, ratio * k), Took(1.0, 1.0)) for k in (0.9, 1.0, 1.1) * 15]
    contest = WorkPair(
        lambda: (bool, bool), terms=133, proof_bytes=2944, decoded=7, sizes={"record": 187_695}
    )
    return summary(figure, contest, pairs)


@pytest.fixture
def good() -> Results:
    return Results("2026-11-21", MACHINE, tuple(some(f.name, 0.8 * (f.bound or 50)) for f in FIGURES))


@pytest.fixture
def bad(good: Results) -> Results:
    return Results(
        good.date, good.machine, (some("meal_verify", 1.7), some("record_verify", 9.0), *good.figures[1:3])
    )


def test_results_survive_their_json_and_keep_the_schema(good: Results, bad: Results) -> None:
    for found in (good, bad):
        validator().validate(json.loads(found.text()))
        assert read(found.text()) == found


def test_the_schema_refuses_anything_but_results(good: Results) -> None:
    data = json.loads(good.text())
    for change in ({"format": 2}, {"date": "today"}, {"figures": [{}]}, {"more": 1}):
        with pytest.raises(ValueError, match=r"\$"):
            read(json.dumps(data | change))
    with pytest.raises(ValueError, match="Expecting"):
        read("no JSON")


def test_the_page_says_what_is_over_its_bound(good: Results, bad: Results) -> None:
    assert "all 13 ratios that have a bound keep it" in page(good)
    text = page(bad)
    assert "**over it: `meal_verify`, `record_verify`**" in text
    assert "| `meal_verify` | **1.70** | 1.53 to 1.87 | 1.5 | **over** |" in text


def test_the_page_has_every_figure_and_the_machine_but_no_folder(good: Results) -> None:
    text = page(good)
    assert all(f"`{figure.name}`" in text and figure.how in text for figure in FIGURES)
    assert "Some & Processor, 2 cores" in text
    assert "py-ecc 8.0.0" in text
    assert "187,695 bytes" in text
    assert str(Path.home()) not in text


def test_the_same_results_give_the_same_page_and_picture(good: Results) -> None:
    again = read(good.text())
    assert (page(again), chart(again)) == (page(good), chart(good))


def test_the_picture_has_a_bar_for_each_bound_and_marks_those_over(good: Results, bad: Results) -> None:
    space = {"s": "http://www.w3.org/2000/svg"}
    tree = ElementTree.fromstring(chart(good))
    assert len(tree.findall("s:rect[@class='within']", space)) == 13
    assert not tree.findall("s:rect[@class='over']", space)
    tree = ElementTree.fromstring(chart(bad))
    assert len(tree.findall("s:rect[@class='over']", space)) == 2
    values = ["".join(text.itertext()) for text in tree.findall("s:text[@class='value']", space)]
    assert values == ["1.70 of 1.5: over", "4.00 of 5", "1.20 of 1.5", "9.00 of 3: over"]
    widths = [float(rect.attrib["width"]) for rect in tree.findall("s:rect", space)]
    assert all(0 < width <= 900 for width in widths)


def test_figures_keep_three_digits() -> None:
    assert [number(n) for n in (0.1234, 1.005, 12.34, 123.4, 2551.0)] == [
        "0.12",
        "1.00",
        "12.3",
        "123",
        "2,551",
    ]


def test_this_machine_has_a_name() -> None:
    found = describe()
    assert found.processor
    assert found.cores >= 1
    assert "py-ecc" in found.libraries


def test_the_published_page_is_the_one_of_its_published_figures() -> None:
    found = read((bench.DOCS / bench.DATA).read_text(encoding="utf-8"))
    assert found.in_full
    assert (bench.DOCS / bench.PAGE).read_text(encoding="utf-8") == page(
        found, published(bench.DOCS), browser.published(bench.DOCS)
    )
    assert (bench.DOCS / bench.PICTURE).read_text(encoding="utf-8") == chart(found)


def test_the_command_writes_results_page_and_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, good: Results, bad: Results
) -> None:
    (tmp_path / "pictures").mkdir()
    monkeypatch.setattr(bench, "DOCS", tmp_path)
    given = tmp_path / "given.json"
    given.write_text(good.text())
    done = CliRunner().invoke(main, ["bench", "--from", str(given), "--write", "--strict", "--json"])
    assert done.exit_code == 0, done.output
    assert results.read(done.stdout) == good
    assert (tmp_path / "performance.md").read_text() == page(good)
    assert (tmp_path / "pictures" / "performance.svg").read_text() == chart(good)
    given.write_text(bad.text())
    for options, code in (([], 0), (["--strict"], 1), (["--write"], 2)):
        done = CliRunner().invoke(main, ["bench", "--from", str(given), *options])
        assert done.exit_code == code
        assert code == 2 or "Over its bound: record_verify: 9.00, allowed is 3 or less." in done.stdout


@pytest.mark.processes
def test_the_command_measures_one_figure(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = CliRunner().invoke(
        main, ["bench", "--only", "meal_verify", "--alternations", "1", "--out", str(out)]
    )
    assert done.exit_code == 0, done.output
    found = read(out.read_text())
    assert [(figure.name, figure.alternations, figure.terms) for figure in found.figures] == [
        ("meal_verify", 3, 133)
    ]
    assert "meal_verify" in done.stdout


def test_work_that_fails_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = replace(find("meal_verify"), prepare=lambda: WorkPair(lambda: (lambda: True, lambda: False)))
    monkeypatch.setattr(bench, "FIGURES", (bad,))
    done = CliRunner().invoke(main, ["bench"])
    assert done.exit_code == 1
    assert "[work_failed]: meal_verify" in done.stderr


@pytest.mark.parametrize("options", [["--only", "meal_verify"], ["--alternations", "14"]])
def test_published_figures_are_measured_in_full(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["bench", "--write", *options])
    assert done.exit_code == 2
    assert "needs all figures and at least 15 alternations" in done.stderr


def test_figures_are_listed_without_measuring() -> None:
    done = CliRunner().invoke(main, ["bench", "--list"])
    assert done.exit_code == 0
    assert all(figure.name in done.stdout for figure in FIGURES)


def test_a_file_that_holds_no_results_is_refused(tmp_path: Path) -> None:
    given = tmp_path / "given.json"
    given.write_text('{"format": 1}')
    done = CliRunner().invoke(main, ["bench", "--from", str(given)])
    assert done.exit_code == 2
    assert "[unreadable]" in done.stderr

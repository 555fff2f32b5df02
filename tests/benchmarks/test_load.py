"""`cloche load`: what it counts is true, its results keep their form, and it loads nobody's house unasked."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from rich.console import Console
from sqlmodel import select

from benchmarks.load import growth, parts, processes, report
from benchmarks.load.bare import matches
from benchmarks.load.driver import Job, addresses
from benchmarks.load.findings import SCHEMA, Grown, LoadFinding, LoadResults, PartResults, read, row, today
from benchmarks.load.heard import Heard, percentile
from benchmarks.load.open_loop import shared
from benchmarks.page import number
from benchmarks.results import validator
from benchmarks.turns.house import opened
from benchmarks.turns.serving import SEATS, prepare
from cloche.commands.measure import load, loading
from cloche.main import main
from service.models import GameRow
from tests.benchmarks.page_kit import MACHINE

HEARD = Heard(2.0, 4, 0.5, 8, [1.0, 2.0], [3.0, 4.0], [5.0], [1.0], 2, Counter(line_lost=1), 0.04)
GOOD = LoadFinding("turn_sqlite", 1.5, "ratio", 2.0, "A turn.", {"house ms": 3.0})
LATE = LoadFinding("open_loop_p99_ms", 512.0, "ms", 200, "A loop.")
LITTLE = LoadFinding("overload_share", 0.5, "ratio", 0.9, "Much.", at_least=True)
PEOPLE = PartResults(
    [LoadFinding("people", 3.0, "ratio", 2.0, "pair from the queue, of all.")],
    grown=[Grown("GET /tables", 1.0, 1.5), Grown("pair from the queue", 2.0, 6.0)],
)
NONE = LoadFinding("statements_read", 0.0, "statements", 0, "A read.")


@pytest.fixture
def found() -> LoadResults:
    """Results with a figure of every kind."""
    loads = [row("a load", HEARD, {7: 1.0}, {7: 1.5, 9: 0.1})]
    return today(MACHINE, PartResults([GOOD, LATE, LITTLE, NONE], loads, ["turn_boardgame: no Node."]))


def test_a_row_counts_what_each_process_used() -> None:
    counted = row("a load", HEARD, {7: 1.0, 8: 2.0}, {7: 1.5, 9: 0.1})
    assert (counted.throughput, counted.planned) == (4.0, 8.0)
    assert counted.cpu == {"process 1": 62.5, "process 2": 12.5}, "a process that has ended counts no more"
    assert (counted.p50, counted.p99, counted.receipt_p99) == (4.0, 4.0, 2.0)
    assert (counted.refused, counted.faults, counted.drivers) == (3, {"line_lost": 1}, 5.0)
    silent = row("silence", replace(HEARD, seen=[], answered=[], moved=0), {}, {})
    assert (silent.p50, silent.p99, silent.throughput) == (None, None, 0.0)


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(number) for number in range(100, 0, -1)]
    assert [percentile(values, share) for share in (0.0, 0.5, 0.99, 1.0)] == [1.0, 51.0, 100.0, 100.0]
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)


def test_goals_are_the_most_or_the_least_that_is_allowed(found: LoadResults) -> None:
    assert [one.within for one in found.found.findings] == [True, False, False, True]
    assert found.over == [LATE, LITTLE]
    assert replace(GOOD, goal=None).within is None


def test_results_survive_their_json_and_keep_the_schema(found: LoadResults) -> None:
    data = json.loads(found.text())
    validator(SCHEMA).validate(data)
    assert read(found.text()).text() == found.text()
    assert data["figures"] == {
        "turn_sqlite": 1.5,
        "open_loop_p99_ms": 512.0,
        "overload_share": 0.5,
        "statements_read": 0.0,
    }
    for change in ({"format": 2}, {"date": "today"}, {"findings": [{}]}, {"rows": [{}]}, {"more": 1}):
        with pytest.raises(ValueError, match=r"\$"):
            read(json.dumps(data | change))


def test_the_section_names_what_is_over_and_what_is_missing(found: LoadResults) -> None:
    text = report.section(found)
    assert "2 of 4 figures reach their goals; **not: `open_loop_p99_ms`, `overload_share`**" in text
    assert "| `turn_sqlite` | **1.50** | at most 2 | within | A turn. house ms 3.00 |" in text
    assert "| `overload_share` | **0.50** | at least 0.9 | **over** |" in text
    assert "| a load | 4.00 | 8.00 | 4.00 | 4.00 | 3 | line_lost 1 | 62.5 + 12.5 |" in text
    assert "- turn_boardgame: no Node." in text
    assert "- `open_loop_p99_ms`: the slowest of four loads counts." in text
    assert "`overload_share`:" not in text  # no cause is known
    assert str(Path.home()) not in text


def test_the_picture_draws_every_goal(found: LoadResults) -> None:
    space = {"s": "http://www.w3.org/2000/svg"}
    tree = ElementTree.fromstring(report.picture(found))
    values = ["".join(text.itertext()) for text in tree.findall("s:text[@class='value']", space)]
    assert values == [
        "1.50 of 2",
        "512 ms of 200: over",
        "0.50 of at least 0.9: over",
        "0 statements of 0",
    ]
    assert len(tree.findall("s:rect[@class='over']", space)) == 2
    widths = [float(rect.attrib["width"]) for rect in tree.findall("s:rect", space)]
    assert all(0 <= width <= 900 for width in widths)


def test_every_figure_has_a_part_and_a_title() -> None:
    assert set(parts.FIGURES) == set(report.TITLES)
    assert len(parts.FIGURES) == len(set(parts.FIGURES))
    assert set(report.CAUSES) <= set(parts.FIGURES)
    named = "turn_sqlite turn_postgresql turn_http turn_boardgame turn_sealed statements_post statements_read"
    named += " open_loop_p99_ms overload_share listener_kib long_game grown processes"
    assert set(named.split()) <= set(parts.FIGURES)
    with pytest.raises(KeyError):
        parts.parts_of(["no_such_figure"])


def test_drivers_share_matches_and_never_a_game() -> None:
    job = Job("http://127.0.0.1:1", "flip", {}, 2, 7, False, 1)
    jobs = shared(job, 3)
    assert [one.matches for one in jobs] == [3, 2, 2]
    assert [one.first for one in jobs] == [0, 3, 5]
    assert len({one.seed for one in jobs}) == 3
    assert len(shared(job, 100)) == 7


def test_addresses_are_loopback_and_shared_as_asked() -> None:
    found = Counter(addresses(1_000, 25))
    assert len(found) == 40
    assert set(found.values()) == {25}
    assert all(str(address).startswith("127.") for address in found)
    assert len(set(addresses(130_000, 1))) == 130_000


def test_a_full_house_keeps_as_many_games_as_asked(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        growth.fill(house, 25)
        with house.runtime.read() as session:
            assert len(session.exec(select(GameRow.id)).all()) == 25 + 1
        match = growth._flip(house, 3)
        spent = growth.turn(house, match, lambda: (match.due()[0], None))
        assert spent > 0


def test_games_of_the_bound_need_no_house(tmp_path: Path) -> None:
    file = tmp_path / "games.json"
    bound = prepare(f"sqlite:///{tmp_path / 'bound.sqlite3'}", 3, file)
    bound.close()
    found = matches(file, 1, 2)
    assert len(found) == 2
    assert all(len(match.seats) == SEATS for match in found)
    message = found[0].message(found[0].due()[0])
    assert found[0].due() == [], "the message has to come back first"
    assert message.game == found[0].id


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["http://127.0.0.1:1"], "If it is yours, say so with --yes"),
        (["http://127.0.0.1:1", "--yes", "--beside"], "takes an open loop alone"),
        (["http://127.0.0.1:1", "--beside"], "If it is yours, say so with --yes"),
        (["--write"], "--write needs --all"),
        (["--only", "nothing"], "There is no figure nothing here"),
        (["--mode", "bridge"], "There is no mode bridge"),
        (["--mode", "flip=0"], "The share of flip must be a whole number"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_starts(arguments: list[str], text: str) -> None:
    done = CliRunner().invoke(main, ["load", *arguments])
    assert done.exit_code == 2
    assert text in " ".join(done.stderr.replace("│", " ").split())


def test_where_no_process_can_be_looked_at_only_an_open_loop_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "PROC", Path("/no/such/folder"))
    assert processes.family(1) == []
    done = CliRunner().invoke(main, ["load", "--slow"])
    assert (done.exit_code, "only Linux has" in done.stderr) == (2, True)


def test_processes_are_counted_with_their_children() -> None:
    own = os.getpid()
    assert processes.family(own)[0] == own
    assert processes.cpu([own])[own] > 0
    assert processes.cpu([2**22 + 1]) == {2**22 + 1: 0.0}
    assert processes.private_kib(own) > 1_000


def test_the_figures_are_listed() -> None:
    done = CliRunner().invoke(main, ["load", "--list"])
    assert done.exit_code == 0
    assert all(name in done.stdout for name in parts.FIGURES)


@pytest.mark.parametrize("width", [40, 80, 109, 110, 200])
def test_results_are_shown_whole_whatever_the_width(width: int, found: LoadResults) -> None:
    console = Console(file=io.StringIO(), width=width, highlight=False, soft_wrap=True)
    loading.show(console, found)
    assert isinstance(console.file, io.StringIO)
    words = console.file.getvalue().split()
    for load_row in found.found.rows:
        assert {*load_row.what.split()} <= {*words}
        assert {number(load_row.throughput), report.optional(load_row.p99)} <= {w.strip(",") for w in words}
    for finding in found.found.findings:
        assert finding.name in words


def test_the_command_shows_and_writes_given_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: LoadResults
) -> None:
    given, picture = tmp_path / "given.json", tmp_path / "load.svg"
    given.write_text(found.text())
    done = CliRunner().invoke(main, ["load", "--from", str(given), "--picture", str(picture)])
    assert done.exit_code == 0, done.output
    assert picture.read_text() == report.picture(found)
    assert "Misses its goal: open_loop_p99_ms: 512 ms, the goal is at most 200." in done.stdout
    assert CliRunner().invoke(main, ["load", "--from", str(given), "--strict"]).exit_code == 1
    done = CliRunner().invoke(main, ["load", "--from", str(given), "--write"])
    assert (done.exit_code, "--write needs the results of --all" in done.stderr) == (2, True)


def test_the_page_is_written_from_a_full_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [LoadFinding(name, 0.5, "ratio", 1.0, "Something.") for name in parts.FIGURES]
    full = today(MACHINE, PartResults(every, grown=PEOPLE.grown))
    given = tmp_path / "given.json"
    given.write_text(full.text())
    (tmp_path / "pictures").mkdir()
    shutil.copy(loading.DOCS / loading.BENCH, tmp_path)
    monkeypatch.setattr(loading, "DOCS", tmp_path)
    done = CliRunner().invoke(main, ["load", "--from", str(given), "--write"])
    assert done.exit_code == 0, done.output
    house, people = full.parted()
    assert (tmp_path / report.DATA).read_text() == house.text()
    assert (tmp_path / report.PEOPLE).read_text() == people.text()
    assert (tmp_path / report.PICTURE).read_text() == report.picture(house)
    text = (tmp_path / load.PAGE).read_text()
    assert report.section(house) in text
    assert report.crowd(people) in text
    assert report.published(tmp_path) == report.section(house) + "\n" + report.crowd(people)


def test_what_players_do_is_written_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures of a house under load stay as they were published."""
    (tmp_path / "pictures").mkdir()
    for name in (loading.BENCH, report.DATA):
        shutil.copy(loading.DOCS / name, tmp_path)
    given, before = tmp_path / "given.json", (tmp_path / report.DATA).read_text()
    given.write_text(today(MACHINE, PEOPLE).text())
    monkeypatch.setattr(loading, "DOCS", tmp_path)
    done = CliRunner().invoke(main, ["load", "--from", str(given), "--write"])
    assert done.exit_code == 0, done.output
    assert (tmp_path / report.DATA).read_text() == before
    assert not (tmp_path / report.PICTURE).exists()
    text = (tmp_path / load.PAGE).read_text()
    assert "1 of 2 lists and operations keep to that; **not: pair from the queue**." in text
    assert "| pair from the queue | 2.00 | 6.00 | 3.00 |" in text
    assert "| `grown` |" in text


def test_the_published_picture_is_the_one_of_the_published_figures() -> None:
    data, picture = loading.DOCS / report.DATA, loading.DOCS / report.PICTURE
    assert data.exists() == picture.exists()
    drawn = [report.picture(read(file.read_text())) for file in (data,) if file.exists()]
    assert drawn == [file.read_text() for file in (picture,) if file.exists()]


def test_a_load_that_lost_something_fails(tmp_path: Path, found: LoadResults) -> None:
    given = tmp_path / "given.json"
    given.write_text(
        replace(found, found=found.found + PartResults(wrong=["a record lacks an entry"])).text()
    )
    done = CliRunner().invoke(main, ["load", "--from", str(given)])
    assert done.exit_code == 1
    assert "Not right afterwards: a record lacks an entry" in done.stdout

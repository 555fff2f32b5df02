"""Random games a second: whole games of every mode by its rules, and where the rates are shown."""

from __future__ import annotations

import json
from itertools import islice
from random import Random

import pytest
from click.testing import CliRunner

from benchmarks import playouts, rates
from benchmarks.page import page
from benchmarks.rates import LEAST, Rate, measure, rate
from benchmarks.results import Results, read, validator
from cards.games import find, names
from cloche.main import main
from tests.benchmarks.page_kit import MACHINE


def test_every_mode_has_as_many_seats_as_elsewhere() -> None:
    players = {player.name: player for player in playouts.ours()}
    assert [*players] == [playouts.slug(name) for name in names()]
    assert players["hearts"].seats == 4
    assert players["cribbage"].seats == 2
    assert all(player.seats >= 1 for player in players.values())


@pytest.mark.parametrize("name", ["chef", "cribbage", "hearts"])
def test_random_games_are_played_to_the_end(name: str) -> None:
    low, high = find(name).facts.seats
    source = playouts.playouts(find(name), min(max(low, 2), high), Random(1))
    ends = 0
    decisions = 0
    for going in islice(source, 20_000):
        decisions += going
        ends += not going
        if ends == 2:
            break
    assert ends == 2
    assert decisions > 20


def test_rates_are_measured_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "SLICE", 0.02)
    monkeypatch.setattr(rates, "HANDS", 500)
    heard: list[str] = []
    only = ["playouts_cribbage", "decisions_cribbage", "cribbage_show"]
    found = {figure.name: figure for figure in measure(2, only, heard.append)}
    assert [*found] == only
    assert heard == ["cribbage", "cribbage", "cribbage_show"]
    games, decisions = found["playouts_cribbage"], found["decisions_cribbage"]
    assert 50 < decisions.per_second.median / games.per_second.median < 400, "decisions of a game"
    assert (games.least, games.slices, games.seats, games.unit) == (250, 2, 2, "games")
    assert found["cribbage_show"].unit == "hands"


def some() -> tuple[Rate, ...]:
    return (
        rate("playouts_cribbage", "Cribbage", "games", 2, [300.0, 310.0, 320.0]),
        rate("decisions_hearts", "Chinese Hearts", "decisions", 4, [15_000.0]),
        rate("decisions_open_spiel_hearts", "open_spiel 2.0.2, hearts", "decisions", 4, [30_000.0]),
    )


def test_results_with_rates_survive_their_json() -> None:
    found = Results("2026-11-21", MACHINE, (), some(), ("rlcard",))
    validator().validate(json.loads(found.text()))
    assert read(found.text()) == found
    assert [each.name for each in found.slow] == ["decisions_hearts"]


def test_the_page_tells_rates_and_what_is_not_installed() -> None:
    text = page(Results("2026-11-21", MACHINE, (), some(), ("rlcard",)))
    assert "| `playouts_cribbage` | Cribbage | 2 | **310** games | 305 to 315 | 250 | within |" in text
    assert (
        "| `decisions_hearts` | Chinese Hearts | 4 | **15,000** decisions |  | 20,000 | **below** |" in text
    )
    assert "Not installed, so not measured: rlcard." in text
    assert "How fast the games are" not in page(Results("2026-11-21", MACHINE, ()))


def test_what_is_promised_can_be_measured() -> None:
    known = {*rates.names()}
    assert {name for name in LEAST if name.partition("_")[2] in {playouts.slug(n) for n in names()}} <= known
    assert {"cribbage_show", "cribbage_show_all"} <= known


def test_the_command_measures_one_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "SLICE", 0.02)
    done = CliRunner().invoke(main, ["bench", "--only", "decisions_hearts", "--alternations", "1", "--json"])
    assert done.exit_code == 0, done.output
    (figure,) = read(done.stdout).rates
    assert (figure.name, figure.slices) == ("decisions_hearts", 1)
    done = CliRunner().invoke(main, ["bench", "--only", "decisions_of_others"])
    assert done.exit_code == 2
    assert "There is no figure decisions_of_others" in done.stderr

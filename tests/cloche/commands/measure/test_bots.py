"""`cloche bots`: bots of every mode against each other, as a table, JSON, a picture and docs/bots.md."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from bots import bots_for, contest
from bots.contest import Field
from bots.league import Share
from bots.simulate import Playthrough
from cards import games
from cards.games import find, names
from cards.games.contract import Outcome
from cloche.commands.measure.bots_page import chart, page
from cloche.main import main
from tests.paths import DOCS


def test_every_mode_with_bots_is_played() -> None:
    found = contest.fields(names())
    assert {one.mode for one in found} >= {"chef", "hearts", "flip"}
    for one in found:
        assert one.seats == max(2, find(one.mode).facts.seats[0])
        assert one.bots == tuple(bots_for(one.mode))
    two, three = Field("flip", 2, ("nimble", "tutor", "random")), Field("hearts", 3, ("careful", "random"))
    assert two.pairs == [("nimble", "tutor"), ("nimble", "random"), ("tutor", "random")]
    assert three.pairs == [("careful", "random"), ("random", "careful")]


def test_the_same_seed_plays_the_same_games_and_both_ways_add_up() -> None:
    chosen = contest.fields(["flip"])
    told: list[int] = []
    one, again = (contest.run(chosen, 14, seed=3, told=told.append) for _ in range(2))
    assert one.won == again.won
    assert sum(told) == 2 * 14 * 3
    [flip] = chosen
    for bot, other in flip.pairs:
        assert one.against(flip, bot, other).won + one.against(flip, other, bot).won == 14
    assert one.against(flip, "nimble", "random").value > 0.5


@pytest.mark.parametrize(("mode", "seats"), [("flip", 2), ("hearts", 3)])
def test_a_bot_sits_at_every_seat_of_the_same_deal(
    mode: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[tuple[int, object]] = []

    def watched(rules: object, bots: list[object], rng: Random, **more: object) -> Playthrough:
        found.append((bots.index(bots_for(mode)["random"]), rng.getstate()))
        return Playthrough(Outcome((0,) * seats, (0,), "points"), (), 0)

    monkeypatch.setattr(contest, "play", watched)
    best = next(iter(bots_for(mode)))
    played = contest.run([Field(mode, seats, ("random", best))], 2 * seats)
    assert [seat for seat, _ in found[: 2 * seats]] == [*range(seats)] * 2
    assert len({state for _, state in found[:seats]}) == 1
    assert found[0][1] != found[seats][1]
    assert played.won[mode, ("random", best)] == Share(2, 2 * seats)


def test_it_is_printed_written_as_json_and_drawn(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["bots", "flip", "--games", "4", "--cores", "1"])
    assert run.exit_code == 0, run.output
    assert "nimble" in run.output
    assert "50%" in run.output
    picture = tmp_path / "bots.svg"
    asked = ["bots", "flip", "--games", "4", "--cores", "1", "--json", "--chart", str(picture)]
    found = json.loads(CliRunner().invoke(main, asked).stdout)
    assert found["games"] == 4
    assert [mode["mode"] for mode in found["modes"]] == ["flip"]
    for pair in found["modes"][0]["pairs"]:
        assert 0 <= pair["low"] <= pair["share"] <= pair["high"] <= 1
        assert pair["of"] == 4
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")


def test_a_mode_that_there_is_not_is_refused() -> None:
    run = CliRunner().invoke(main, ["bots", "whist"])
    assert run.exit_code == 2
    assert "whist is none of" in run.output
    assert CliRunner().invoke(main, ["bots", "flip", "--write"]).exit_code == 2


def test_the_page_is_of_its_figures() -> None:
    """docs/bots.json is a run of `cloche bots --write`; page and picture are of it, and random is beaten."""
    found = json.loads((DOCS / "bots.json").read_text())
    assert page(found) == (DOCS / "bots.md").read_text()
    assert chart(found) == (DOCS / "pictures" / "bots.svg").read_text()
    for mode in found["modes"]:
        assert mode["bots"] == [*bots_for(mode["mode"])]
        for pair in mode["pairs"]:
            low, high = Share(pair["won"], pair["of"]).interval()
            assert (pair["low"], pair["high"]) == (round(low, 4), round(high, 4))
        best = next(p for p in mode["pairs"] if (p["bot"], p["against"]) == (mode["bots"][0], "random"))
        assert best["low"] > mode["chance"], "the best bot of a mode beats random play beyond doubt"


def test_a_mode_of_a_third_party_is_measured_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has no bot of its own has nobody to play against."""
    foreign = type(find("flip"))()
    foreign.facts = replace(foreign.facts, name="pfannkuchen")
    games.names()
    monkeypatch.setitem(games._modes, "pfannkuchen", {"1": foreign})
    assert contest.fields(["pfannkuchen"]) == ()

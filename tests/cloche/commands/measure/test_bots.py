"""`cloche bots`: bots of every mode against each other, as a table, JSON, a picture and docs/bots.md."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from bots import bots_for, contest, levels_of
from bots.contest import Deals, Field
from bots.exploiters import exploiters_for
from bots.goals import GOALS, Goal
from bots.league import WinShare
from bots.simulate import Playthrough
from cards import games
from cards.games import find, names
from cards.games.contract import Outcome
from cloche.commands.measure.bots import merged
from cloche.commands.measure.bots_page import chart, measured, page
from cloche.main import main
from tests.paths import DOCS


def test_every_mode_with_bots_is_played() -> None:
    found = contest.fields(names())
    assert {one.mode for one in found} >= {"chef", "hearts", "flip"}
    for mode in {one.mode for one in found}:
        low, high = find(mode).facts.seats
        assert [one.seats for one in found if one.mode == mode] == [*range(max(2, low), high + 1)]
    for one in found:
        known = bots_for(one.mode)
        assert one.bots == tuple(bot for bot in known if one.seats <= getattr(known[bot], "most_seats", 99))
        assert one.exploiters == tuple(exploiters_for(one.mode))
    two, three = Field("flip", 2, ("nimble", "tutor", "random")), Field("hearts", 3, ("careful", "random"))
    assert two.pairs == [("nimble", "tutor"), ("nimble", "random"), ("tutor", "random")]
    assert three.pairs == [("careful", "random"), ("random", "careful")]
    spoilt = Field("hearts", 3, ("careful", "random"), ("highest",))
    assert spoilt.pairs == [*three.pairs, ("highest", "careful")]


def test_a_bot_that_thinks_plays_fewer_games_and_every_deal_from_every_seat() -> None:
    five = Field("hearts", 5, ("shrewd", "careful", "random"))
    assert five.games(("careful", "random"), 21) == 25
    assert five.games(("shrewd", "random"), 21) == 5
    assert five.games(("shrewd", "random"), 26) == 10
    assert five.games(("careful", "shrewd"), 75) == 5
    assert five.games(("careful", "shrewd"), 76) == 10


def test_the_same_seed_plays_the_same_games_and_both_ways_add_up() -> None:
    flip = replace(contest.fields(["flip"])[0], bots=("nimble", "tutor", "random"))
    told: list[int] = []
    one, again = (contest.run([flip], 14, seed=3, told=told.append) for _ in range(2))
    assert one.won == again.won
    assert sum(told) == 2 * 14 * len(flip.pairs)
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
    played = contest.run([Field(mode, seats, ("random", best))], 2 * seats * contest.ALL_THINKING)
    assert [seat for seat, _ in found[: 2 * seats]] == [*range(seats)] * 2
    assert len({state for _, state in found[:seats]}) == 1
    assert found[0][1] != found[seats][1]
    assert played.won[mode, seats, ("random", best)].value == pytest.approx(1 / seats)


def test_it_is_printed_written_as_json_and_drawn(tmp_path: Path) -> None:
    run = CliRunner().invoke(main, ["bots", "flip", "--seats", "3", "--games", "3", "--cores", "1"])
    assert run.exit_code == 0, run.output
    assert "nimble" in run.output
    assert "33%" in run.output
    picture = tmp_path / "bots.svg"
    asked = [
        "bots",
        "flip",
        "--seats",
        "3",
        "--games",
        "3",
        "--cores",
        "1",
        "--json",
        "--chart",
        str(picture),
    ]
    found = json.loads(CliRunner().invoke(main, asked).stdout)
    assert [mode["mode"] for mode in found["modes"]] == ["flip"]
    [played] = found["modes"][0]["tables"]
    assert (played["seats"], played["games"]) == (3, 3)
    for pair in played["pairs"]:
        assert 0 <= pair["low"] <= pair["share"] <= pair["high"] <= 1
        assert pair["of"] == 3
    assert ElementTree.fromstring(picture.read_text()).tag.endswith("svg")


def test_a_mode_that_there_is_not_is_refused() -> None:
    run = CliRunner().invoke(main, ["bots", "whist"])
    assert run.exit_code == 2
    assert "whist is none of" in run.output


def test_the_page_is_of_its_figures() -> None:
    """docs/bots.json is a run of `cloche bots --write`; page and picture are of it, and random is beaten."""
    found, fields = json.loads((DOCS / "bots.json").read_text()), contest.fields(names())
    assert page(found) == (DOCS / "bots.md").read_text()
    assert chart(found) == (DOCS / "pictures" / "bots.svg").read_text()
    assert [mode["mode"] for mode in found["modes"]] == [*dict.fromkeys(one.mode for one in fields)]
    for mode in found["modes"]:
        assert mode["bots"] == [*bots_for(mode["mode"])]
        assert mode["levels"] == levels_of(mode["mode"])
        of_mode = [one for one in fields if one.mode == mode["mode"]]
        assert [played["seats"] for played in mode["tables"]] == [one.seats for one in of_mode]
        for played, one in zip(mode["tables"], of_mode, strict=True):
            listed = {(pair["bot"], pair["against"]) for pair in played["pairs"]}
            assert listed >= {*one.pairs}
            for pair in played["pairs"]:
                low, high = WinShare(pair["won"], pair["of"]).interval()
                assert (pair["low"], pair["high"]) == (round(low, 4), round(high, 4))
            best = next(p for p in played["pairs"] if (p["bot"], p["against"]) == (one.bots[0], "random"))
            assert best["low"] > played["chance"], "the best bot of a mode beats random play beyond doubt"


def test_every_goal_is_measured_and_a_missed_one_says_why() -> None:
    found = json.loads((DOCS / "bots.json").read_text())
    for goal in GOALS:
        pair = measured(found, goal)
        assert pair is not None, goal
        missed = goal.verdict(pair["low"], pair["high"]) == "missed"
        assert missed == bool(goal.why), goal


def test_a_goal_is_open_while_the_interval_has_it() -> None:
    more, less = Goal("hearts", 4, "a", "b", 0.5), Goal("hearts", 4, "a", "b", 0.25, at_least=False)
    assert [more.verdict(*at) for at in ((0.6, 0.7), (0.4, 0.6), (0.3, 0.4))] == ["met", "open", "missed"]
    assert [less.verdict(*at) for at in ((0.0, 0.2), (0.2, 0.3), (0.3, 0.4))] == ["met", "open", "missed"]


def test_a_goal_that_was_not_measured_is_said_to_be_so() -> None:
    assert page({"modes": []}).count("| not measured |") == len(GOALS)


def test_what_is_measured_anew_replaces_its_own_figures_alone() -> None:
    def of(
        mode: str, *tables: tuple[int, dict[str, str]], bots: str = "ab", paired: str = ""
    ) -> dict[str, object]:
        named = [
            {
                "seats": seats,
                "pairs": [{"bot": p[0], "against": p[1], "won": text} for p, text in pairs.items()],
            }
            for seats, pairs in tables
        ]
        rows = [{"bot": "a", "against": "b", "seats": 3, "won": paired}] if paired else []
        return {"mode": mode, "bots": [*bots], "exploiters": ["x"], "tables": named, "paired": rows}

    old = {"ab": "old", "ba": "old", "xa": "old"}
    before = {"modes": [of("flip", (2, old)), of("hearts", (3, old), (4, old))]}
    anew = merged(before, {"modes": [of("hearts", (4, {"ab": "new"}))]})
    mixed = {"ab": "new", "ba": "old", "xa": "old"}
    assert anew == {"modes": [of("flip", (2, old)), of("hearts", (3, old), (4, mixed))]}
    more = merged(before, {"modes": [of("hearts", (4, {"cb": "new"}), bots="cab")]})
    assert more["modes"][1] == of("hearts", (3, old), (4, {"cb": "new", **old}), bots="cab")
    deals = merged(before, {"modes": [of("hearts", paired="old")]})
    assert deals == {"modes": [of("flip", (2, old)), of("hearts", (3, old), (4, old), paired="old")]}
    deals = merged(deals, {"modes": [of("hearts", paired="new")]})
    assert deals["modes"][1]["paired"] == of("hearts", paired="new")["paired"]
    assert merged(deals, {"modes": [of("hearts", (4, {"ab": "new"}))]})["modes"][1] == of(
        "hearts", (3, old), (4, mixed), paired="new"
    )
    other = merged(before, {"modes": [of("hearts", (4, {"cx": "new"}), bots="c")]})
    assert other == {"modes": [of("flip", (2, old)), of("hearts", (4, {"cx": "new"}), bots="c")]}


def test_the_pairs_of_one_bot_are_measured_alone() -> None:
    asked = ["bots", "flip", "hearts", "--seats", "3", "--bot", "tutor", "--games", "3", "--cores", "1"]
    run = CliRunner().invoke(main, [*asked, "--json"])
    found = json.loads(run.stdout)
    assert [mode["mode"] for mode in found["modes"]] == ["flip"]
    [played] = found["modes"][0]["tables"]
    assert len(played["pairs"]) == 4  # against nimble and random, both ways: deft is for two seats
    assert all("tutor" in (pair["bot"], pair["against"]) for pair in played["pairs"])
    unknown = CliRunner().invoke(main, ["bots", "flip", "--bot", "shrewd"])
    assert unknown.exit_code == 2
    assert "shrewd is no bot" in unknown.output


def test_two_bots_are_compared_by_paired_deals(tmp_path: Path) -> None:
    """An earlier bot may be one of them; the page shows the row, and says by which deals."""
    asked = ["bots", "chef", "--paired", "gourmet", "spender", "--games", "5", "--cores", "1", "--json"]
    run = CliRunner().invoke(main, asked)
    assert run.exit_code == 0, run.output
    [row] = json.loads(run.stdout)["modes"][0]["paired"]
    assert (row["seats"], row["deals"], row["of"], row["seed"]) == (2, 3, 6, 0)
    assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
    told = page({"modes": [json.loads(run.stdout)["modes"][0]]})
    assert f"| `chef` | 2 | `gourmet` | `spender` | **{row['share']:.1%}".replace("%", " %") in told
    for wrong, text in (
        (["--paired", "gourmet", "chef"], "chef does not play chef"),
        (["--paired", "gourmet", "greedy", "--bot", "greedy"], "takes no --bot"),
        (["hearts", "--paired", "gourmet", "greedy"], "one MODE"),
    ):
        refused = CliRunner().invoke(main, ["bots", "chef", *wrong])
        assert refused.exit_code == 2
        assert text in refused.output


def test_a_note_on_older_figures_stands_until_they_are_measured_anew() -> None:
    found = json.loads((DOCS / "bots.json").read_text())
    flip = next(mode for mode in found["modes"] if mode["mode"] == "flip")
    noted = {**flip, "tables": [{**played, "note": "Older."} for played in flip["tables"]]}
    assert page({"modes": [noted]}).count("\nOlder. (2, 3, 4, 5 seats.)\n") == 1
    anew = {**flip, "tables": [{k: v for k, v in flip["tables"][0].items() if k != "note"}]}
    assert "Older. (3, 4, 5 seats.)" in page(merged({"modes": [noted]}, {"modes": [anew]}))


def test_a_bot_against_itself_wins_its_share_of_every_deal() -> None:
    """It plays each deal from every seat with the same cards, so luck has no part in it."""
    for mode, seats in (("chef", 2), ("hearts", 3)):
        name = {"chef": "greedy", "hearts": "careful"}[mode]
        deals = contest.paired(Field(mode, seats, (name,)), (name, name), 8 * seats)
        assert deals.of == 8
        assert deals.interval() == (pytest.approx(1 / seats), pytest.approx(1 / seats))


def test_the_interval_is_over_deals_and_needs_two_of_them() -> None:
    """By hand: shares 0, 1 and 1/2 have the mean 1/2 and the standard error 0.5 / sqrt(3)."""
    deals = Deals(1, 0.0, 0.0) + Deals(1, 1.0, 1.0) + Deals(1, 0.5, 0.25)
    assert deals.interval(z=1) == (pytest.approx(0.5 - 0.5 / 3**0.5), pytest.approx(0.5 + 0.5 / 3**0.5))
    assert Deals(1, 0.5, 0.25).interval() == (0.0, 1.0)


def test_a_mode_of_a_third_party_is_measured_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has no bot of its own has nobody to play against."""
    foreign = type(find("flip"))()
    foreign.facts = replace(foreign.facts, name="pfannkuchen")
    games.names()
    monkeypatch.setitem(games._modes, "pfannkuchen", {"1": foreign})
    assert contest.fields(["pfannkuchen"]) == ()

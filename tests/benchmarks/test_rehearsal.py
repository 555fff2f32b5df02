"""`cloche rehearse`: an evening runs to its end, and whatever is wrong afterwards is found."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from benchmarks.evening import afterwards
from benchmarks.evening.afterwards import Check, Finished
from benchmarks.evening.rehearsal import Evening
from cloche.commands.measure.rehearse import show
from cloche.main import main

GAME = Finished("6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01", "flip", ("ada", "bob"), (0,), "points", 40)


def rehearsed(*arguments: str) -> Evening:
    done = CliRunner().invoke(main, ["rehearse", "--json", *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    told = json.loads(done.stdout)
    checks = [Check(**check) for check in told["checks"]]
    assert [check for check in checks if not check.right] == []
    assert told["faults"] == []
    assert done.exit_code == 0, done.output
    games = {game: Finished(**given) for game, given in told["games"].items()}
    return Evening(told["players"], games=games, checks=checks, kills=told["kills"])


@pytest.mark.processes
def test_a_small_evening_runs_to_its_end_though_a_worker_is_killed() -> None:
    modes = ("--mode", "big-c", "--mode", "flip")
    # Clocks that no slow machine meets.
    modes = (*modes, "--pace", "1-day", "--processes", "2")
    found = rehearsed("--players", "4", *modes)
    assert len(found.games) == 2
    assert {game.mode for game in found.games.values()} == {"big-c", "flip"}
    assert len(found.kills) == 1
    assert {check.what for check in found.checks} == {
        "Worker",
        "Games",
        "Queue",
        "Records",
        "Ratings",
        "Books",
    }


@pytest.mark.processes
@pytest.mark.long
def test_a_whole_evening() -> None:
    found = rehearsed("--players", "64")
    assert len({game.mode for game in found.games.values()}) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "7"), "even number"),
        (("--players", "6"), "8 at least"),
        (("--mode", "hearts"), "not for two players"),
        (("--mode", "whist"), "There is no mode whist"),
    ],
)
def test_an_evening_that_leaves_somebody_over_is_refused(arguments: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(main, ["rehearse", *arguments])
    assert done.exit_code == 2
    assert said in done.output


def test_players_who_are_paired_twice_or_never_are_found() -> None:
    other = Finished("other", "flip", ("ada", "cleo"), (), "drawn", 9)
    assert afterwards.paired_once([GAME], 2).right
    assert not afterwards.paired_once([GAME], 4).right
    assert not afterwards.paired_once([GAME, other], 3).right
    tournament = Finished("third", "flip", ("ada", "bob"), (1,), "points", 9, tournament=True)
    assert afterwards.paired_once([GAME, tournament], 2).right


def test_figures_are_added_up_over_their_labels() -> None:
    text = 'cloche_x{mode="a"} 2.0\ncloche_x{mode="b"} 3.0\ncloche_x_total 7.0\ncloche_y 1.0\n'
    assert afterwards.counted(text, "cloche_x") == 5
    assert afterwards.counted(text, "cloche_y") == 1
    assert afterwards.counted(text, "cloche_z") == 0


def test_an_evening_is_right_only_without_faults(capsys: pytest.CaptureFixture[str]) -> None:
    evening = Evening(2, games={GAME.id: GAME}, checks=[Check("Books", True, "The books are right.")])
    assert evening.right
    evening.take({"fault": "ada: gone"})
    assert not evening.right
    show(evening)
    shown = capsys.readouterr().out
    for word in ("An evening of 2 players", "Pancakes", "The books are right.", "ada: gone"):
        assert word in shown


def test_what_players_tell_is_taken_in() -> None:
    evening = Evening(2)
    told = {"over": GAME.id, "mode": "flip", "handle": "ada", "players": ["ada", "bob"], "winners": [0]}
    for waited in (1.5, 2.5):
        evening.take({**told, "reason": "points", "entries": 40, "waited": waited})
    assert evening.games == {GAME.id: GAME}
    assert evening.waits == {"flip": [1.5, 2.5]}

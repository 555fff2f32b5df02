"""`cloche rehearse`: an evening runs to its end, and whatever is wrong afterwards is found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest
from click.testing import CliRunner

from benchmarks.evening import afterwards, cup, guests, rehearsal
from benchmarks.evening.afterwards import Check, Finished
from benchmarks.evening.cup import Cup
from benchmarks.evening.rehearsal import Evening
from benchmarks.evening.venue import EveningFailed
from client.streams import ReceivedEvent
from cloche.commands.measure.rehearse import MODES, show
from cloche.main import main
from tests.stack import POSTGRESQL, RABBITMQ, REDIS, need

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


SMALL = ("--players", "8", "--rounds", "2", "--pace", "1-day", "--processes", "2")
"""An evening whose clocks no slow machine meets."""
ELSEWHERE = ("--database", POSTGRESQL, "--broker")
CHECKED = ["Workers", "Games", "Queue", "Rounds", "Standings", "Prizes", "Records", "Ratings", "Books"]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("flavour", "where"),
    [
        ("embedded", ()),
        pytest.param("postgresql+rabbitmq", (*ELSEWHERE, RABBITMQ), marks=pytest.mark.servers),
        pytest.param("postgresql+redis", (*ELSEWHERE, REDIS), marks=(pytest.mark.servers, pytest.mark.long)),
    ],
)
def test_a_small_evening_runs_to_its_end_though_workers_are_killed(
    flavour: str, where: tuple[str, ...]
) -> None:
    need(flavour)
    found = rehearsed(*SMALL, *where)
    assert [check.what for check in found.checks] == CHECKED
    queued = [game.mode for game in found.games.values() if game.round is None]
    assert sorted(queued) == sorted(MODES)
    assert sorted(game.round or 0 for game in found.games.values()) == [0] * 4 + [1] * 4 + [2] * 4
    assert len(found.kills) == 2


@pytest.mark.processes
@pytest.mark.long
def test_a_whole_evening() -> None:
    found = rehearsed("--players", "64")
    assert [check.what for check in found.checks] == CHECKED
    assert len(found.games) == 32 + 5 * 32


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "7"), "even number"),
        (("--players", "6"), "8 at least"),
        (("--mode", "hearts"), "not for two players"),
        (("--mode", "whist"), "There is no mode whist"),
        (("--tournament", "hearts"), "not for two players"),
        (("--players", "8", "--rounds", "8"), "8 rounds need more players"),
        (("--broker", REDIS), "belong together"),
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
    tournament = Finished("third", "flip", ("ada", "bob"), (1,), "points", 9, round=1)
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


def standing(handle: str, place: int, figures: tuple[float, float, float, int], prize: int) -> dict[str, Any]:
    points, buchholz, sonneborn, wins = figures
    told = {"handle": handle, "place": place, "points": points, "buchholz": buchholz, "wins": wins}
    return {**told, "sonneborn_berger": sonneborn, "prize": prize}


def met(first: str, second: str) -> dict[str, str]:
    return {"first": first, "second": second}


def played(number: int, first: str, second: str, *winners: int) -> Finished:
    return Finished(f"{first}-{second}", "big-c", (first, second), winners, "points", 9, round=number)


# The example of docs/tournaments.md.
GAMES = [
    played(1, "ann", "cat", 0),
    played(1, "bob", "dan", 0),
    played(2, "ann", "bob", 0, 1),
    played(2, "cat", "dan", 0),
]
STANDINGS = [
    standing("ann", 1, (1.5, 2.5, 1.75, 1), 40),
    standing("bob", 2, (1.5, 1.5, 0.75, 1), 24),
    standing("cat", 3, (1.0, 1.5, 0.0, 1), 16),
    standing("dan", 4, (0.0, 2.5, 0.0, 0), 0),
]
ROUNDS = [[met("ann", "cat"), met("bob", "dan")], [met("ann", "bob"), met("cat", "dan")]]
CUP = Cup("id", "big-c", "over", ROUNDS, STANDINGS)


def test_standings_are_computed_again_from_the_games() -> None:
    assert cup.standings_follow(CUP, GAMES).right
    assert not cup.standings_follow(replace(CUP, state="running"), GAMES).right
    assert not cup.standings_follow(CUP, GAMES[:3]).right
    assert not cup.standings_follow(CUP, [*GAMES[:3], played(2, "cat", "dan", 1)]).right
    for wrong in (
        [STANDINGS[1], STANDINGS[0], *STANDINGS[2:]],
        [*STANDINGS[:3], {**STANDINGS[3], "place": 3}],
        [{**STANDINGS[0], "buchholz": 3.0}, *STANDINGS[1:]],
        STANDINGS[:3],
    ):
        assert not cup.standings_follow(replace(CUP, standings=wrong), GAMES).right


def test_rounds_that_leave_somebody_out_or_pair_two_again_are_found() -> None:
    assert cup.pairs_are_fair(CUP, 4, 2).right
    assert not cup.pairs_are_fair(CUP, 4, 3).right
    assert not cup.pairs_are_fair(CUP, 6, 2).right
    assert not cup.pairs_are_fair(replace(CUP, rounds=[ROUNDS[0], ROUNDS[0]]), 4, 2).right


def test_prizes_that_are_too_few_or_in_another_order_are_found() -> None:
    assert cup.prizes_are_paid(CUP).right
    for prizes in ((40, 24, 15, 0), (24, 40, 16, 0), (30, 30, 20, 0)):
        paid = [{**each, "prize": prize} for each, prize in zip(STANDINGS, prizes, strict=True)]
        assert not cup.prizes_are_paid(replace(CUP, standings=paid)).right


def test_an_evening_shows_the_first_places(capsys: pytest.CaptureFixture[str]) -> None:
    show(Evening(4, games={game.id: game for game in GAMES}, cup=CUP))
    shown = capsys.readouterr().out
    assert "Big C, tournament" in shown
    assert [line.split()[:2] for line in shown.splitlines() if "-" not in line and line[:1].isdigit()] == [
        ["1", "ann"],
        ["2", "bob"],
        ["3", "cat"],
        ["4", "dan"],
    ]


class QueueOfEvents:
    """A house that tells one player of these events, and counts how often they wait."""

    def __init__(self, *told: tuple[str, dict[str, Any]]) -> None:
        self.told = told
        self.waited = 0

    def ask(self, *_: object) -> dict[str, Any]:
        return {"newest": 3}

    def wait_for_opponent(self, mode: str, **more: Any) -> None:
        assert (mode, more) == ("flip", {"pace": "usual", "rated": True, "deck": None})
        self.waited += 1

    def feed(self, after: int) -> Iterator[ReceivedEvent]:
        assert after == 3
        for number, (name, data) in enumerate(self.told, 4):
            yield ReceivedEvent(number, name, data)


EXPIRED = ("queue.left", {"reason": "expired"})
PAIRED = ("queue.paired", {"game": GAME.id})


def guest_of(house: QueueOfEvents) -> Any:
    return guests.Guest(0, "guest-000", cast(Any, house), cast(Any, None), cast(Any, None), Random(1))


def test_who_has_waited_too_long_waits_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[str] = []
    monkeypatch.setattr(guests.Guest, "play", lambda _guest, game, _mode: played.append(game))
    monkeypatch.setattr(guests, "tell_game", lambda *_, **more: more["waited"] >= 0)
    house = QueueOfEvents(EXPIRED, EXPIRED, PAIRED)
    guests.play_from_queue(guest_of(house), "flip", "usual")
    assert (house.waited, played) == (3, [GAME.id])
    gone = QueueOfEvents(("queue.left", {"reason": "deck_missing"}))
    with pytest.raises(RuntimeError, match="deck_missing"):
        guests.play_from_queue(guest_of(gone), "flip", "usual")
    assert gone.waited == 1


def test_an_evening_that_nobody_tells_of_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "STALLED", 0.01)
    silent = rehearsal.Guests([cast(Any, None)])
    with pytest.raises(EveningFailed, match="No player has told"):
        list(silent.until_done("queue"))
    silent.heard.put({"done": "queue"})
    assert list(silent.until_done("queue")) == []

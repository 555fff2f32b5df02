"""The bots for Pancakes (flip): what they choose, and how well they play."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bots import Bot, RandomBot, bots_for, default_name
from bots.flip import PATIENCE, Nimble, Tutor
from bots.flip_worlds import FlipWorlds
from bots.levels import Level
from bots.simulate import play
from bots.worlds import Shortlisted
from cards.games.contract import Mode, Move, Seat, State
from cards.games.flip.lessons import LESSONS
from cards.games.flip.table import Board, pack
from tests.cards.games.flip_table import FLIP, table, turned

OPTIONS = {"target": 0}


def chosen(state: State[Any], bot: Bot | None = None, seat: Seat = 0) -> Move:
    """The move that a bot chooses by what its seat sees."""
    move = (bot or Nimble()).choose(FLIP, state.seen(FLIP.sees(state, seat)), seat, Random(1))
    assert move in FLIP.legal(state, seat)
    return move


def test_it_lays_a_card_rather_than_moving_one() -> None:
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["9S", "KC"], ["QC", "QD"], pile=["JC"])
    assert chosen(state)["card"] == "9S"


def test_it_makes_room_for_its_next_card() -> None:
    """The five that comes up under the nine fits a card of its hand, which it can lay next."""
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["9S", "5D", "KC"], ["QC", "QD"], pile=["JC"])
    move = chosen(state)
    assert (move["card"], move["stack"]) == ("9S", 1)


def test_it_moves_a_card_rather_than_drawing_three() -> None:
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["5D", "KC"], ["QC", "QD"], pile=["JC"])
    assert "transfer" in chosen(state)


def test_it_takes_every_serving() -> None:
    state = table([["KC", "KD", "KH", "KS"]], ["2C"], ["2D"], phase="serve")
    assert chosen(state) == {"serve": 1}


@pytest.mark.parametrize("bot", [Nimble(), Tutor()], ids=["nimble", "tutor"])
def test_a_drawn_card_is_laid(bot: Bot) -> None:
    state = table([["#5C", "9H"]], ["KC"], ["QC"], pile=["JC", "9C"])
    state = turned(FLIP.play(state, {0: {"draw": True}}))
    assert chosen(state, bot)["card"] == "9C"


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("bot", [Nimble(), Tutor()], ids=["nimble", "tutor"])
def test_whole_games(seats: int, bot: Bot) -> None:
    """Every choice is legal by what the seat sees; otherwise the rules would refuse it."""
    played = play(FLIP, [bot] * seats, Random(seats), options=OPTIONS, accounts=True)
    assert played.outcome.reason in ("empty", "passed")
    assert played.accounts
    assert played == play(FLIP, [bot] * seats, Random(seats), options=OPTIONS, accounts=True)


@pytest.mark.parametrize(("seats", "games", "more_than"), [(2, 60, 40), (4, 40, 20)])
def test_it_plays_better_than_chance(seats: int, games: int, more_than: int) -> None:
    won = 0
    for i in range(games):
        bots: list[Bot] = [Nimble() if seat == i % seats else RandomBot() for seat in range(seats)]
        won += i % seats in play(FLIP, bots, Random(i), options=OPTIONS).outcome.winners
    assert won > more_than


def test_the_tutor_shows_more_of_the_rules_than_chance() -> None:
    def shown(bot: Bot, seed: int) -> int:
        boards: list[Any] = []

        def watch(before: Any, choices: Any, after: Any) -> None:
            boards.append(after.board)

        play(FLIP, [bot, bot], Random(seed), options=OPTIONS, watch=watch)
        # Within the first moves: in a long game everything comes up sooner or later.
        return int(boards[min(9, len(boards) - 1)].lessons.bit_count())

    games = range(12)
    assert sum(shown(Tutor(), seed) for seed in games) > sum(shown(RandomBot(), seed) for seed in games) + 6


def taught(state: State[Any], *, lacking: set[int]) -> set[str]:
    """The verbs that the tutor chooses, with different seeds, where all lessons but some were given."""
    lessons = sum(1 << n for n in LESSONS if n not in lacking)
    state = State(replace(state.board, lessons=lessons), state.faces)
    view = state.seen(FLIP.sees(state, 0))
    return {next(iter(Tutor().choose(FLIP, view, 0, Random(seed)))) for seed in range(20)}


def test_the_tutor_does_not_end_a_game_in_which_there_is_more_to_show() -> None:
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["9S"], ["QC", "QD"], pile=["JC"])
    assert taught(state, lacking={10}) == {"transfer"}
    assert taught(state, lacking={2, 10}) == {"transfer"}, "also where the last card would show something"
    assert "play" in taught(state, lacking=set())
    late = State(replace(state.board, turns=PATIENCE * 2), state.faces)
    assert taught(late, lacking={1}) == {"play"}, "but not for ever"
    alone = table([["#5C", "9H"], ["#6C", "9D"]], ["9S"], pile=["JC"])
    assert taught(alone, lacking={1}) == {"play"}, "nor alone, where a new hand follows"


def test_the_tutor_plays_from_the_hand_until_it_is_forced_to_draw_and_goes_on_to_pancakes() -> None:
    griddle = [["#5C", "9H"], ["#6C", "9D"]]
    state = table(griddle, ["9S", "KC"], ["QC", "QD"], pile=["JC"])
    assert taught(state, lacking={9}) == {"play"}
    stuck = table(griddle, ["KC"], ["QC", "QD"], pile=["JC"])
    assert taught(stuck, lacking={10, 11}) == {"draw"}
    assert taught(table(griddle, ["KC"], ["QC", "QD"]), lacking={11}) == {"forfeit"}


# -- By sampled worlds

DEFT: Shortlisted[State[Board]] = Shortlisted(
    FlipWorlds(FLIP, Nimble(), asks=80), Nimble(), Level.HARD, tries=24, most=6, most_seats=2
)


@pytest.mark.parametrize("seats", [2, 4])
def test_worlds_agree_with_all_that_the_seat_sees(seats: int) -> None:
    """At every choice of whole games each hidden card gets a face, and the pack comes out complete."""
    worlds = FlipWorlds(FLIP, Nimble(), asks=1)
    looked = []

    class Looks(Nimble):
        def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
            world = next(worlds.worlds(state, seat, Random(1)))
            assert world.board == state.board
            assert state.faces.items() <= world.faces.items()
            assert {*world.faces} == {*range(state.board.size)}
            assert Counter(world.faces.values()) == Counter(pack(True))
            looked.append(seat)
            return Nimble.choose(self, mode, state, seat, rng)

    for seed in range(3):
        play(FLIP, [Looks()] * seats, Random(seed), options=OPTIONS)
    assert {*looked} == {*range(seats)}


def test_it_lays_its_last_card_and_takes_every_serving() -> None:
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["9S"], ["QC", "QD"], pile=["JC"])
    assert chosen(state, DEFT)["card"] == "9S"
    serve = table([["KC", "KD", "KH", "KS"]], ["2C"], ["2D"], phase="serve")
    assert chosen(serve, DEFT) == {"serve": 1}


def test_alone_it_plays_as_its_quick_bot_does() -> None:
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["9S", "5D", "KC"], pile=["JC"])
    assert chosen(state, DEFT) == chosen(state)


@pytest.mark.parametrize("seats", [2, 3])
def test_whole_games_by_sampled_worlds(seats: int) -> None:
    """Every choice is legal by what the seat sees, and the same seed makes the same game."""
    quick = replace(DEFT, tries=6)
    played = play(FLIP, [quick] * seats, Random(seats), options=OPTIONS)
    assert played.outcome.reason in ("empty", "passed")
    assert played == play(FLIP, [quick] * seats, Random(seats), options=OPTIONS)


def test_the_registry_names_the_best_first() -> None:
    assert [*bots_for("flip")] == ["deft", "nimble", "tutor", "random"]
    assert default_name("flip") == "deft"

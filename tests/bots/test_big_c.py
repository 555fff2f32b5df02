"""The bots for Big C: what they play, what they imagine, and that they beat chance."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from bots import Bot, RandomBot, bots_for, default_name, played_on
from bots.big_c import Thrifty
from bots.big_c_worlds import BigCWorlds
from bots.simulate import play
from cards.games import find
from cards.games.big_c.table import pack
from cards.games.contract import Mode, Move, Seat, State
from tests.cards.games.big_c_kit import begun, do, playing, present

BIG_C = find("big-c")


def chosen(*hands: str, table: str = "") -> str:
    """The bot's move at a table of two, by its own view; on seat 0's hand `table`, if one is named."""
    state = playing(*hands)
    if table:
        state = do(state, table)
    seat = state.board.mover
    move = Thrifty().choose(BIG_C, state.seen(BIG_C.sees(state, seat)), seat, Random(1))
    assert move in BIG_C.legal(state, seat)
    return " ".join(move["cards"]) if "cards" in move else "pass"


@pytest.mark.parametrize(
    ("held", "under", "played"),
    [
        ("3D 4D 5D 6D 7D", "", "3D 4D 5D 6D 7D"),  # out at once
        ("3D 3C 2S", "", "3D 3C"),  # a low pair rather than the highest card
        ("5D 9H KS", "4S", "5D"),  # a half footstool, and the lowest gone
        ("4S 9H KS", "4S", "4S"),  # a full one
        ("3D Joker", "", "3D Joker"),  # out, rather than stuck with a Joker
    ],
)
def test_the_cards_that_it_plays(held: str, under: str, played: str) -> None:
    if under:
        assert chosen(f"{under} KD KC", held, table=under) == played
    else:
        assert chosen(held, "KD KC KH") == played


def test_it_presents_its_lowest_card_to_go_first() -> None:
    state = begun("5D 3S", "7D KD")
    view = state.seen(BIG_C.sees(state, 0))
    assert Thrifty().choose(BIG_C, view, 0, Random(1)) == {"present": 1, "card": "3S"}
    assert present(state, s0="3S", s1="7D").board.mover == 0


def test_it_plays_better_than_chance() -> None:
    """Against three random players it wins more than half of forty games; chance would win a quarter."""
    won = 0
    for i in range(40):
        bots: list[Bot] = [Thrifty() if seat == i % 4 else RandomBot() for seat in range(4)]
        won += i % 4 in play(BIG_C, bots, Random(i)).outcome.winners
    assert won > 20


# -- By sampled worlds


CRAFTY = bots_for("big-c")["crafty"]


@pytest.mark.parametrize("seats", [2, 4])
def test_worlds_agree_with_all_that_the_seat_sees(seats: int) -> None:
    """At every choice of whole games each hidden card gets a face, and all packs come out complete."""
    worlds = BigCWorlds(BIG_C, Thrifty(), asks=1)
    looked = []

    class Looks(Thrifty):
        def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
            world = next(worlds.worlds(state, seat, Random(1)))
            assert world.board == state.board
            assert state.faces.items() <= world.faces.items()
            places = [p for hand in state.board.hands for p in hand] + [*state.board.stock]
            assert {*places} <= world.faces.keys()
            assert Counter(world.faces.values()) == Counter(pack(seats))
            looked.append(seat)
            return Thrifty.choose(self, mode, state, seat, rng)

    for seed in range(3):
        play(BIG_C, [Looks()] * seats, Random(seed))
    assert {*looked} == {*range(seats)}


@pytest.mark.parametrize(
    ("held", "under", "played"),
    [("3D 4D 5D 6D 7D", "", "3D 4D 5D 6D 7D"), ("5D", "4S", "5D"), ("3D Joker", "", "3D Joker")],
)
def test_it_goes_out_where_it_can(held: str, under: str, played: str) -> None:
    state = playing(f"{under} KD KC", held) if under else playing(held, "KD KC KH")
    state = do(state, under) if under else state
    seat = state.board.mover
    for seed in range(3):
        move = CRAFTY.choose(BIG_C, state.seen(BIG_C.sees(state, seat)), seat, Random(seed))
        assert " ".join(move["cards"]) == played


def test_it_does_not_lead_what_the_last_card_of_the_other_beats() -> None:
    """The other holds one card and has shown it: only a pair keeps it from going out."""
    state = playing("3D 3C 8H", "9S")
    state = State(state.board.but(known=state.board.hands[1]), state.faces)
    view = state.seen(BIG_C.sees(state, 0))
    assert {len(CRAFTY.choose(BIG_C, view, 0, Random(seed))["play"]) for seed in range(3)} == {2}


def test_at_larger_tables_it_plays_as_its_quick_bot_does() -> None:
    state = playing("3D 3C 2S", "KD KC KH", "4D 4C 4H")
    view = state.seen(BIG_C.sees(state, 0))
    assert CRAFTY.choose(BIG_C, view, 0, Random(1)) == Thrifty().choose(BIG_C, view, 0, Random(1))


def test_the_work_of_a_choice_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial ends after so many steps, however long the game would be."""
    steps = []

    def advanced(mode: Mode[Any], state: State[Any], bot: Bot, rng: Random) -> State[Any]:
        steps.append(1)
        return state

    monkeypatch.setattr(played_on, "advanced", advanced)
    state = playing("3D 3C 2S", "KD KC KH")
    view = state.seen(BIG_C.sees(state, 0))
    CRAFTY.choose(BIG_C, view, 0, Random(1))
    moves = len(Thrifty().ranked(BIG_C, view, 0))
    assert 0 < len(steps) <= 60 * 40 * moves.bit_length()


def test_the_house_seats_the_best_unless_another_is_named() -> None:
    assert default_name("big-c") == "crafty"
    assert [*bots_for("big-c")] == ["crafty", "thrifty", "random"]

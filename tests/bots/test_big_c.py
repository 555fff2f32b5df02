"""The bot for Big C: what it plays, and that it beats chance."""

from __future__ import annotations

from random import Random

import pytest

from bots import Bot, RandomBot, bots_for, default_name
from bots.big_c import Thrifty
from bots.simulate import play
from cards.games import find
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


def test_it_is_the_houses_default_bot() -> None:
    assert default_name("big-c") == "thrifty"
    assert [*bots_for("big-c")] == ["thrifty", "random"]

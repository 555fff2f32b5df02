"""The bots for cribbage, and whole games of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bots import Bot, RandomBot
from bots.cribbage import Counter, reply_counted
from bots.cribs import CRIBS, Worth
from bots.simulate import play
from cards.games import find
from tests.cards.games.cribbage_kit import do, playing, started

MODE = find("cribbage")
UNSEEN = dict.fromkeys(range(1, 14), 3)


def laid(hand: str, dealer: int) -> set[str]:
    state = started(hand, "", dealer=dealer)
    move = Counter().choose(MODE, state.seen(MODE.sees(state, 0)), 0, Random(1))
    return {state.faces[position] for position in move["lay"]}


@pytest.mark.parametrize(
    ("hand", "dealer", "away"),
    [
        ("5S 5D 5C JH 9D 2D", 0, {"9D", "2D"}),
        ("AS 3H 4C 5D 6H KC", 1, {"AS", "KC"}),
        ("7S 7H 8D 8C KH 2S", 1, {"KH", "2S"}),
        ("2H 4H 6H 8H KS QC", 0, {"KS", "QC"}),
    ],
)
def test_the_cards_that_it_lays_away(hand: str, dealer: int, away: set[str]) -> None:
    assert laid(hand, dealer) == away


@pytest.mark.parametrize("crib", CRIBS[2])
def test_a_crib_of_fives_is_worth_most_and_wide_cards_least(crib: Worth) -> None:
    assert max(crib, key=crib.__getitem__) == (5, 5)
    assert crib[5, 5] > crib[5, 10] > crib[1, 13]
    assert crib[7, 8] > crib[6, 12]


def test_a_five_is_not_led_and_fifteen_is_taken() -> None:
    assert reply_counted((5,), UNSEEN, 4) < reply_counted((4,), UNSEEN, 4)
    assert reply_counted((8, 7), UNSEEN, 4) > reply_counted((8, 2), UNSEEN, 4)
    assert reply_counted((10, 11, 1), dict.fromkeys(UNSEEN, 0), 4) == 1, "nobody can follow"
    assert reply_counted((10, 11, 1, 10), UNSEEN, 4) == 2


def test_it_claims_the_right_count_and_objects_to_a_wrong_one() -> None:
    codes = "5S 10D 5D 10H 5C JC JD 4C"
    state = playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H", count="muggins")
    for code in codes.split():
        while (move := MODE.compelled(state, state.board.hand.mover)) is not None:
            state = do(state, move)
        position = next(p for p, face in state.faces.items() if face == code)
        state = do(state, {"play": position, "card": code})
    bot: Bot = Counter()
    assert bot.choose(MODE, state, 1, Random(1)) == {"claim": 28}
    low = do(state, {"claim": 20})
    assert bot.choose(MODE, low, 0, Random(1)) == {"object": 28}
    right = do(state, {"claim": 28})
    assert bot.choose(MODE, right, 0, Random(1)) == {"accept": True}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("count", ["house", "muggins"])
def test_whole_games(seats: int, count: str) -> None:
    """Every choice is legal by what the seat sees; otherwise the rules would refuse it."""
    options: dict[str, Any] = {"count": count, "target": "61"}
    one = play(MODE, [Counter()] * seats, Random(seats), options=options, accounts=True)
    assert one.outcome.winners
    assert one == play(MODE, [Counter()] * seats, Random(seats), options=options, accounts=True)


def test_it_plays_better_than_chance() -> None:
    """The bots change seats in forty games, of which chance would win half."""
    won = 0
    for i in range(40):
        bots: list[Bot] = [Counter() if seat == i % 2 else RandomBot() for seat in range(2)]
        won += i % 2 in play(MODE, bots, Random(i), options={"target": "61"}).outcome.winners
    assert won >= 34

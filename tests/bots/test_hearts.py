"""Bots for Chinese Hearts, the bot for any game, the registry, and games of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bots import Bot, RandomBot, bots_for, default_bot, default_name
from bots.hearts import Careful
from bots.simulate import options_of, play
from cards.games import find, names
from cards.games.contract import Mode, Move, Outcome, Seat, State

HEARTS = find("hearts")


def playing(hand: str, trick: str = "", seats: int = 4) -> State[Any]:
    """A state in which seat 0 is to play to a trick. Cards are codes, the leader's first."""
    held, lain = hand.split(), trick.split()
    faces = dict(enumerate(held + lain))
    start = HEARTS.start(options_of(HEARTS), seats)
    hands = [frozenset(range(len(held)))] + [frozenset((90 + seat,)) for seat in range(1, seats)]
    board = replace(
        start.board,
        phase="play",
        round=1,
        leader=-len(lain) % seats,
        hands=tuple(hands),
        fronts=(frozenset(),) * seats,
        collected=((),) * seats,
        trick=tuple(range(len(held), len(held) + len(lain))),
    )
    return State(board, faces)


def plays(hand: str, trick: str = "", seats: int = 4) -> str:
    move = Careful().choose(HEARTS, playing(hand, trick, seats), 0, Random(1))
    assert HEARTS.legal(playing(hand, trick, seats), 0).refusal(move) is None
    return str(move["card"])


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        ("2H 9H KH", "10H 4H", "9H"),  # the highest that stays below
        ("JH KH", "10H 4H", "JH"),  # above in any case: as low as it goes
        ("QD AD 2D", "JD 4D 3D", "AD"),  # last, and the jack is worth taking
        ("JD 2D", "9D 4D 3D", "JD"),  # last, and wins the jack with the jack
        ("JD 2D", "9D 4D", "2D"),  # not yet sure of it
        ("QS 2S", "KS 4S", "QS"),  # the queen goes to the player who led the king
        ("QS KS", "10S 4S", "KS"),  # rather the king than the queen herself
        ("QS AH 2D", "3C", "QS"),  # nothing of the suit: the dearest away
        ("AH JD 2D", "3C", "AH"),
        ("AS 9D JD", "3C", "AS"),  # the queen is still about
        ("9D JD", "3C", "9D"),
    ],
)
def test_the_card_played(hand: str, trick: str, card: str) -> None:
    assert plays(hand, trick) == card


def test_it_does_not_lead_a_card_that_lures_the_queen() -> None:
    assert plays("AS 2D") == "2D"
    assert plays("2H AH") == "2H"


def exposing(hand: str) -> Move:
    state = playing(hand)
    return Careful().choose(HEARTS, State(replace(state.board, phase="expose"), state.faces), 0, Random(1))


def test_it_exposes_only_a_jack_that_it_is_likely_to_win() -> None:
    assert exposing("JD AD KD 2C") == {"expose": 0, "card": "JD"}
    assert exposing("JD AD 3D 2C") == {"done": True}
    assert exposing("QS AH 10C") == {"done": True}


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_whole_games(seats: int) -> None:
    """Every choice is legal by what the seat sees; otherwise the rules would refuse it."""
    played = play(HEARTS, [Careful()] * seats, Random(seats), options={"first": "random"}, accounts=True)
    assert played.outcome.winners
    assert played.accounts
    assert played == play(
        HEARTS, [Careful()] * seats, Random(seats), options={"first": "random"}, accounts=True
    )


def test_it_plays_better_than_chance() -> None:
    """Against three random players it wins more than half of forty games; chance would win a quarter."""
    won = 0
    for i in range(40):
        bots: list[Bot] = [Careful() if seat == i % 4 else RandomBot() for seat in range(4)]
        won += i % 4 in play(HEARTS, bots, Random(i)).outcome.winners
    assert won > 20


# -- The registry and games in general ---------------------------------------


def test_every_mode_has_bots() -> None:
    for name in names():
        assert "random" in bots_for(name)
        assert default_bot(name) is bots_for(name)[default_name(name)]
    assert default_name("chef") == "gourmet"
    assert [*bots_for("chef")] == ["gourmet", "greedy", "random"]
    assert [*bots_for("a mode of somebody else's")] == ["random"]


def test_the_random_bot_plays_any_hearts() -> None:
    assert isinstance(play(HEARTS, [RandomBot()] * 3, Random(3)).outcome, Outcome)


def test_the_number_of_seats_and_decks_must_suit() -> None:
    with pytest.raises(ValueError, match="3 to 6"):
        play(HEARTS, [Careful()] * 2, Random(1))
    with pytest.raises(ValueError, match="40 cards"):
        play(find("chef"), [RandomBot()] * 2, Random(1))


def test_a_watcher_hears_of_every_ask() -> None:
    told: list[tuple[State[Any], State[Any]]] = []

    def watch(before: State[Any], choices: Any, after: State[Any]) -> None:
        assert choices
        told.append((before, after))

    played = play(HEARTS, [Careful()] * 3, Random(2), watch=watch)
    assert len(told) == played.asks
    assert HEARTS.next(told[-1][1]) == played.outcome


def test_bots_are_given_no_more_than_their_seat_sees() -> None:
    class Curious:
        def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
            assert state.faces.keys() <= mode.sees(state, seat)
            return RandomBot().choose(mode, state, seat, rng)

    play(HEARTS, [Curious()] * 3, Random(4))

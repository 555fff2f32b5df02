"""Bots by sampled worlds: hidden cards are dealt as the view allows, and the work of a choice is bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bots import Bot, RandomBot, bots_for
from bots.exploiters import exploiters_for
from bots.hearts import Careful
from bots.hearts_worlds import HeartsWorlds, voids
from bots.levels import Level
from bots.simulate import play
from bots.worlds import Sampled, spread
from cards.games import find
from cards.games.contract import Mode, Move, Seat, State
from cards.games.hearts.quick import codes_of
from cards.games.hearts.table import SUIT, pack

HEARTS = find("hearts")
SHREWD = bots_for("hearts")["shrewd"]


# -- Hidden cards ------------------------------------------------------------


def test_cards_are_spread_evenly_over_the_places_that_may_have_them() -> None:
    found = Counter(
        place
        for seed in range(3000)
        for place, dealt in enumerate(spread("abcdef", [3, 2, 1], ["", "", ""], Random(seed)))
        if "a" in dealt
    )
    assert [round(found[place] / 3000, 1) for place in range(3)] == [0.5, 0.3, 0.2]


@pytest.mark.parametrize("seed", range(30))
def test_a_place_gets_none_of_the_cards_that_are_barred_to_it(seed: int) -> None:
    """Places are filled from a deal that fits, with all that each place lacks barred now and then."""
    rng = Random(seed)
    cards = rng.sample(range(52), 30)
    true = [cards[:12], cards[12:20], cards[20:]]
    barred = [{c for c in cards if c not in own and rng.random() < rng.choice((0.3, 1.0))} for own in true]
    dealt = spread(cards, [12, 8, 10], barred, rng)
    assert [len(one) for one in dealt] == [12, 8, 10]
    assert sorted(card for one in dealt for card in one) == sorted(cards)
    for place, one in enumerate(dealt):
        assert not barred[place] & {*one}


def test_cards_that_fit_nowhere_are_refused() -> None:
    with pytest.raises(ValueError, match="fit no places"):
        spread("ab", [1, 1], ["a", "a"], Random(1))
    with pytest.raises(ValueError, match="exactly"):
        spread("ab", [1], [""], Random(1))


# -- The work of a choice ----------------------------------------------------


class Counting:
    """Worlds are numbers, and each move is worth what it says."""

    def __init__(self) -> None:
        self.worlds_drawn = self.trials = 0

    def worlds(self, state: State[Any], seat: Seat, rng: Random) -> Iterator[int]:
        while True:
            self.worlds_drawn += 1
            yield self.worlds_drawn

    def worth(self, world: int, seat: Seat, move: Move, rng: Random) -> float:
        self.trials += 1
        return float(move["play"])


class Listing:
    """The legal moves of a mode, in so far as a sampling bot asks for them."""

    def __init__(self, moves: int) -> None:
        self.moves = [{"play": i} for i in range(moves)]

    def legal(self, state: State[Any], seat: Seat) -> list[Move]:
        return self.moves


@pytest.mark.parametrize("moves", [1, 2, 3, 13, 40])
def test_the_best_move_is_found_within_the_bound(moves: int) -> None:
    worlds = Counting()
    bot = Sampled(worlds, Careful(), Level.HARD, tries=12)
    mode: Any = Listing(moves)
    assert bot.choose(mode, State(None), 0, Random(1)) == {"play": moves - 1}
    stages = (moves - 1).bit_length()
    assert worlds.trials <= sum(max(12, -(-moves >> stage)) for stage in range(stages))
    assert (worlds.trials == 0) == (moves == 1)


# -- Hearts ------------------------------------------------------------------


class Watched:
    """Plays a bot's moves and looks at the worlds that it would draw."""

    def __init__(self) -> None:
        self.asked = self.barred = 0

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        board = state.board
        world = next(HeartsWorlds().worlds(state, seat, rng))
        hands = [codes_of(hand) for hand in world.hands]
        known = {*state.faces.values()}
        for other, hand in enumerate(hands):
            assert len(hand) == len(board.hands[other])
            assert {state.faces[p] for p in board.hands[other] if p in state.faces} <= {*hand}
            hidden = [code for code in hand if code not in known]
            assert not voids(state)[other] & {SUIT[code] for code in hidden}
            self.barred += len(voids(state)[other])
        laid = [state.faces[p] for p in (*board.trick, *(p for pile in board.collected for p in pile))]
        fronts = [code for front in world.fronts for code in codes_of(front)]
        everywhere = [*laid, *fronts, *(code for hand in hands for code in hand)]
        assert sorted(everywhere) == sorted(pack(board.seats))
        self.asked += 1
        return RandomBot().choose(mode, state, seat, rng)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_world_is_a_deal_that_the_seat_can_not_rule_out(seats: int) -> None:
    bot = Watched()
    play(HEARTS, [bot, *[Careful()] * (seats - 1)], Random(seats))
    assert bot.asked > 20
    assert bot.barred


@pytest.mark.parametrize("seats", [3, 5])
def test_a_void_that_is_shown_is_true(seats: int) -> None:
    told = 0

    def watch(before: State[Any], choices: Any, after: State[Any]) -> None:
        nonlocal told
        board = before.board
        if board.phase != "play":
            return
        view = before.seen(HEARTS.sees(before, None))
        for seat, lacking in enumerate(voids(view)):
            hidden = [before.faces[p] for p in board.hands[seat] if p not in view.faces]
            assert not lacking & {SUIT[code] for code in hidden}
            told += len(lacking)

    play(HEARTS, [RandomBot()] * seats, Random(seats), watch=watch)
    assert told


def test_it_chooses_the_same_from_the_same_view_and_chance() -> None:
    found: list[tuple[State[Any], Seat]] = []

    def watch(before: State[Any], choices: Any, after: State[Any]) -> None:
        [seat] = choices
        found.append((before, seat))

    play(HEARTS, [RandomBot()] * 4, Random(2), watch=watch)
    for state, seat in found[:60:6]:
        view = state.seen(HEARTS.sees(state, seat))
        one, again = (SHREWD.choose(HEARTS, view, seat, Random(5)) for _ in range(2))
        assert one == again
        assert one in HEARTS.legal(state, seat)


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_it_plays_to_the_end_at_every_number_of_seats(seats: int) -> None:
    quickly = Sampled(HeartsWorlds(), Careful(), Level.HARD, tries=1)
    assert play(HEARTS, [quickly] + [Careful()] * (seats - 1), Random(seats)).outcome.winners


@pytest.mark.slow
@pytest.mark.parametrize("name", ["highest", "random"])
def test_an_exploiter_gets_less_than_its_share_of_three_of_it(name: str) -> None:
    """The seeds are fixed; chance would win three of these twelve games."""
    exploiter = {**exploiters_for("hearts"), **bots_for("hearts")}[name]
    won = 0.0
    for game in range(12):
        i = game % 4
        bots: list[Bot] = [exploiter if seat == i else SHREWD for seat in range(4)]
        winners = play(HEARTS, bots, Random(game // 4)).outcome.winners
        won += (i in winners) / len(winners)
    assert won < 3


@pytest.mark.slow
def test_it_beats_the_careful_bot() -> None:
    """The seeds are fixed; chance would win two of these six games."""
    won = 0.0
    for i in range(6):
        bots: list[Bot] = [SHREWD if seat == i % 3 else Careful() for seat in range(3)]
        winners = play(HEARTS, bots, Random(i // 3)).outcome.winners
        won += (i % 3 in winners) / len(winners)
    assert won >= 4

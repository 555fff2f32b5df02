"""Cribbage to the score: sampled hands, the chance to win, and ends whose right play is certain."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from bots.cribbage import Counter, Pegger
from bots.cribbage_race import Race, ahead, duel, match_chance
from bots.cribbage_worlds import VALUES, CribbageWorlds, Hidden, Pegging, points, shown
from bots.simulate import play
from cards.games import french
from cards.games.contract import Ask, Move, Outcome, State, Turn
from cards.games.cribbage.score import pegged
from cards.games.cribbage.table import Board
from tests.cards.games.cribbage_kit import MODE, playing, said, started
from tests.cards.games.cribbage_kit import play as played


def seen(state: State[Board], seat: int) -> State[Board]:
    return state.seen(MODE.sees(state, seat))


def at_scores(state: State[Board], scores: tuple[int, ...], won: tuple[int, ...] = ()) -> State[Board]:
    board = state.board.but(scores=scores)
    return State(board.but(won=won) if won else board, state.faces)


# Ends whose right play is certain

ENDS = [
    ("4C JC 9D AH", "7S AC 8C 10C", "3S", "7S AH 10C JC AC", (119, 116), "9D", "4C"),
    ("8C 10H 5S 7S", "9S 2C 9C 8D", "QC", "9C 7S 8D 5S 2C", (116, 114), "10H", "8C"),
    ("5C QC 3D 4H", "2D 5H 4C 2S", "QH", "2D 4H 5H 5C 4C", (116, 112), "QC", "3D"),
    ("7C AD 5H 6S", "9D KC 5D 9C", "7S", "5D AD KC 6S 9C", (110, 112), "5H", "7C"),
    ("9H JH 5S KS", "KC 5D 7H 2S", "8S", "2S KS 7H 9H KC", (117, 113), "JH", "5S"),
    ("8D QD 6H 9S", "KC QS 7C 4C", "7H", "QS 9S 4C 6H 7C", (112, 112), "QD", "8D"),
]
"""Two hands, the starter, the cards played, the scores, the card that wins and the one with most points.

The other player has one card left. Seat 0 counts second, and its hand and crib would be enough.
"""


def wins(state: State[Board]) -> bool:
    """Tell whether seat 0 wins before the crib, by the rules, if both make the best of what they hold."""
    due = MODE.next(state)
    if isinstance(due, Outcome):
        return 0 in due.winners
    if isinstance(due, Turn):
        return False  # the crib, or another deal
    assert isinstance(due, Ask)
    (seat,) = due.seats
    results = [wins(MODE.play(state, {seat: move})) for move in MODE.legal(state, seat)]
    return any(results) if seat == 0 else all(results)


def with_card(state: State[Board], code: str) -> State[Board]:
    """The state with another card in the other player's hand, which trades places with it."""
    (position,) = state.board.hand.held[1]
    now = state.faces[position]
    faces = {p: now if face == code else face for p, face in state.faces.items()}
    return State(state.board, {**faces, position: code})


@pytest.mark.parametrize(("own", "other", "starter", "cards", "scores", "right", "greedy"), ENDS)
def test_it_makes_the_play_that_wins_whatever_the_other_holds(
    own: str, other: str, starter: str, cards: str, scores: tuple[int, int], right: str, greedy: str
) -> None:
    state = at_scores(played(playing(own, other, starter=starter), cards), scores)
    view = seen(state, 0)
    hidden = [code for code in french.PACK if code not in view.faces.values()]

    def certain(code: str) -> bool:
        move = next(move for move in MODE.legal(view, 0) if move["card"] == code)
        return all(wins(MODE.play(with_card(state, card), {0: move})) for card in hidden)

    assert certain(right)
    assert not certain(greedy)
    assert Counter().choose(MODE, view, 0, Random(1))["card"] == greedy, "for points alone"
    assert {Pegger().choose(MODE, view, 0, Random(seed))["card"] for seed in range(3)} == {right}


@pytest.mark.parametrize(
    ("options", "scores", "card"),
    [
        ({}, (118, 120), "8H"),  # three points win at once, and nothing else is safe
        ({}, (60, 50), "2C"),  # far from the goal a run is not worth the cards that lengthen it
        ({"games": 3}, (58, 120), "8H"),  # the game is lost, but 61 points save the second one
    ],
)
def test_need_decides_between_more_points_and_safer_ones(
    options: dict[str, int], scores: tuple[int, int], card: str
) -> None:
    state = played(playing("6S 8H 2C KD", "7D 10D QH 4H", starter="9C", dealer=1, **options), "6S 7D")
    view = seen(at_scores(state, scores), 0)
    assert {Pegger().choose(MODE, view, 0, Random(seed))["card"] for seed in range(3)} == {card}


# The worlds


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("phase", ["lay", "play"])
def test_worlds_agree_with_all_that_the_seat_sees(seats: int, phase: str) -> None:
    hands = ["4C JC 9D AH", "7S AC 8C 10C", "KD QD 2H 3H", "6S 6D 9H 9C"][:seats]
    state = started(*hands) if phase == "lay" else played(playing(*hands, starter="5S"), "7S")
    for world in islice(CribbageWorlds().worlds(seen(state, 0), 0, Random(2)), 50):
        cards = [place for hand in world.hands for place in hand] + [*world.crib, world.starter]
        assert len({*cards}) == len(cards)
        assert {french.PACK[place] for place in world.hands[0]} >= {*hands[0].split()}
        assert [*map(len, world.held)] == [*map(len, state.board.hand.held)][:1] + [
            4 - len(played) for played in state.board.hand.played[1:]
        ]
        if phase == "play":
            assert french.PACK[world.starter] == "5S"
            assert french.place("7S") in world.hands[1]
            assert len(world.crib) == 4


def test_a_player_who_said_go_holds_no_card_that_fits() -> None:
    state = playing("KS 2C AC AD", "QS QH QD 9C", starter="5S")
    state = played(state, "QS KS 9C AC")
    assert state.board.hand.said == {1}
    left = 31 - state.board.hand.reached
    for world in islice(CribbageWorlds().worlds(seen(state, 0), 0, Random(3)), 50):
        assert min(VALUES[place] for place in world.held[1]) > left


def by_the_rules(state: State[Board], rng: Random) -> tuple[State[Board], list[Move]]:
    """Play a deal on at random to its next deal or its end; the moves that were made."""
    moves = []
    while state.board.phase in ("play", "crib"):
        state = said(state) if state.board.phase == "play" else state
        due = MODE.next(state)
        if isinstance(due, Turn):
            state = MODE.turn(state, {p: state.faces[p] for p in due.positions})
        elif isinstance(due, Ask):
            (seat,) = due.seats
            moves.append(MODE.legal(state, seat).sample(rng))
            state = MODE.play(state, {seat: moves[-1]})
        else:
            break
    return state, moves


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(12))
def test_a_deal_is_pegged_and_counted_as_by_the_rules(seats: int, seed: int) -> None:
    rng = Random(f"{seats}/{seed}")
    cards = rng.sample([code for code in french.PACK if code[0] != "J"], 4 * seats + 1)
    hands = [" ".join(cards[4 * seat : 4 * seat + 4]) for seat in range(seats)]
    start = playing(*hands, starter=cards[-1], dealer=rng.randrange(seats))
    sides = start.board.setup.sides
    start = at_scores(start, tuple(rng.randrange(90, 118) for _ in range(sides)))
    end, moves = by_the_rules(start, rng)
    hand, faces = start.board.hand, start.faces
    world = Hidden(
        start,
        tuple(tuple(french.place(faces[p]) for p in held) for held in hand.held),
        tuple(tuple(french.place(faces[p]) for p in held) for held in hand.held),
        tuple(french.place(faces[p]) for p in start.board.crib),
        french.place(faces[hand.turned_up]),
    )
    scores = [*start.board.scores]
    pegging = Pegging.of(world, scores, 121)
    for move in moves:
        place = french.place(move["card"])
        assert place in (pegging.fitting() or ())
        pegging.card(place)
    winner = pegging.out()
    winner = shown(world, scores, 121) if winner is None else winner
    assert (winner is None) == (end.board.phase != "over")
    assert scores == [*end.board.scores]


def test_points_are_those_of_the_rules() -> None:
    rng = Random(4)
    for _ in range(300):
        ranks = tuple(rng.randint(1, 7) for _ in range(rng.randint(1, 6)))
        assert points(ranks) == sum(item.points for item in pegged(ranks))


# The chance to win


def test_whoever_lacks_less_is_ahead() -> None:
    assert ahead(10, 20) > 0.5 > ahead(20, 10)
    assert ahead(30, 30) == pytest.approx(0.5)
    assert (ahead(0, 5), ahead(5, 0)) == (1, 0)


def test_near_the_goal_the_other_counts_first() -> None:
    assert duel(5, 5) < 0.5 < duel(5, 20)
    assert duel(60, 60) > 0.5, "far from it the deal is worth more"
    for lack in range(1, 30):
        assert 0 <= duel(lack, 8) <= 1
        assert duel(lack, 8) >= duel(lack + 1, 8)


def test_a_match_is_shared_by_the_games_that_are_lacking() -> None:
    assert match_chance((1, 1), 0) == 0.5
    assert match_chance((1, 2), 0) == 0.75
    assert match_chance((0, 2), 0) == 1
    assert sum(match_chance((2, 1, 3), side) for side in range(3)) == pytest.approx(1)


@pytest.mark.parametrize("scores", [[100, 40], [58, 119], [0, 0], [70, 90]])
def test_a_lurch_costs_only_where_it_counts(scores: list[int]) -> None:
    one, many = Race(121, (1, 1), 2), Race(121, (2, 2), 2)
    for race in (one, many):
        assert sum(race.chance(scores, 0, side) for side in range(2)) == pytest.approx(1)
    assert one.won([121, 30], 0, 0) == one.won([121, 90], 0, 0) == 1
    assert many.won([121, 30], 0, 0) == 1, "a lurch is both games"
    assert many.won([121, 90], 0, 0) == 0.75


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("options", [{"target": "61"}, {"target": "61", "count": "muggins"}])
def test_whole_games(seats: int, options: dict[str, str]) -> None:
    """Every choice is legal by what the seat sees, and the same seed makes the same game."""
    bot = Pegger(tries=12)
    one = play(MODE, [bot] * seats, Random(seats), options=options)
    assert one.outcome.winners
    assert one == play(MODE, [bot] * seats, Random(seats), options=options)

"""Cribbage, rule by rule (docs/rules/cribbage.md). A slow, obviously right count checks its scores."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, combinations_with_replacement, islice
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.simulate import options_of
from cards.games import french
from cards.games.contract import Ask, Deal, How, IllegalMove, Miss, Missed, Move, Outcome, State, Turn
from cards.games.cribbage.bulk import WEIGHTS, every, shows
from cards.games.cribbage.score import pegged, show
from cards.games.cribbage.table import Board
from tests.cards.games.cribbage_kit import MODE, at, do, play, playing, started, turned

SHOWN = {
    0: 1009008, 1: 99792, 2: 2813796, 3: 505008, 4: 2855676, 5: 697508, 6: 1800268, 7: 751324,
    8: 1137236, 9: 361224, 10: 388740, 11: 51680, 12: 317340, 13: 19656, 14: 90100, 15: 9168,
    16: 58248, 17: 11196, 18: 2708, 20: 8068, 21: 2496, 22: 444, 23: 356, 24: 3680, 28: 76, 29: 4,
}  # fmt: skip
"""The number of the 12,994,800 hands with a starter for each worth."""


# -- A second scorer: every set of cards, looked at by itself ----------------


def rank(number: int) -> int:
    """The rank of a card, from 1 for the ace to 13 for the king; `number` is its place in the pack."""
    return 1 if number % 13 == 12 else number % 13 + 2


def slow_ranks(cards: Sequence[int]) -> int:
    """The points for fifteens, pairs and runs among five cards."""
    ranks = [rank(card) for card in cards]
    sets = [[ranks[i] for i in range(5) if chosen >> i & 1] for chosen in range(32)]
    fifteens = sum(2 for some in sets if sum(10 if r > 10 else r for r in some) == 15)
    pairs = sum(2 for some in sets if len(some) == 2 and some[0] == some[1])
    runs = 0
    for length in (5, 4, 3):
        row = [s for s in map(sorted, sets) if s == list(range(s[0], s[0] + length) if s else [0])]
        if row:
            runs = length * len(row)
            break
    return fifteens + pairs + runs


def slow_suits(hand: Sequence[int], starter: int, crib: bool) -> int:
    """The points for a flush and his nobs."""
    suits = {card // 13 for card in hand}
    points = 0
    if suits == {starter // 13}:
        points = 5
    elif len(suits) == 1 and not crib:
        points = 4
    return points + sum(1 for card in hand if rank(card) == 11 and card // 13 == starter // 13)


def compare(fives: Sequence[tuple[int, ...]], worth: Sequence[int], counts: Counter[int]) -> None:
    """Take each of five cards as the starter, as hand and as crib: fast, itemised and slow counts agree."""
    hands = [(*five[:i], *five[i + 1 :], five[i]) for five in fives for i in range(5)]
    numbers = bytes(chain.from_iterable(hands))
    fast = shows(numbers), shows(numbers, crib=True)
    counts.update(fast[0])
    for place, cards in enumerate(hands):
        codes = [french.PACK[card] for card in cards]
        for crib in (False, True):
            slow = worth[place // 5] + slow_suits(cards[:4], cards[4], crib)
            assert slow == fast[crib][place] == show(codes[:4], codes[4], crib=crib).total, codes


def test_a_sample_of_all_hands_and_cribs_scores_as_counted_slowly() -> None:
    rng, counts = Random(29), Counter[int]()
    fives = [tuple(rng.sample(range(52), 5)) for _ in range(800)]
    compare(fives, [slow_ranks(five) for five in fives], counts)
    assert counts.total() == 4_000


@pytest.mark.long
def test_all_hands_and_cribs_score_as_counted_slowly() -> None:
    """Counts 12,994,800 hands with their starters, and as many cribs, in some minutes."""
    counts: Counter[int] = Counter()
    for number, lowest in enumerate(combinations(range(52), 2)):
        fives = [(*lowest, *rest) for rest in combinations(range(lowest[1] + 1, 52), 3)]
        compare(fives, [slow_ranks(five) for five in fives], counts)
        bar = "#" * (counts.total() * 50 // 12_994_800)
        sys.__stderr__.write(f"\r{bar:<50} {counts.total():>10,} of 12,994,800" if number % 8 == 0 else "")  # type: ignore[union-attr]
    assert counts == SHOWN


def test_the_weights_tell_all_ranks_apart() -> None:
    ranks = [five for five in combinations_with_replacement(range(13), 5) if five[0] != five[4]]
    assert len({sum(WEIGHTS[rank] for rank in five) for five in ranks}) == len(ranks) == 6175


def test_every_hand_comes_once() -> None:
    """Looks at the first blocks of hands: those with the two lowest clubs, each card as the starter."""
    pieces = [*islice(every(), 5)]
    hands = [(frozenset(piece[i : i + 4]), piece[i + 4]) for piece in pieces for i in range(0, len(piece), 5)]
    assert len({*hands}) == len(hands) == 5 * 50 * 49 * 48 // 6
    assert all({0, 1} < hand | {starter} and len(hand) == 4 for hand, starter in hands)


@pytest.mark.long
def test_the_distribution_of_all_hands() -> None:
    counts: Counter[int] = Counter()
    for hands in every():
        counts.update(shows(hands))
    assert counts == SHOWN


def test_half_a_hand_is_no_hand() -> None:
    with pytest.raises(ValueError, match="five cards"):
        shows(bytes(4))
    assert shows(b"") == b""


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("9S 6D 5H 4C 4H", "fifteen 2, fifteen 4, fifteen 6, double run makes 14"),
        ("8S 8H 7D 6C 6H", "fifteen 2, fifteen 4, quadruple run makes 20"),
        ("KS KH KD QC JH", "triple run for 15"),
        ("KS QH JD 10C JH", "double run of four for 10"),
        ("AS 2H 3D 4C 5H", "fifteen 2, run of five makes 7"),
        ("4S 5H 6D KC KH", "fifteen 2, fifteen 4, fifteen 6, run of three makes 9, pair makes 11"),
        ("2H 4H 6H 8H KC", "flush for 4"),
        ("JH 2S 4D 6C 8H", "his nobs for 1"),
        ("2S 4S 6D 8C 10H", "nothing"),
    ],
)
def test_a_hand_is_counted_aloud(cards: str, text: str) -> None:
    *hand, starter = cards.split()
    assert show(hand, starter).told() == text


@given(st.lists(st.integers(1, 13), min_size=1, max_size=8))
def test_pegging_is_what_looking_back_gives(ranks: list[int]) -> None:
    """The newest cards peg as the longest set of equal cards, and as the longest run."""
    count = sum(min(r, 10) for r in ranks)
    tails = [ranks[-n:] for n in range(1, len(ranks) + 1)]
    equal = max(len(tail) for tail in tails[:4] if len({*tail}) == 1)
    runs = [len(t) for t in tails if len(t) > 2 and sorted(t) == list(range(min(t), min(t) + len(t)))]
    points = 2 * (count in (15, 31)) + equal * (equal - 1) + max(runs, default=0)
    assert sum(item.points for item in pegged(tuple(ranks))) == points


# -- A game, rule by rule ----------------------------------------------------


def code_of(state: State[Board], seat: int, move: Any) -> str:
    refusal = MODE.legal(state, seat).refusal(move)
    assert refusal is not None
    return f"{refusal.code} {refusal.section} {refusal.pointer}".strip()


def test_the_lowest_cut_deals_and_equal_ones_cut_again() -> None:
    def cut(first: str, second: str) -> State[Board]:
        state = MODE.start(options_of(MODE), 2)
        assert isinstance(MODE.next(state), Deal)
        rest = [code for code in french.PACK if code not in (first, second)]
        order = [*rest[:10], first, second, *rest[10:]]
        state = State(MODE.deal(state, [None]).board, dict(enumerate(order)))
        assert code_of(state, 0, {"cut": 3}) == "packet_too_thin cribbage 2 /cut"
        assert code_of(state, 0, {"cut": 49}) == "packet_too_thin cribbage 2 /cut"
        assert code_of(state, 1, {"cut": 10}) == "not_asked cribbage 12"
        state = do(state, {"cut": 10})
        assert 10 not in MODE.sees(state, 0), "a card that was cut is turned up with the other"
        assert code_of(state, 1, {"cut": 10}) == "cut_there_already cribbage 2 /cut"
        before = MODE.play(state, {1: {"cut": 11}})
        after = turned(before)
        lines = MODE.account(before, {}, after)
        assert lines is not None
        assert lines[0]["text"] == f"Seat 0 cuts the {french.title(first)}"
        assert isinstance(MODE.next(after), Deal)
        return after

    assert cut("KC", "QC").board.dealer == 1
    assert cut("AC", "2C").board.dealer == 0, "the ace is low"
    assert cut("5C", "5D").board.phase == "shuffle"


def test_two_cards_are_laid_away_at_the_same_time_and_stay_secret() -> None:
    state = started("AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D")
    due = MODE.next(state)
    assert due == Ask(frozenset((0, 1)), How.TOGETHER, "lay", "lay")
    assert len(list(MODE.legal(state, 0))) == 15
    assert code_of(state, 0, {"lay": [0]}) == "wrong_number cribbage 4 /lay"
    assert code_of(state, 0, {"lay": [0, 0]}) == "card_twice cribbage 4 /lay"
    assert code_of(state, 0, {"lay": [0, 6]}) == "not_in_hand cribbage 4 /lay"
    assert code_of(state, 0, {"lay": 0}).startswith("malformed")
    with pytest.raises(IllegalMove):
        MODE.play(state, {0: {"lay": [0, 1]}})
    state = MODE.play(state, {0: {"lay": [0, 1]}, 1: {"lay": [10, 11]}})
    assert state.board.crib == (0, 1, 10, 11)
    assert {0, 1} <= MODE.sees(state, 0)
    assert not {10, 11} & MODE.sees(state, 0)
    assert not {0, 1, 10, 11} & MODE.sees(state, None)


def test_the_starter_is_cut_left_of_the_dealer_and_a_jack_pegs_two() -> None:
    state = started("AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D", starter="JD")
    state = MODE.play(state, {0: {"lay": [0, 1]}, 1: {"lay": [10, 11]}})
    assert MODE.next(state) == Ask(frozenset((1,)), How.ANY, "cut", "starter")
    assert [move["cut"] for move in MODE.legal(state, 1)] == [*range(4, 37)]
    before = MODE.play(state, {1: {"cut": 4}})
    assert MODE.next(before) == Turn(frozenset((16,)))
    after = turned(before)
    assert after.board.scores == (2, 0)
    lines = MODE.account(before, {}, after)
    assert lines is not None
    assert [line["text"] for line in lines] == ["Seat 0 pegs 2 points: his heels for 2"]
    with pytest.raises(IllegalMove):
        MODE.turn(before, {17: "JD"})
    with pytest.raises(IllegalMove):
        MODE.turn(before, {16: "AC"})


def test_heels_may_win() -> None:
    state = started("AC 2C", "AD 2D", starter="JD")
    state = MODE.play(state, {0: {"lay": [0, 1]}, 1: {"lay": [10, 11]}})
    state = State(state.board.but(scores=(119, 120)), state.faces)
    outcome = MODE.next(do(state, {"cut": 4}))
    assert outcome == Outcome((121, 120), (0,), "points")


def test_go_is_said_for_a_player_without_a_card_that_fits() -> None:
    state = play(playing("KC KD 5H 6H", "QC QH 9S 8S"), "QC KC QH")
    assert state.board.scores == (0, 1), "neither can go past 30"
    assert (state.board.hand.reached, state.board.hand.pile) == (0, ())
    assert MODE.next(state) == Ask(frozenset((0,)), How.ANY, "card", "card"), "seat 1 laid last"


def test_refusals_in_the_play() -> None:
    state = play(playing("KC AD 5H 6H", "QC QH 9S 8S"), "QC KC 9S")
    assert state.board.hand.reached == 29
    assert code_of(state, 0, {"go": True}) == "can_play cribbage 6 /go"
    assert code_of(state, 0, {"play": at(state, "5H"), "card": "5H"}) == "past_31 cribbage 6 /play"
    assert code_of(state, 0, {"play": at(state, "5H"), "card": "AD"}) == "not_that_card cribbage 12 /card"
    assert code_of(state, 0, {"play": at(state, "8S"), "card": "8S"}) == "not_in_hand cribbage 6 /play"
    assert code_of(state, 0, {"play": 0, "card": "Joker"}) == "unknown_card cribbage 12 /card"
    assert code_of(state, 0, {"play": "0", "card": "KC"}) == "malformed cribbage 12 /play"
    assert code_of(state, 0, None) == "malformed cribbage 12"
    assert code_of(state, 1, {"go": True}) == "not_asked cribbage 12"


def test_thirty_one_pegs_two_and_the_last_card_one() -> None:
    state = play(playing("KD AH 2C 3C", "KS QS 9S 8S", starter="7D"), "KS KD 8S AH 2C")
    assert state.board.scores == (4, 0), "a pair, and thirty-one"
    assert (state.board.hand.mover, state.board.hand.reached) == (1, 0)
    state = play(state, "QS 3C")
    shown = MODE.play(state, {1: {"play": at(state, "9S"), "card": "9S"}})
    assert [(news.kind, news.seat) for news in shown.board.news] == [("go", 1), ("hand", 1), ("hand", 0)]
    assert shown.board.news[0].items[0].name == "last card"
    assert shown.board.news[0].total == 1


def test_nobody_is_asked_to_say_go() -> None:
    """The house says go for a seat without a card that fits, and for no other seat."""
    state = play(playing("KC KD 5H 6H", "QC QH 9S 8S"), "QC KC")
    assert MODE.compelled(state, 1) is None
    state = do(state, {"play": at(state, "9S"), "card": "9S"})
    assert state.board.hand.reached == 29
    assert MODE.compelled(state, 0) == {"go": True} == MODE.absent(state, 0)
    assert MODE.compelled(state, 1) is None, "it is not seat 1's turn"
    blind = state.seen(MODE.sees(state, 1))
    assert MODE.compelled(blind, 0) == {"go": True}
    assert MODE.absent(blind, 0) is None


def test_the_show_is_counted_left_of_the_dealer_first_and_may_end_the_game() -> None:
    codes = "5S 10D 5D 10H 5C JC JD 4C"
    state = playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H")
    nearly = State(state.board.but(scores=(100, 92)), state.faces)
    done = play(nearly, codes)
    kinds = [(news.kind, news.seat) for news in done.board.news]
    assert ("hand", 1) in kinds
    assert ("hand", 0) not in kinds
    assert done.board.phase == "over"
    outcome = MODE.next(done)
    assert isinstance(outcome, Outcome)
    assert outcome.winners == (1,)
    assert outcome.reason == "points"
    usual = play(state, codes)
    assert [news.kind for news in usual.board.news if news.kind == "hand"] == []
    assert usual.board.phase == "deal", "the crib was turned up"
    assert usual.board.dealer == 1
    assert usual.board.hand.shown


def test_a_lurched_loser_costs_two_games_and_deals_the_next() -> None:
    state = playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H", games=3)
    state = State(state.board.but(scores=(50, 120)), state.faces)
    state = play(state, "5S 10D 5D 10H 5C JC")
    after = MODE.play(state, {1: {"play": at(state, "JD"), "card": "JD"}})
    assert (after.board.won, after.board.scores, after.board.phase) == ((0, 2), (0, 0), "deal")
    assert after.board.dealer == 0
    assert MODE.points(after) == (0, 2)
    lines = MODE.account(state, {}, after)
    assert lines is not None
    assert [line["text"] for line in lines] == [
        "Seat 1 pegs 2 points: pair for 2",
        "Seat 1 wins the game, a double game: the loser is lurched",
    ]


@pytest.mark.parametrize(("loser", "reason"), [(50, "lurch"), (56, "points")])
def test_a_single_game_names_the_lurch(loser: int, reason: str) -> None:
    """Seat 0 pegs five more before seat 1 reaches 121: with 61 it is not lurched."""
    state = playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H")
    state = State(state.board.but(scores=(loser, 120)), state.faces)
    outcome = MODE.next(play(state, "5S 10D 5D 10H 5C JC JD"))
    assert outcome == Outcome((loser + 5, 122), (1,), reason)


# -- Muggins -----------------------------------------------------------------


def shown() -> State[Board]:
    """A state after the play: seat 1's hand counts 28, and that of seat 0, the dealer, 6."""
    state = play(
        playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H", count="muggins"), "5S 10D 5D 10H 5C JC JD 4C"
    )
    assert MODE.next(state) == Ask(frozenset((1,)), How.ANY, "claim", "claim")
    return State(state.board.but(scores=(0, 0)), state.faces)


@pytest.mark.parametrize(
    ("claim", "answer", "scores"),
    [
        (28, {"accept": True}, (0, 28)),
        (28, {"object": 27}, (0, 28)),  # a wrong objection changes nothing
        (29, {"accept": True}, (0, 29)),
        (29, {"object": 28}, (0, 28)),
        (29, {"object": 27}, (0, 29)),
        (20, {"accept": True}, (0, 20)),
        (20, {"object": 28}, (8, 20)),
        (20, {"object": 24}, (0, 20)),
    ],
)
def test_muggins(claim: int, answer: Move, scores: tuple[int, int]) -> None:
    state = do(shown(), {"claim": claim})
    assert MODE.next(state) == Ask(frozenset((0,)), How.ANY, "claim", "answer")
    after = do(state, answer)
    assert after.board.scores == scores
    assert MODE.next(after) == Ask(frozenset((0,)), How.ANY, "claim", "claim")


def test_the_crib_is_claimed_after_the_hands() -> None:
    state = do(shown(), {"claim": 28}, {"accept": True}, {"claim": 6})
    assert not state.board.hand.shown
    state = do(state, {"accept": True})
    assert state.board.hand.shown
    assert MODE.next(state) == Ask(frozenset((0,)), How.ANY, "claim", "claim")
    before = do(state, {"claim": 0})
    after = do(before, {"accept": True})
    assert after.board.phase == "deal"
    lines = MODE.account(before, {1: {"accept": True}}, after)
    assert lines is not None
    assert lines[0]["text"].endswith("claimed 0")


def test_refusals_of_claims() -> None:
    state = shown()
    assert code_of(state, 1, {"claim": 30}) == "no_such_count cribbage 9 /claim"
    assert code_of(state, 1, {"claim": True}) == "malformed cribbage 12 /claim"
    state = do(state, {"claim": 4})
    assert code_of(state, 0, {"object": 4}) == "same_count cribbage 9 /object"
    assert code_of(state, 0, {"object": -1}) == "no_such_count cribbage 9 /object"
    assert code_of(state, 0, {"accept": False}) == "malformed cribbage 12 /accept"
    assert code_of(state, 0, {}) == "malformed cribbage 12"


# -- Away, gone, three and four ----------------------------------------------


def missed(state: State[Board], seat: int) -> State[Board]:
    return MODE.play(state, {seat: Missed(Miss.CHOICE, MODE.absent(state, seat))})


def test_a_player_who_is_away_plays_lowest_and_is_out_after_three_misses() -> None:
    state = playing("KC AD 5H 6H", "QC QH 9S 8S")
    state = missed(missed(state, 1), 0)
    assert [state.faces[position] for position in state.board.hand.pile] == ["8S", "AD"]
    assert state.board.missed == (1, 1)
    state = play(state, "9S")
    assert state.board.missed == (1, 0), "begun again with a card played in time"
    state = State(state.board.but(missed=(2, 0)), state.faces)
    assert MODE.next(missed(state, 0)) == Outcome((0, 0), (1,), "missed")


def test_a_go_is_no_miss() -> None:
    state = play(playing("KC KD 5H 6H", "QC QH 9S 8S"), "QC KC")
    state = do(state, {"play": at(state, "9S"), "card": "9S"})
    state = State(state.board.but(missed=(2, 0)), state.faces)
    state = MODE.play(state, {0: Missed(Miss.COMPELLED, {"go": True})})
    assert state.board.missed == (2, 0)
    assert not state.board.gone


def test_the_game_is_drawn_if_both_are_out_at_once() -> None:
    state = started("AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D")
    state = State(state.board.but(missed=(2, 2), scores=(3, 4)), state.faces)
    choices = {seat: Missed(Miss.CHOICE, MODE.absent(state, seat)) for seat in (0, 1)}
    assert MODE.next(MODE.play(state, choices)) == Outcome((3, 4), (0, 1), "missed")


def test_the_house_must_not_choose_for_a_player_who_has_a_choice() -> None:
    state = playing("KC AD 5H 6H", "QC QH 9S 8S")
    with pytest.raises(IllegalMove):
        MODE.play(state, {1: Missed(Miss.CHOICE, {"play": at(state, "QC"), "card": "QC"})})


def test_three_players_lay_one_card_each_to_a_crib_that_has_one() -> None:
    state = playing("KC KD 5H 6H", "QC QH 9S 8S", "AC AD AH AS")
    board = state.board
    assert [len(held) for held in board.hand.held] == [4, 4, 4]
    assert len(board.crib) == 4
    assert 15 in board.crib
    assert board.setup.stock == range(16, 52)
    assert board.hand.mover == 1
    state = play(state, "QC AC KC")
    assert state.board.hand.mover == 1
    state = do(state, {"play": at(state, "9S"), "card": "9S"})
    assert state.board.hand.reached == 30
    state = do(state, {"play": at(state, "AD"), "card": "AD"})
    assert state.board.scores == (0, 0, 2)
    assert state.board.hand.mover == 0


def test_four_players_are_partners() -> None:
    state = playing("KC KD 5H 6H", "QC QH 9S 8S", "AC AD AH AS", "7C 7D 2H 2S")
    state = play(state, "9S AC 2H KC 8S AD")
    assert state.board.scores == (2, 0), "seat 2 made thirty-one"
    assert MODE.points(state) == (2, 0, 2, 0)
    assert MODE.end(state, "resigned", frozenset({0})).winners == (1, 3)
    assert MODE.leave(state, 0) is None


def test_partners_play_on_while_both_sides_have_somebody() -> None:
    state = playing("KC KD 5H 6H", "QC QH 9S 8S", "AC AD AH AS", "7C 7D 2H 2S", absent="play")
    state = State(state.board.but(scores=(100, 7)), state.faces)
    left = MODE.leave(state, 0)
    assert left is not None
    assert MODE.gone(left) == {0}
    assert MODE.leave(left, 2) is None
    assert MODE.end(left, "resigned", frozenset({2})).winners == (1, 3)

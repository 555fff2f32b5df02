"""Corners of cribbage (docs/rules/cribbage.md): games won in mid-play, empty hands, claims, who is out."""

from __future__ import annotations

from typing import Any

import pytest

from bots.simulate import options_of
from cards.games.contract import Ask, Deal, How, IllegalMove, Miss, Missed, Outcome, State
from cards.games.cribbage.table import Board
from tests.cards.games.cribbage_kit import MODE, at, do, play, playing, started


def scored(state: State[Board], *scores: int, **more: Any) -> State[Board]:
    """The same state with these points, and other changes of the board."""
    return State(state.board.but(scores=scores, **more), state.faces)


def missing(state: State[Board]) -> State[Board]:
    """Let the seats that are asked miss their move, for which the house plays."""
    due = MODE.next(state)
    assert isinstance(due, Ask)
    return MODE.play(state, {seat: Missed(Miss.CHOICE, MODE.absent(state, seat)) for seat in due.seats})


@pytest.mark.parametrize("choices", [{}, {0: {"cut": 4}}])
def test_where_nothing_is_asked_nothing_is_played(choices: dict[int, Any]) -> None:
    state = MODE.start(options_of(MODE), 2)
    assert isinstance(MODE.next(state), Deal)
    with pytest.raises(IllegalMove) as caught:
        MODE.play(state, choices)
    assert caught.value.refusal.code == "not_asked"


# -- The play ----------------------------------------------------------------


def test_after_thirty_one_the_next_seat_leads_a_new_count() -> None:
    state = play(playing("KD AH 2C 6C", "KS 10S 9S 8S", starter="7D"), "KS KD 10S")
    state = do(state, {"play": at(state, "AH"), "card": "AH"})
    hand = state.board.hand
    assert (hand.reached, hand.pile, hand.mover, hand.said) == (0, (), 1, frozenset())
    assert state.board.scores == (4, 0), "the pair of kings, and two for 31 with no point for go"


def test_the_player_who_laid_last_leads_if_the_other_hand_is_empty() -> None:
    state = play(playing("KD QH 2C 3C", "AS AC AD 2S", starter="7D"), "AS KD AC QH AD 2C 2S 3C")
    assert state.board.phase == "deal", "the last card and the show are behind"
    state = playing("KD QH JC 9C", "AS AC AD 2S", starter="7D")
    state = play(state, "AS KD AC QH AD")
    assert state.board.hand.reached == 23
    state = play(state, "2S")
    assert (state.board.hand.reached, state.board.hand.mover) == (0, 0), "seat 1 laid last and holds nothing"
    assert state.board.scores == (0, 1)
    state = play(state, "JC")
    assert (state.board.hand.reached, state.board.hand.mover) == (10, 0)


def test_a_combination_does_not_reach_back_over_a_go() -> None:
    state = play(playing("KC KD 5H 6H", "QC QH KH 8S"), "QC KC QH")
    state = play(state, "KD KH")
    assert [item.name for item in state.board.news[0].items] == ["pair"], "not pair royal with KC"


def test_a_card_that_pegs_out_ends_the_game_with_cards_in_hand() -> None:
    state = scored(play(playing("AD KD QD JD", "4S AS 9S 8S", starter="7H"), "4S AD"), 70, 119)
    done = do(state, {"play": at(state, "AS"), "card": "AS"})
    assert MODE.next(done) == Outcome((70, 121), (1,), "points")
    assert [news.kind for news in done.board.news] == ["play", "game"]
    assert [len(held) for held in done.board.hand.held] == [3, 2]
    assert not list(MODE.legal(done, 0)), "nobody is asked for more"


def test_a_go_that_pegs_out_ends_the_game() -> None:
    state = scored(play(playing("KC KD 5H 6H", "QC QH JH JS"), "QC KC"), 50, 120)
    state = do(state, {"play": at(state, "QH"), "card": "QH"}, {"go": True}, {"go": True})
    assert MODE.next(state) == Outcome((50, 121), (1,), "lurch")


def test_heels_that_win_a_game_of_a_match_let_a_loser_deal_the_next() -> None:
    state = started("AC 2C 3C 4C 5C 6C", "AD 2D 3D 4D 5D 6D", starter="JD", games=2)
    state = MODE.play(state, {0: {"lay": [0, 1]}, 1: {"lay": [10, 11]}})
    state = do(scored(state, 119, 61), {"cut": 4})
    assert (state.board.phase, state.board.won, state.board.scores) == ("deal", (1, 0), (0, 0))
    assert state.board.dealer == 1
    assert isinstance(MODE.next(state), Deal)


# -- The show and the stake --------------------------------------------------


def last_card(*scores: int, **options: Any) -> State[Board]:
    """A state before the last card. Seat 1's hand counts 28, and that of seat 0, the dealer, 6."""
    state = playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H", **options)
    return scored(play(state, "5S 10D 5D 10H 5C JC JD"), *scores)


@pytest.mark.parametrize(
    ("scores", "winner", "kinds"),
    [
        ((120, 120), 0, ["go", "game"]),
        ((114, 93), 1, ["go", "hand", "game"]),
        ((114, 92), 0, ["go", "hand", "hand", "game"]),
    ],
)
def test_points_are_pegged_in_their_order(scores: tuple[int, int], winner: int, kinds: list[str]) -> None:
    """The order: the last card, the hand left of the dealer, the dealer's hand."""
    state = last_card(*scores)
    state = MODE.play(state, {0: {"play": at(state, "4C"), "card": "4C"}})
    assert [news.kind for news in state.board.news] == kinds
    outcome = MODE.next(state)
    assert isinstance(outcome, Outcome)
    assert outcome.winners == (winner,)


@pytest.mark.parametrize(("target", "loser", "games"), [("121", 60, 2), ("121", 61, 1), ("61", 20, 1)])
def test_only_a_game_of_121_knows_a_lurch(target: str, loser: int, games: int) -> None:
    state = playing("AD KD QD JD", "4S AS 9S 8S", starter="7H", target=target, games=9)
    state = scored(play(state, "4S AD"), loser, int(target) - 2)
    state = do(state, {"play": at(state, "AS"), "card": "AS"})
    assert state.board.won == (0, games)
    assert state.board.reason == ""


def test_of_three_all_losers_must_be_lurched_and_the_last_of_them_deals() -> None:
    hands = ("AD KD QD JD", "4S AS 9S 8S", "AH KH QH JH")
    state = play(playing(*hands, starter="7H", games=9), "4S AH")
    for scores, won, dealer in (((119, 60, 61), (1, 0, 0), 1), ((119, 60, 60), (2, 0, 0), 1)):
        done = scored(state, *scores)
        done = do(done, {"play": at(done, "AD"), "card": "AD"})
        assert (done.board.won, done.board.dealer) == (won, dealer)
    done = scored(state, 119, 61, 60)
    assert do(done, {"play": at(done, "AD"), "card": "AD"}).board.dealer == 2


# -- Muggins -----------------------------------------------------------------


def claimed(points: int, *scores: int, **options: Any) -> State[Board]:
    """A state in which seat 1 has claimed this number for its 28, and awaits the answer."""
    state = last_card(*scores, count="muggins", **options)
    state = do(state, {"play": at(state, "4C"), "card": "4C"}, {"claim": points})
    assert MODE.next(state) == Ask(frozenset((0,)), How.ANY, "claim", "answer")
    return state


def test_the_claim_is_pegged_before_what_it_overlooked() -> None:
    state = do(claimed(20, 112, 101), {"object": 28})
    assert MODE.next(state) == Outcome((113, 121), (1,), "points"), "the objection comes too late"
    state = do(claimed(20, 112, 100), {"object": 28})
    assert MODE.next(state) == Outcome((121, 120), (0,), "points"), "eight points were overlooked"
    assert [news.kind for news in state.board.news] == ["hand", "muggins", "game"]


def test_a_corrected_claim_does_not_win() -> None:
    assert MODE.next(do(claimed(29, 60, 92), {"accept": True})) == Outcome((61, 121), (1,), "points")
    state = do(claimed(29, 60, 92), {"object": 28})
    assert state.board.scores == (61, 120)


def asked_of(state: State[Board]) -> int:
    """The one seat that is asked."""
    due = MODE.next(state)
    assert isinstance(due, Ask)
    (seat,) = due.seats
    return seat


def shown(seats: int, out: frozenset[int]) -> State[Board]:
    """A state after the play, at a table that plays on for `out`. Seat 0 dealt, so seat 1 claims first."""
    hands = ("KC QC JC 10C", "KD QD JD 10D", "KH QH JH 10H", "KS QS JS 10S")[:seats]
    state = playing(*hands, starter="AD", count="muggins", absent="play")
    state = State(state.board.but(gone=out), state.faces)
    while MODE.next(state) != Ask(frozenset((1,)), How.ANY, "claim", "claim"):
        seat = asked_of(state)
        move = MODE.absent(state, seat)
        assert move is not None
        state = MODE.play(state, {seat: move})
    return state


@pytest.mark.parametrize(
    ("seats", "out", "asked"),
    [
        (3, (), (2, 0, 1, 1)),
        (3, (2,), (0, 0, 1, 1)),
        (3, (1,), (2, 0, 2, 2)),
        (4, (), (2, 3, 0, 1, 1)),
        (4, (2,), (0, 3, 0, 1, 1)),
        (4, (0, 1), (2, 3, 2, 3, 3)),
    ],
)
def test_a_claim_is_answered_by_the_next_opponent_who_is_not_out(
    seats: int, out: tuple[int, ...], asked: tuple[int, ...]
) -> None:
    """Otherwise a player beside an empty seat could claim anything, since the house objects to nothing."""
    state = shown(seats, frozenset(out))
    found = []
    while state.board.phase != "deal":
        state = do(state, {"claim": 3})
        found.append(asked_of(state))
        state = do(state, {"accept": True})
    assert tuple(found) == asked


# -- Who is out --------------------------------------------------------------


def test_a_card_that_the_house_plays_for_the_third_miss_wins_nothing() -> None:
    """The third miss in a row counts before the points of the card that the house plays."""
    state = scored(play(playing("AD KD QD JD", "4S AS 9S 8S", starter="7H"), "4S AD"), 70, 119)
    state = State(state.board.but(missed=(0, 2)), state.faces)
    assert MODE.absent(state, 1) == {"play": at(state, "AS"), "card": "AS"}
    assert MODE.next(missing(state)) == Outcome((70, 121), (0,), "missed")


def test_nor_does_the_partner_win_by_that_card() -> None:
    hands = ("AD KD QD JD", "4S 4C 9S 8S", "KH QH JH 2H", "AS 7C 9C 8C")
    state = scored(play(playing(*hands, starter="7H"), "4S KH AS"), 119, 80)
    state = State(state.board.but(missed=(2, 0, 0, 0)), state.faces)
    assert MODE.next(missing(state)) == Outcome((121, 80, 121, 80), (1, 3), "missed")


def test_a_win_by_a_card_that_another_missed_is_a_win_by_points() -> None:
    """A seat misses the last card, and the hand that is then shown first wins."""
    state = last_card(50, 93)
    state = State(state.board.but(missed=(2, 0)), state.faces)
    assert MODE.next(missing(state)) == Outcome((51, 121), (1,), "lurch")

"""Big C, rule by rule (docs/rules/big-c.md)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.games.big_c.hands import ORDER, Combination, Comparison, Kind, combination_of, compare
from cards.games.big_c.rules import TURNS
from cards.games.big_c.table import Board, copies, pack
from cards.games.contract import Ask, Deal, How, IllegalMove, Miss, Missed, Outcome, State
from tests.cards.games.big_c_kit import BIG_C, PASS, begun, do, hands, move, playing, present


def why_not(state: State[Board], seat: int, tried: Any) -> tuple[str, str, str]:
    """The code, section and pointer of a refusal."""
    refusal = BIG_C.legal(state, seat).refusal(tried)
    assert refusal is not None
    return refusal.code, refusal.section, refusal.pointer


def sizes(state: State[Board]) -> list[int]:
    """Count the cards that everybody has."""
    return [len(hand) for hand in state.board.hands]


def order(state: State[Board]) -> list[int]:
    """The order of play so far."""
    return [seat for group in state.board.groups for seat in group]


def made(codes: str) -> Combination:
    """The hand that cards make."""
    hand = combination_of(codes.split())
    assert hand is not None
    return hand


# 1. The packs


@pytest.mark.parametrize(("seats", "packs"), [(2, 2), (3, 2), (4, 2), (5, 3), (6, 3), (11, 6), (12, 6)])
def test_packs_for_every_number_of_players(seats: int, packs: int) -> None:
    assert len(pack(seats)) == packs * 54
    assert copies(seats) == dict.fromkeys(ORDER, packs) | {"Joker": 2 * packs}


def test_lots_are_drawn_in_public_before_the_hands_and_nothing_after() -> None:
    state = BIG_C.start({"hand": 13, "absent": "end"}, 3)
    lots = BIG_C.next(state)
    assert isinstance(lots, Deal)
    assert not lots.secret
    state = BIG_C.deal(state, [(2, 0, 1)])
    hands = BIG_C.next(state)
    assert isinstance(hands, Deal)
    assert hands.secret
    assert hands.fresh
    state = BIG_C.deal(state, [None])
    assert [sorted(hand)[0] for hand in state.board.hands] == [0, 13, 26]
    assert state.board.stock == tuple(range(39, 108))


@pytest.mark.parametrize("size", [5, 27])
def test_the_largest_and_the_smallest_hands_can_be_dealt_to_all(size: int) -> None:
    for seats in range(2, 13):
        state = BIG_C.start({"hand": size, "absent": "end"}, seats)
        state = BIG_C.deal(BIG_C.deal(state, [tuple(range(seats))]), [None])
        assert sum(sizes(state)) + len(state.board.stock) == len(pack(seats))


# 3. The order of play


def test_the_lowest_card_goes_first() -> None:
    state = present(begun("5D KD", "3S KC", "2C KH"), s0="5D", s1="3S", s2="2C")
    assert order(state) == [1, 0, 2]
    due = BIG_C.next(state)
    assert due == Ask(frozenset({1}), How.ANY, "turn", "lead")
    assert sizes(state) == [2, 2, 2]


def test_a_joker_is_the_lowest_card() -> None:
    assert order(present(begun("3D 4D", "Joker 5D"), s0="3D", s1="Joker")) == [1, 0]


def test_only_the_tied_present_another_card_and_are_ranked_within_their_places() -> None:
    state = begun("5D 2S", "5D 2H", "4D 7S", "6D 7H")
    state = present(state, s0="5D", s1="5D", s2="4D", s3="6D")
    assert BIG_C.next(state) == Ask(frozenset({0, 1}), How.TOGETHER, "present", "present")
    assert order(present(state, s0="2S", s1="2H")) == [2, 1, 0, 3]


def test_ties_of_two_pairs_of_players_are_decided_at_once() -> None:
    state = present(begun("5D 3S", "5D 3H", "9D 7S", "9D 7H"), s0="5D", s1="5D", s2="9D", s3="9D")
    assert order(present(state, s0="3S", s1="3H", s2="7S", s3="7H")) == [1, 0, 3, 2]


def test_seats_that_stay_tied_to_the_end_are_ordered_by_lot() -> None:
    state = begun("5D 6D", "5D 6D", "5D 6D", "7D 8D", lots=(3, 2, 0, 1))
    state = present(state, s0="5D", s1="5D", s2="5D", s3="7D")
    assert state.board.phase == "present"
    assert order(present(state, s0="6D", s1="6D", s2="6D")) == [2, 0, 1, 3]


def test_another_face_is_presented_while_one_is_held() -> None:
    state = begun("5D 5D 6D", "5D 5D 7D")
    state = present(state, s0="5D", s1="5D")
    assert why_not(state, 0, {"present": 1, "card": "5D"}) == ("same_card", "big-c 3", "/card")
    assert why_not(state, 0, {"present": 0, "card": "5D"}) == ("presented_before", "big-c 3", "/present")
    assert [m["card"] for m in BIG_C.legal(state, 0)] == ["6D"]
    state = begun("5D 5D", "5D 5D")
    state = present(state, s0="5D", s1="5D")
    assert [m["card"] for m in BIG_C.legal(state, 0)] == ["5D"]


def test_presented_cards_are_known_to_all_and_stay_in_the_hand() -> None:
    state = present(begun("5D KD", "3S KC"), s0="5D", s1="3S")
    assert BIG_C.sees(state, None) == {0, 2}
    assert BIG_C.sees(state, 0) == {0, 1, 2}
    after = do(state, "3S", "5D")
    assert after.board.known == frozenset()
    assert BIG_C.sees(after, None) == {0, 2}


# 4 and 5. Hands and Jokers


@pytest.mark.parametrize(
    ("codes", "kind"),
    [
        ("2S", Kind.SINGLE),
        ("4D 4D", Kind.PAIR),
        ("4D 4S Joker", Kind.TRIPLE),
        ("4D Joker Joker", Kind.TRIPLE),
        ("4D 4D 6D 6D 9D", Kind.FLUSH),
        ("10D JC QC KC AC", Kind.STRAIGHT),
        ("JD QC KC AC 2C", Kind.STRAIGHT),
        ("JC QC Joker AC 2C", Kind.STRAIGHT_FLUSH),
        ("4D 4D 4D 6D 6D", Kind.FULL_HOUSE),
        ("4D 4D 4D 4D 4D", Kind.FIVE_KIND),
        ("4D 4C 4H Joker Joker", Kind.FIVE_KIND),
        ("5D 6D 7D Joker Joker", Kind.STRAIGHT_FLUSH),
        ("5D 6D KD Joker Joker", Kind.FLUSH),
        ("5D 6C 9D Joker Joker", Kind.STRAIGHT),
        ("5D 6C 10D Joker Joker", Kind.TWO_PAIR),
        ("3S Joker Joker Joker Joker", Kind.STRAIGHT_FLUSH),
    ],
)
def test_the_hand_that_cards_make(codes: str, kind: Kind) -> None:
    assert made(codes).kind is kind
    assert made(" ".join(reversed(codes.split()))) == made(codes)


@pytest.mark.parametrize(
    "codes", ["Joker", "Joker Joker", "Joker Joker Joker", "4D 5D", "4D 4C 4H 4S", "KD AD 2D 3D 4C", ""]
)
def test_cards_that_make_no_hand(codes: str) -> None:
    assert combination_of(codes.split()) is None


def test_jokers_take_the_place_that_compares_highest() -> None:
    assert made("4D 4C KD KS Joker").groups[0] == made("KS KD Joker").key[0]
    assert made("4D 7C KH Joker Joker").groups == (made("KH Joker").key[0], made("7C Joker").key[0])


# 6 and 7. Beating a hand; footstools


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("2S", "3D", Comparison.LOWER),
        ("AS", "2D", Comparison.HALF),
        ("7S Joker", "7S 7D", Comparison.HIGHER),
        ("7S 7D", "7S Joker", Comparison.LOWER),
        ("7S Joker", "7S Joker", Comparison.FULL),
        ("4S Joker", "5D 5S", Comparison.HALF),
        ("2S 2D", "2S 2C", Comparison.HIGHER),
        ("10D 6D 4D 5D 9D", "10D 3D 3D 7D 8D", Comparison.FULL),
        ("10D JC QC KC AC", "JD QC KC AC 2D", Comparison.HIGHER),
        ("10D JC QC KC AS", "JD QC KC AC 2D", Comparison.HALF),
        ("4D 4C 4H 4S 6D", "4S 4C 4H Joker KD", Comparison.FULL),
        ("4D 4C 4H 4S 6D", "5D 5C 5H 5S 3D", Comparison.HALF),
        ("4D 4C 4H 4S 6D", "5C 5H 5S Joker 3D", Comparison.HIGHER),
        ("4D 4C 4S 6C 6H", "4D 4C 4S 6C 6S", Comparison.HIGHER),
        ("4D 4C 4S 6C 6H", "5D 5C 5H 6C 6S", Comparison.HALF),
        ("4D 4C 4S 6C 6H", "4D 4C 4S 6C 6H", Comparison.FULL),
        ("9C 9H 4C 4H KD", "9C 9H 5C 5H KD", Comparison.ASIDE),
        ("9C 9H 4C 4H KD", "9C 9H 4C 4H 3D", Comparison.FULL),
        ("9C 9H 4C 4H KD", "9D 9S 3C 3H KD", Comparison.HIGHER),
        ("9C 9H 4C 4H KD", "9D 9S 4D 4S 3D", Comparison.HALF),
        ("2C 2H 2S 2S 6D", "3D 3D 3C 3C 3C", Comparison.HIGHER),
        ("3D 4D 5D 6D 7D", "2C 2H 2S 2S 2D", Comparison.LOWER),
    ],
)
def test_a_hand_on_another(old: str, new: str, verdict: Comparison) -> None:
    assert compare(made(new), made(old)) is verdict


@given(hands(1, 2, 3), hands(1, 2, 3))
def test_the_order_of_small_hands_is_total(one: Combination, other: Combination) -> None:
    if one.kind is other.kind:
        assert_opposite(one, other)
        assert compare(one, other) is not Comparison.ASIDE


@given(hands(5), hands(5))
def test_the_order_of_five_cards_is_antisymmetric(one: Combination, other: Combination) -> None:
    assert_opposite(one, other)


def assert_opposite(one: Combination, other: Combination) -> None:
    """If one hand beats another, the other does not beat it; equal or incomparable holds both ways."""
    there, back = compare(one, other), compare(other, one)
    if there in (Comparison.FULL, Comparison.ASIDE):
        assert back is there
    else:
        assert (there is Comparison.LOWER) != (back is Comparison.LOWER)
    assert compare(one, one) is Comparison.FULL


@given(st.integers(0, 3).flatmap(lambda i: st.tuples(*[hands((1, 2, 3, 5)[i])] * 3)))
def test_the_order_is_transitive(three: tuple[Combination, Combination, Combination]) -> None:
    one, two, last = three
    if compare(two, one).legal and compare(last, two).legal:
        assert compare(last, one).legal


# 8. Drawing


def test_a_half_footstool_makes_the_one_below_draw_a_card() -> None:
    before = playing("4S KD KC", "5D KD KC", "2S KD KC")
    state = do(before, "4S", "5D")
    assert sizes(state) == [3, 2, 3]
    assert state.board.mover == 2
    [line] = BIG_C.account(do(before, "4S"), {1: move(before, 1, "5D")}, state) or ()
    assert line["text"] == "A half footstool by seat 1: seat 0 draws 1 card"
    assert (line["footstool"], line["seat"], line["under"], line["cards"]) == ("half", 1, 0, 1)


def test_a_full_footstool_makes_the_one_below_draw_two() -> None:
    state = do(playing("4S KD KC", "4S KD KC"), "4S", "4S")
    assert sizes(state) == [4, 2]
    assert sizes(do(state, "pass")) == [4, 2]


def test_the_top_of_the_stock_is_drawn_and_its_drawer_alone_sees_it() -> None:
    before = playing("4S KD KC", "5D KD KC")
    state = do(before, "4S", "5D")
    [drawn] = state.board.hands[0] - before.board.hands[0]
    assert drawn == before.board.stock[0]
    assert drawn in BIG_C.sees(state, 0)
    assert drawn not in BIG_C.sees(state, 1) | BIG_C.sees(state, None)


def test_played_cards_are_shuffled_when_the_stock_runs_out_but_not_the_hand_on_the_table() -> None:
    state = playing("3D 4S 9D 9D", "3H 4S 9D 9D", stock=1)
    state = do(state, "3D", "3H", "4S", "4S")
    assert state.board.phase == "shuffle"
    assert sizes(state) == [3, 2]  # one of the two cards
    due = BIG_C.next(state)
    assert isinstance(due, Deal)
    assert due.secret
    assert not due.fresh
    assert due.pack == ("3D", "3H", "4S")
    assert due.first == state.board.first
    old = frozenset(state.board.played)
    after = BIG_C.deal(state, [None])
    assert after.board.phase == "play"
    assert sizes(after) == [4, 2]
    assert after.board.stock == (due.first + 1, due.first + 2)
    assert after.board.hands[0] >= {due.first}
    assert not old & after.faces.keys()
    assert after.board.mover == 0
    assert after.faces[after.board.table[0]] == "4S"


def test_where_nothing_can_be_shuffled_fewer_cards_are_drawn() -> None:
    before = playing("4S KD KC", "4S KD KC", stock=0)
    first = do(before, "4S")
    state = do(first, "4S")
    assert state.board.phase == "shuffle"  # the first of the two hands alone
    state = BIG_C.deal(state, [None])
    assert sizes(state) == [3, 2]
    assert state.board.phase == "play"
    [line] = BIG_C.account(first, {1: move(before, 1, "4S")}, do(first, "4S")) or ()
    assert line["cards"] == 1


# 9. Passing, and choosing the type


def test_a_pass_skips_one_turn_only() -> None:
    state = do(playing("4D 9S", "6D 9D", "5C 9C"), "4D", "pass", "5C")
    assert state.board.mover == 0
    assert do(state, "pass", "6D").board.last == 1


def test_when_all_others_have_passed_the_last_player_chooses() -> None:
    state = do(playing("4D 9S 9H", "6D 9D 9D", "5C 9C 9C"), "4D", "6D", "pass", "pass")
    assert BIG_C.next(state) == Ask(frozenset({1}), How.ANY, "turn", "lead")
    assert state.board.played
    assert not state.board.table
    assert why_not(state, 1, PASS) == ("must_lead", "big-c 9", "/pass")
    assert do(state, "9D 9D").board.reason == "out"


def test_a_chooser_with_only_jokers_hands_the_choice_on() -> None:
    state = playing("Joker Joker", "4D 5D")
    assert list(BIG_C.legal(state, 0)) == [PASS]
    assert BIG_C.absent(state, 0) == PASS
    state = do(state, "pass")
    assert state.board.mover == 1
    assert BIG_C.next(state) == Ask(frozenset({1}), How.ANY, "turn", "lead")


def test_nobody_can_lead() -> None:
    state = do(playing("Joker Joker", "Joker", "Joker"), "pass", "pass")
    assert isinstance(BIG_C.next(state), Ask)
    state = do(state, "pass")
    assert BIG_C.next(state) == Outcome((-2, -1, -1), (1, 2), "stuck")


# 10. The end


def test_going_out_wins_at_once_and_nobody_draws() -> None:
    before = playing("4S KD KC", "5D")
    first = do(before, "4S")
    state = do(first, "5D")
    assert BIG_C.next(state) == Outcome((-2, 0), (1,), "out")
    assert BIG_C.account(first, {1: move(before, 1, "5D")}, state) is None


def test_after_a_thousand_turns_the_fewest_cards_win() -> None:
    state = playing("4D 5D 9S", "6D 9D", "7D 9C")
    state = State(replace(state.board, turns=TURNS - 1), state.faces)
    assert BIG_C.next(do(state, "4D")) == Outcome((-2, -2, -2), (0, 1, 2), "turns")


def missed(state: State[Board], *seats: int) -> State[Board]:
    """Let the time of these seats pass."""
    choices = {seat: Missed(Miss.CHOICE, BIG_C.absent(state, seat)) for seat in seats}
    return BIG_C.play(state, choices)


def test_three_misses_in_a_row_end_the_game_of_two() -> None:
    state = do(playing("4D 5D 6D 7D", "8D 9D 10D JD", absent="play", first=1), "8D")
    state = do(missed(state, 0), "9D")
    state = do(missed(state, 0), "10D")
    assert state.board.missed == (2, 0)
    assert BIG_C.next(missed(state, 0)) == Outcome((-4, -1), (1,), "missed")
    assert do(state, "pass").board.missed == (0, 0), "a choice in time begins the count again"


def test_a_seat_that_is_out_plays_on_and_does_not_win() -> None:
    state = playing("4D 5D", "8D 9D 10D", "8H 9H 10H", absent="play")
    left = BIG_C.leave(state, 0)
    assert left is not None
    assert BIG_C.gone(left) == {0}
    state = do(missed(left, 0), "pass", "pass")  # 4D
    state = missed(state, 0)  # 5D, its last
    assert state.board.phase == "play"
    state = do(state, "pass", "pass")
    assert state.board.mover == 1, "the next with cards chooses"
    state = do(state, "8D", "8H", "9D", "9H", "10D")
    assert BIG_C.next(state) == Outcome((0, 0, -1), (1,), "out")


def test_leaving_ends_the_game_where_the_table_says_so() -> None:
    assert BIG_C.leave(playing("4D", "5D", "6D"), 0) is None
    assert BIG_C.leave(playing("4D", "5D", absent="play"), 0) is None
    assert BIG_C.end(playing("4D 5D", "5D", "6D"), "resigned", frozenset({1})).winners == (2,)


def test_nobody_is_taken_out_where_nobody_would_be_left() -> None:
    state = begun("3D 4D 5D", "3D 4D 5D", absent="play")
    state = missed(missed(state, 0, 1), 0, 1)
    assert BIG_C.next(missed(state, 0, 1)) == Outcome((-3, -3), (0, 1), "missed")


# 11. Moves and time


@pytest.mark.parametrize(
    ("tried", "refused"),
    [
        (None, ("malformed", "big-c 11", "")),
        ({"pass": 1}, ("malformed", "big-c 11", "/pass")),
        ({"play": 0, "cards": ["4D"]}, ("malformed", "big-c 11", "/play")),
        ({"play": [0], "cards": "4D"}, ("malformed", "big-c 11", "/cards")),
        ({"play": [0, 1], "cards": ["4D"]}, ("malformed", "big-c 11", "/cards")),
        ({"play": [True], "cards": ["4D"]}, ("malformed", "big-c 11", "/play/0")),
        ({"play": [1, 0], "cards": ["4C", "4D"]}, ("malformed", "big-c 11", "/play/1")),
        ({"play": [0, 0], "cards": ["4D", "4D"]}, ("malformed", "big-c 11", "/play/1")),
        ({"play": [0, 1], "cards": ["4D", "XX"]}, ("unknown_card", "big-c 11", "/cards/1")),
        ({"play": [], "cards": []}, ("wrong_size", "big-c 4", "/play")),
        ({"play": [0, 1, 2, 3], "cards": ["4D", "4C", "4H", "4S"]}, ("wrong_size", "big-c 4", "/play")),
        ({"play": [0, 9], "cards": ["4D", "4C"]}, ("not_in_hand", "big-c 11", "/play/1")),
        ({"play": [0, 1], "cards": ["4D", "4H"]}, ("not_that_card", "big-c 11", "/cards/1")),
        ({"play": [0, 4], "cards": ["4D", "5C"]}, ("no_hand", "big-c 4", "/cards")),
        ({"play": [4], "cards": ["5C"]}, ("other_size", "big-c 6", "/play")),
        ({"play": [0, 1], "cards": ["4D", "4C"]}, ("not_higher", "big-c 6", "/cards")),
    ],
)
def test_refusals(tried: Any, refused: tuple[str, str, str]) -> None:
    state = do(playing("6D 6C 7D", "8D", "4D 4C 4H 4S 5C 9C", first=0), "6D 6C", "pass")
    base = min(state.board.hands[2])
    if isinstance(tried, dict) and isinstance(tried.get("play"), list):
        tried = {**tried, "play": [p if p is True else p + base for p in tried["play"]]}
    assert why_not(state, 2, tried) == refused
    with pytest.raises(IllegalMove):
        BIG_C.play(state, {2: tried})


def test_two_pairs_that_cannot_be_compared_say_so() -> None:
    state = do(playing("9C 9H 4C 4H KD 3D", "9C 9H 5C 5H KD 3D"), "9C 9H 4C 4H KD")
    assert why_not(state, 1, move(state, 1, "9C 9H 5C 5H KD")) == ("not_comparable", "big-c 6", "/cards")


def test_a_fold_that_does_not_know_a_card_accepts_only_one_that_may_be_there() -> None:
    state = playing("4D 4D 4D 5D", "8D 9D", "8H 9H")
    blind = state.seen(frozenset())
    assert move(state, 0, "4D 4D") in BIG_C.legal(blind, 0)
    # Two packs have two of each: a third can't be there.
    assert why_not(blind, 0, move(state, 0, "4D 4D 4D")) == ("not_that_card", "big-c 11", "/cards/2")


def test_the_lowest_card_is_played_for_a_chooser_who_is_away() -> None:
    state = playing("Joker 5D 4S", "8D 9D")
    assert BIG_C.absent(state, 0) == {"play": [2], "cards": ["4S"]}
    assert BIG_C.absent(state.seen(frozenset()), 0) is None
    state = do(state, "4S")
    assert BIG_C.absent(state, 1) == PASS
    assert BIG_C.absent(begun("5D Joker", "6D 7D"), 0) == {"present": 1, "card": "Joker"}


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.integers(2, 4))
def test_a_sample_is_legal_and_all_kinds_of_hands_are_found(seed: int, seats: int) -> None:
    rng = Random(seed)
    cards = rng.sample(pack(seats), 13)
    state = playing(" ".join(cards), "3D 3D")
    sample = BIG_C.legal(state, 0).sample(rng)
    assert sample in BIG_C.legal(state, 0)
    listed = {len(tried["play"]) for tried in BIG_C.legal(state, 0)}
    drawn = {len(BIG_C.legal(state, 0).sample(rng)["play"]) for _ in range(40)}
    assert drawn == listed

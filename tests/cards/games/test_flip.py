"""Pancakes (flip), rule by rule (docs/rules/flip.md; rulings, flip 1 to 11)."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.games import french
from cards.games.contract import Ask, Deal, How, IllegalMove, Miss, Missed, Outcome, State, Turn
from cards.games.flip import score
from cards.games.flip.griddle import flipped
from cards.games.flip.rules import GAMES, TURNS
from cards.games.flip.table import Board, pack
from tests.cards.games.flip_kit import kinds, laying, outcome, why_not
from tests.cards.games.flip_table import FLIP, OPTIONS, at, codes, do, play, table, transfer, turned

# 1, 2: the pack and the deal


@pytest.mark.parametrize(("jokers", "size"), [(True, 54), (False, 52)])
def test_the_jokers_are_an_option(jokers: bool, size: int) -> None:
    state = FLIP.start({**OPTIONS, "jokers": jokers}, 2)
    due = FLIP.next(state)
    assert isinstance(due, Deal)
    assert (due.secret, due.fresh) == (True, True)
    assert due.pack == pack(jokers)
    assert due.draws[0].count == size
    assert pack(jokers).count(french.JOKER) == (2 if jokers else 0)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_eight_stacks_of_two_and_five_cards_each(seats: int) -> None:
    state = FLIP.deal(FLIP.start(OPTIONS, seats), [None])
    board = state.board
    assert board.griddle == tuple((~i, 8 + i) for i in range(8))
    assert [sorted(hand) for hand in board.hands] == [[*range(16 + 5 * s, 21 + 5 * s)] for s in range(seats)]
    assert board.pile == 16 + 5 * seats
    assert FLIP.next(state) == Turn(frozenset(range(8, 16)))
    assert FLIP.sees(state, None) == frozenset()
    assert FLIP.sees(state, 0) == frozenset(range(16, 21))


@pytest.mark.parametrize("seats", [0, 6])
def test_one_to_five_players(seats: int) -> None:
    with pytest.raises(ValueError, match="one to five"):
        FLIP.start(OPTIONS, seats)


def test_the_face_up_cards_are_seen_by_all_and_the_lower_ones_by_nobody() -> None:
    state = FLIP.deal(FLIP.start(OPTIONS, 2), [None])
    state = FLIP.turn(state, dict(enumerate(french.PACK[:8], 8)))
    assert FLIP.sees(state, None) == frozenset(range(8, 16))
    assert FLIP.next(state) == Ask(frozenset({0}), How.ANY, "turn", "cook")


@pytest.mark.parametrize(
    "faces",
    [
        {8: "2C"},
        dict(enumerate(french.PACK[:8], 7)),
        dict(enumerate(["2C"] * 8, 8)),
        dict(enumerate(["Joker"] * 8, 8)),
        dict(enumerate([["2C"]] * 8, 8)),
    ],
)
def test_other_cards_are_not_turned_up(faces: dict[int, Any]) -> None:
    state = FLIP.deal(FLIP.start(OPTIONS, 2), [None])
    with pytest.raises(IllegalMove, match="flip 5"):
        FLIP.turn(state, faces)


# 4, 5: what fits, what flips


@pytest.mark.parametrize(
    ("stack", "card", "after"),
    [
        (["#5C", "9H"], "9D", ["#5C", "9H", "9D"]),  # the same colour
        (["#5C", "9H"], "9S", ["#9S", "#9H", "5C"]),  # another: the card laid is flipped with the rest
        (["9H"], "9S", ["#9S", "#9H"]),  # ruling 1: a face-up card at the bottom comes up as a back
        (["#5C"], "9S", ["#5C", "9S"]),  # a back is of any colour
        ([], "9S", ["9S"]),
        (["#5C", "9H"], "Joker", ["#Joker", "#9H", "5C"]),
        (["#5C", "Joker"], "9S", ["#9S", "#Joker", "5C"]),
        (["#5C", "Joker"], "Joker", ["#Joker", "#Joker", "5C"]),
        ([], "Joker", ["#Joker"]),  # ruling 3
        (["#Joker"], "9S", ["#Joker", "9S"]),  # and is a back from then on
        (["#9H", "#5C"], "Joker", ["#Joker", "5C", "9H"]),
    ],
)
def test_what_fits_and_what_flips(stack: list[str], card: str, after: list[str]) -> None:
    state = table([stack], [card, "KC"], ["QC"])
    assert codes(play(state, card, 1))[0] == after


def test_another_rank_does_not_fit() -> None:
    state = table([["9H"]], ["8H"], ["QC"])
    assert why_not(state, laying(state, "play", "8H", 1)) == ("does_not_fit", "flip 4")


@given(st.lists(st.integers(-54, 53)))
def test_flipping_twice_changes_nothing(cards: list[int]) -> None:
    stack = tuple(cards)
    assert flipped(flipped(stack)) == stack
    assert sorted(c if c >= 0 else ~c for c in flipped(stack)) == sorted(c if c >= 0 else ~c for c in stack)


def test_a_card_that_shows_its_face_for_the_first_time_is_turned_up() -> None:
    state = table([["#5C", "9H"]], ["9S", "KC"], ["QC"], unseen=["5C"])
    state = FLIP.play(state, {0: laying(state, "play", "9S", 1)})
    assert FLIP.next(state) == Turn(frozenset({at(state, "5C")}))
    with pytest.raises(IllegalMove):
        FLIP.turn(state, {at(state, "5C"): "9H"})
    state = turned(state)
    assert at(state, "5C") in FLIP.sees(state, None)
    assert state.board.mover == 1


# 6: from the hand


def test_drawing_goes_on_to_the_first_card_that_fits_and_that_one_is_played() -> None:
    pile = ["JC", "JD", "9C", "9S"]
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["KC", "KD"], ["QC"], pile=pile)
    assert kinds(state) == {"draw", "transfer"}
    state = FLIP.play(state, {0: {"draw": True}})
    assert FLIP.next(state) == Turn(frozenset({at(state, "9C")}))
    state = turned(state)
    assert len(state.board.hands[0]) == 5
    assert FLIP.next(state) == Ask(frozenset({0}), How.ANY, "turn", "drawn")
    assert at(state, "9C") in FLIP.sees(state, None), "the card that ended it is seen by all"
    assert at(state, "JC") not in FLIP.sees(state, 1)
    assert kinds(state) == {"play"}
    assert {move["stack"] for move in FLIP.legal(state, 0)} == {1, 2}, "on a Stack of the player's choice"
    assert why_not(state, laying(state, "transfer", "9H", 2)) == ("must_play_drawn", "flip 6")
    assert why_not(state, laying(state, "play", "JC", 1)) == ("must_play_drawn", "flip 6")
    for verb in ("draw", "forfeit"):
        assert why_not(state, {verb: True}) == ("must_play_drawn", "flip 6")
    state = play(state, "9C", 2)
    assert state.board.drawn is None
    assert state.board.mover == 1


def test_nobody_knows_beforehand_what_is_drawn() -> None:
    state = table([["#5C", "9H"]], ["KC"], ["QC"], pile=["JC", "9C"])
    state = FLIP.play(state, {0: {"draw": True}})
    for seat in (None, 0, 1):
        upcoming = FLIP.next(state.seen(FLIP.sees(state, seat)))
        assert isinstance(upcoming, Turn)
        assert upcoming.positions is None


def test_another_card_does_not_end_a_draw() -> None:
    state = table([["#5C", "9H"]], ["KC"], ["QC"], pile=["JC", "9C", "9S"])
    state = FLIP.play(state, {0: {"draw": True}})
    first, last = at(state, "JC"), at(state, "9S")
    for faces in ({first: "JC"}, {last: "9S"}, {}, {0: "9C"}, {first: "JC", last: "9S"}, {first: [9]}):
        with pytest.raises(IllegalMove, match="flip 6"):
            FLIP.turn(state, faces)
    blind = state.seen(FLIP.sees(state, None))
    assert FLIP.turn(blind, {last: "9S"}).board.pile == last + 1, "who does not know the pile believes it"
    for faces in ({first: "JC"}, {first: "9H"}, {first: "no card"}):
        with pytest.raises(IllegalMove, match="flip 6"):
            FLIP.turn(blind, faces)


def test_a_player_who_can_play_may_not_draw() -> None:
    state = table([["#5C", "9H"]], ["9C", "KC"], ["QC"], pile=["JC"])
    assert why_not(state, {"draw": True}) == ("has_play", "flip 6")


def test_an_exhausted_pile_forfeits_the_action() -> None:
    state = table([["#5C", "9H"]], ["KC"], ["QC"], pile=["JC", "JD"])
    state = FLIP.play(state, {0: {"draw": True}})
    assert FLIP.next(state) == Turn(frozenset())
    before, state = state, turned(state)
    assert len(state.board.hands[0]) == 3
    assert (state.board.mover, state.board.passes) == (1, 1)
    lines = FLIP.account(before, {}, state)
    assert lines is not None
    assert lines[0]["text"] == "Seat 0 draws 2 cards, and none fits"
    assert why_not(state, {"draw": True}) == ("draw_pile_empty", "flip 6")


# 7: from the Griddle


def test_a_back_that_a_transfer_uncovers_is_turned_face_up_alone() -> None:
    state = table([["#6C", "#5C", "9H"], ["#5D", "9D"]], ["KC"], ["QC"], unseen=["5C"])
    state = FLIP.play(state, {0: laying(state, "transfer", "9H", 2)})
    assert FLIP.next(state) == Turn(frozenset({at(state, "5C")}))
    assert codes(turned(state))[:2] == [["#6C", "5C"], ["#5D", "9D", "9H"]]


def test_an_emptied_stack_stays_and_one_card_may_be_moved_to_it() -> None:
    state = table([["9H"], ["9D"], ["JC"]], ["KC"], ["KD"])
    state = transfer(state, "9H", 2)
    assert codes(state)[:2] == [[], ["9D", "9H"]]
    state = transfer(state, "JC", 1)
    assert codes(state)[:3] == [["JC"], ["9D", "9H"], []]


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ({"transfer": "5C", "card": "5C", "stack": 2}, "card_back"),
        ({"transfer": "6C", "card": "6C", "stack": 3}, "not_on_top"),
        ({"transfer": "9H", "card": "9H", "stack": 2}, "same_stack"),
        ({"transfer": "9H", "card": "9D", "stack": 3}, "not_that_card"),
        ({"transfer": "9H", "card": "9H", "stack": 3}, "does_not_fit"),
    ],
)
def test_transfers_that_are_refused(move: dict[str, Any], why: str) -> None:
    state = table([["9D", "#5C"], ["6C", "9H"], ["#3C", "JC"]], ["KC"], ["KD"])
    assert why_not(state, {**move, "transfer": at(state, move["transfer"])})[0] == why


# 8: forfeiting


def test_forfeit_only_with_an_empty_pile_and_no_card_that_fits() -> None:
    state = table([["#5C", "9H"], ["#6C", "9D"]], ["KC"], ["QC"])
    assert kinds(state) == {"forfeit", "transfer"}, "a transfer may be chosen instead"
    state = table([["#5C", "9H"]], ["KC"], ["QC"], pile=["JC"])
    assert why_not(state, {"forfeit": True}) == ("must_draw", "flip 8")
    state = table([["#5C", "9H"]], ["9C"], ["QC"])
    assert why_not(state, {"forfeit": True}) == ("has_play", "flip 8")


# 9: Servings


def test_servings_are_taken_one_after_another_also_one_that_was_covered() -> None:
    stack = ["#5C", "QC", "QD", "QH", "QS", "KD", "KH", "KC"]
    state = play(table([stack], ["KS", "2C"], ["2D"], unseen=["5C"]), "KS", 1)
    assert FLIP.next(state) == Ask(frozenset({0}), How.ANY, "turn", "serve")
    assert [*FLIP.legal(state, 0)] == [{"serve": 1}, {"done": True}]
    assert why_not(state, {"serve": 2}) == ("no_serving", "flip 9")
    assert why_not(state, {"serve": 9}) == ("no_such_stack", "flip 2")
    assert why_not(state, {"done": 1}) == ("malformed", "flip 15")
    state = do(do(state, {"serve": 1}), {"serve": 1})
    assert codes(state)[0] == ["#5C"], "a back that a Serving uncovers stays one"
    assert at(state, "5C") not in FLIP.sees(state, None)
    assert len(state.board.trays[0]) == 8
    assert state.board.mover == 1, "nothing more to serve"


def test_a_serving_need_not_be_taken() -> None:
    state = play(table([["#5C", "KD", "KH", "KC"]], ["KS", "2C"], ["2D"]), "KS", 1)
    state = do(state, {"done": True})
    assert (state.board.mover, state.board.trays) == (1, ((), ()))


def test_a_serving_follows_a_forfeit_too_and_makes_it_no_pass() -> None:
    state = table([["#5C", "KD", "KH", "KC", "KS"]], ["2C"], ["2D"])
    idle = do(state, {"forfeit": True})
    assert idle.board.phase == "serve"
    assert do(idle, {"done": True}).board.passes == 1
    assert do(idle, {"serve": 1}).board.passes == 0


# 10: passing


def test_pancakes_turns_up_what_shows_for_the_first_time() -> None:
    state = table([["#5C", "9H"]], ["KC"], ["KD"], unseen=["5C"])
    state = do(state, {"forfeit": True})
    before = state
    state = FLIP.play(state, {1: {"forfeit": True}})
    assert FLIP.next(state) == Turn(frozenset({at(state, "5C")}))
    lines = FLIP.account(before, {1: {"forfeit": True}}, state)
    assert lines is not None
    assert lines[0]["kind"] == "pancakes"
    state = turned(state)
    assert codes(state)[0] == ["#9H", "5C"]
    assert (state.board.mover, state.board.called) == (0, True)
    over = do(do(state, {"forfeit": True}), {"forfeit": True})
    assert outcome(over).reason == "passed"


def test_a_thousand_turns_end_a_game_as_if_all_had_passed() -> None:
    state = table([["9H"], ["9D"]], ["KC"], ["KD", "QD"], turns=TURNS - 1)
    assert outcome(transfer(state, "9H", 2)) == Outcome((1, 0), (0,), "turns")


# 11, 12: the end


def test_an_empty_hand_ends_the_game_after_the_serving_phase() -> None:
    state = play(table([["#5C", "KD", "KH", "KC"]], ["KS"], ["2D", "2C", "3C"]), "KS", 1)
    assert FLIP.next(state) == Ask(frozenset({0}), How.ANY, "turn", "serve")
    before, state = state, do(state, {"serve": 1})
    assert outcome(state) == Outcome((4, 0), (0,), "empty")
    lines = FLIP.account(before, {0: {"serve": 1}}, state)
    assert lines is not None
    assert [line["text"] for line in lines] == [
        "Seat 0: 0 cards left, 1 Serving: +4",
        "Seat 1: 3 cards left, 0 Servings: +0",
    ]


def test_the_last_card_may_turn_something_up_and_the_account_comes_after_it() -> None:
    state = table([["#5C", "9H"]], ["9S"], ["2D"], unseen=["5C"])
    state = FLIP.play(state, {0: laying(state, "play", "9S", 1)})
    assert isinstance(FLIP.next(state), Turn)
    before, state = state, turned(state)
    assert outcome(state).winners == (0,)
    assert FLIP.account(before, {}, state) is not None


def test_the_documents_example_of_a_tie() -> None:
    won = score.winners([2, 1, 1, 2], [0, 1, 1, 0], range(4))
    assert score.points([2, 1, 1, 2], [0, 1, 1, 0], won) == (0, 3, 3, 0)


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), min_size=2, max_size=5))
def test_a_winner_never_loses_points_and_nobody_else_gets_any(seats: list[tuple[int, int]]) -> None:
    hands, served = [cards for cards, _ in seats], [servings for _, servings in seats]
    won = score.winners(hands, served, range(len(seats)))
    points = score.points(hands, served, won)
    assert all(points[s] >= served[s] for s in won)
    assert all(points[s] == 0 for s in range(len(seats)) if s not in won)
    assert {(hands[s], served[s]) for s in won} == {min(seats, key=lambda seat: (seat[0], -seat[1]))}


def ending(totals: tuple[int, ...], *, game: int = 1, target: int = 10) -> State[Board]:
    """A state after seat 0 has played its last card, for 2 points, while seat 1 holds two cards."""
    state = table([["9H"]], ["9D"], ["KC", "QC"], options={"target": target})
    state = State(replace(state.board, totals=totals, game=game), state.faces)
    return play(state, "9D", 1)


def test_a_set_goes_on_until_somebody_has_ten() -> None:
    on = ending((7, 9))
    assert isinstance(FLIP.next(on), Deal)
    assert on.board.totals == (9, 9)
    assert FLIP.deal(on, [None]).board.mover == 1, "the next game begins with the next seat"
    assert outcome(ending((8, 9))) == Outcome((10, 9), (0,), "points")
    assert outcome(ending((9, 11))) == Outcome((11, 11), (0, 1), "points"), "equal totals share it"
    assert outcome(ending((0, 0), target=2)).reason == "points"
    assert outcome(ending((0, 0), target=0)) == Outcome((2, 0), (0,), "empty")
    assert outcome(ending((0, 5), game=GAMES)) == Outcome((2, 5), (1,), "games")


# 13: alone


def test_alone_a_new_hand_follows_the_serving_phase() -> None:
    pile = ["2C", "3C", "4C", "5C", "6C", "7C"]
    state = table([["#5D", "KD", "KH", "KC"]], ["KS"], pile=pile)
    state = play(state, "KS", 1)
    assert state.board.phase == "serve"
    assert not state.board.hands[0]
    before, state = state, do(state, {"serve": 1})
    assert len(state.board.hands[0]) == 5
    assert state.board.completed == 1
    assert FLIP.next(state) == Ask(frozenset({0}), How.ANY, "turn", "cook")
    lines = FLIP.account(before, {0: {"serve": 1}}, state)
    assert lines is not None
    assert lines[0]["text"] == "Seat 0 has completed hand 1 and draws 5 cards"
    assert FLIP.sees(state, 0) - FLIP.sees(state, None) == state.board.hands[0]


def test_alone_an_empty_new_hand_does_not_count_as_completed() -> None:
    state = play(table([["9H"]], ["9D"]), "9D", 1)
    assert outcome(state) == Outcome((5,), (0,), "empty")


def test_alone_pass_pancakes_pass_ends_the_game() -> None:
    state = table([["#5C", "9H"]], ["KC"], completed=2)
    state = do(state, {"forfeit": True})
    assert state.board.called
    state = do(state, {"forfeit": True})
    assert outcome(state) == Outcome((9,), (0,), "passed")


# 14: away


@pytest.mark.parametrize(
    ("hand", "pile", "move"),
    [
        (["9S", "9C", "JC"], ["KC"], {"play": "9C", "card": "9C", "stack": 1}),
        (["Joker", "9C"], ["KC"], {"play": "9C", "card": "9C", "stack": 1}),
        (["Joker", "KD"], ["KC"], {"play": "Joker", "card": "Joker", "stack": 1}),
        (["JC"], ["KC"], {"draw": True}),
        (["JC"], [], {"forfeit": True}),
    ],
)
def test_what_the_house_plays_for_a_player_who_is_away(
    hand: list[str], pile: list[str], move: dict[str, Any]
) -> None:
    state = table([["#5C", "9H"], ["#5D", "9D"]], hand, ["QC"], pile=pile)
    if "play" in move:
        move = {**move, "play": at(state, move["play"])}
    assert FLIP.absent(state, 0) == move
    assert FLIP.absent(state.seen(FLIP.sees(state, None)), 0) is None
    assert move in FLIP.legal(state, 0)
    other = next((m for m in FLIP.legal(state, 0) if m != move), None)
    with pytest.raises(IllegalMove, match="flip 14"):
        FLIP.play(state, {0: Missed(Miss.CHOICE, other or {"done": True})})
    assert FLIP.play(state, {0: Missed(Miss.CHOICE, move)}).board.missed == (1, 0)


def misses(seats: int, absent: str) -> State[Board]:
    """Let seat 0 miss three moves in a row, while the others move cards about."""
    hands = [["KC", "QC"], ["KD", "QD"], ["KH", "QH"]][:seats]
    state = table([["9H"], ["9D"], ["8H"], ["8D"]], *hands, options={"absent": absent})
    state = State(replace(state.board, missed=(2,) + (0,) * (seats - 1)), state.faces)
    return turned(FLIP.play(state, {0: Missed(Miss.CHOICE, {"forfeit": True})}))


@pytest.mark.parametrize(
    ("seats", "absent", "winners"), [(2, "end", (1,)), (2, "play", (1,)), (3, "end", (1, 2))]
)
def test_three_missed_moves_end_the_game(seats: int, absent: str, winners: tuple[int, ...]) -> None:
    state = misses(seats, absent)
    assert outcome(state) == Outcome((0,) * seats, winners, "missed")
    assert FLIP.gone(state) == {0}


def test_with_three_players_the_table_may_go_on() -> None:
    state = misses(3, "play")
    assert FLIP.gone(state) == {0}
    assert state.board.mover == 1


def test_a_single_player_who_stays_away_ends_the_game() -> None:
    state = misses(1, "play")
    assert outcome(state) == Outcome((0,), (0,), "missed")
    assert FLIP.gone(state) == frozenset()


def test_a_player_who_is_out_wins_no_game() -> None:
    hands = [["9D"], ["KC", "QC"], ["KD", "QD", "JD"]]
    state = table([["9H"]], *hands, options={"absent": "play"})
    left = FLIP.leave(state, 0)
    assert left is not None
    over = turned(FLIP.play(left, {0: Missed(Miss.CHOICE, FLIP.absent(left, 0))}))
    assert outcome(over) == Outcome((0, 1, 0), (1,), "empty")
    assert FLIP.leave(table([], ["KC"], ["QC"], options={"absent": "play"}), 0) is None


# 15: moves


@pytest.mark.parametrize(
    "move",
    [
        None,
        [],
        {},
        {"play": 1},
        {"draw": False},
        {"draw": True, "forfeit": True},
        {"serve": 1},
        {"play": True, "card": "9C", "stack": 1},
        {"play": 0, "card": ["9C"], "stack": 1},
        {"play": 0, "card": "1C", "stack": 1},
        {"play": 0, "card": "9C", "stack": 0},
        {"play": 0, "card": "9C", "stack": True},
        {"play": 99, "card": "9C", "stack": 1},
        {"transfer": -1, "card": "9C", "stack": 1},
    ],
)
def test_malformed_moves_are_refused(move: Any) -> None:
    state = table([["#5C", "9H"]], ["9C"], ["QC"])
    code, section = why_not(state, move)
    assert code in ("malformed", "unknown_card", "no_such_stack", "not_in_hand", "not_on_top")
    assert section.startswith("flip ")


def test_only_a_seat_that_is_asked_moves() -> None:
    state = table([["#5C", "9H"]], ["9C"], ["9S"])
    refusal = FLIP.legal(state, 1).refusal(laying(state, "play", "9S", 1))
    assert refusal is not None
    assert refusal.code == "not_asked"
    for choices in ({}, {1: {"draw": True}}, {0: {"draw": True}, 1: {"draw": True}}):
        with pytest.raises(IllegalMove):
            FLIP.play(state, choices)
    over = State(replace(state.board, phase="over"), state.faces)
    with pytest.raises(IllegalMove):
        FLIP.play(over, {})
    with pytest.raises(IllegalMove):
        FLIP.turn(over, {})


def test_a_random_move_is_any_of_the_legal_ones() -> None:
    state = table([["#5C", "9H"], ["9D"]], ["9C", "9S", "Joker"], ["QC"])
    legal = [*FLIP.legal(state, 0)]
    drawn = [FLIP.legal(state, 0).sample(Random(i)) for i in range(400)]
    assert all(move in legal for move in drawn)
    assert all(move in drawn for move in legal)

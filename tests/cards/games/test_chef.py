"""A match of Pancake, ruling by ruling (rulings, chef 6 to 11)."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from cards.games.chef.rules import KEEP, REDRAW
from cards.games.contract import (
    Ask,
    Choice,
    Deal,
    How,
    IllegalMove,
    Miss,
    Missed,
    Outcome,
    Packing,
    State,
    own,
)
from tests.cards.games.chef_table import (
    BREAD,
    CHEF,
    EMPTY,
    FEAST,
    HOLY_BREAD,
    MAYO,
    PORRIDGE,
    RICE,
    SALT,
    SANDWICH,
    TOAST,
    TUNA,
    Match,
    dish,
    meal,
)

SEAL, OPENING = Missed(Miss.SEAL), Missed(Miss.OPENING)

LARDER = (SANDWICH, TOAST, TUNA, BREAD, MAYO, RICE)
"""Serves a sandwich of 7, or toast of 2 and something else."""

SANDWICH_OF_7 = (0, 2, 3, 4)
TOAST_OF_2 = (1, 3)
TOAST_OF_1 = (1, 5)


def outcome(match: Match) -> Outcome:
    due = CHEF.next(match.state)
    assert isinstance(due, Outcome)
    return due


# 6: what becomes of the cards


def test_ruling_6_served_cards_go_back_to_the_hand_and_one_time_cards_are_discarded() -> None:
    match = Match((TOAST, FEAST, HOLY_BREAD, BREAD), LARDER)
    match.serve(meal(dish(1, 0, 2), dish(2, 1, 3)), EMPTY)
    assert match.board.hands[0] == (0, 3, 4, 5)
    assert match.board.discards[0] == (1, 2)
    assert match.texts[-1] == "Seat 0 discards Feast, Holy Bread"
    assert match.board.opened == {0, 1, 2, 3}


def test_ruling_6_any_recipe_may_be_any_course() -> None:
    for course in (1, 2, 3):
        match = Match(LARDER, LARDER)
        points = {1: 2, 2: 3, 3: 1}[course]
        assert match.serve(meal(dish(course, *SANDWICH_OF_7)), EMPTY) == (points, 0)


def test_cards_without_a_recipe_serve_nothing_but_count_as_used() -> None:
    gold = Match((HOLY_BREAD, TOAST, BREAD), LARDER)
    legal = CHEF.legal(gold.state, 0)
    refusal = legal.refusal(meal(dish(1, None, 0)))
    assert refusal is not None
    assert refusal.code == "costs_not_met"
    assert legal.refusal(meal(dish(1, None))) is None, "an empty dish"
    assert gold.serve(meal(dish(1, None)), EMPTY) == (0, 0)


# 7: courses


@pytest.mark.parametrize(
    ("first", "second", "gained"),
    [
        (meal(dish(2, *SANDWICH_OF_7)), meal(dish(2, *TOAST_OF_2)), (3, 0)),
        (meal(dish(2, *TOAST_OF_1)), meal(dish(2, *TOAST_OF_2)), (0, 3)),
        (meal(dish(2, *TOAST_OF_2)), meal(dish(2, *TOAST_OF_2)), (0, 0)),
        (meal(dish(1, *TOAST_OF_2)), meal(dish(2, *TOAST_OF_2)), (2, 3)),
        (meal(dish(3, *TOAST_OF_1)), EMPTY, (1, 0)),
        (EMPTY, EMPTY, (0, 0)),
    ],
)
def test_ruling_7_the_higher_yum_wins_the_course(first: Any, second: Any, gained: tuple[int, int]) -> None:
    assert Match(LARDER, LARDER).serve(first, second) == gained


def test_the_account_says_who_won_what_and_why() -> None:
    match = Match(LARDER, LARDER)
    match.serve(meal(dish(1, *TOAST_OF_1), dish(2, 0, 2, 3, 4)), meal(dish(1, *TOAST_OF_2)))
    assert match.texts == [
        "Round 1",
        "Seat 0 serves Toast with Rice as appetizer: 1 yum",
        "Seat 1 serves Toast with Bread as appetizer: 2 yum",
        "Seat 1 wins the appetizer: 2 points",
        "Seat 0 serves Tuna Sandwich with Tuna, Bread, Mayo as entree: 7 yum",
        "Seat 0 wins the entree: 3 points",
        "Nobody wins the dessert",
    ]
    assert match.lines is not None
    sandwich = match.lines[4]
    assert sandwich["yum"] == sum(item["points"] for item in sandwich["items"]) == 7
    assert {
        "kind": "match",
        "points": 1,
        "card": "tuna",
        "what": "Fish",
        "text": "Tuna matches Fish +1",
    } in sandwich["items"]


# 8: the end


def test_ruling_8_the_higher_total_wins_after_somebody_has_30() -> None:
    match = Match(LARDER, LARDER, points=(27, 28), round=9)
    match.serve(meal(dish(2, *SANDWICH_OF_7)), meal(dish(3, *TOAST_OF_2)))
    assert outcome(match) == Outcome((30, 29), (0,), "points")
    both = Match(LARDER, LARDER, points=(28, 30), round=9)
    both.serve(meal(dish(2, *SANDWICH_OF_7)), meal(dish(1, *TOAST_OF_2)))
    assert outcome(both) == Outcome((31, 32), (1,), "points"), "both have 30: the higher total"


def tied() -> Match:
    """A match in which a final round is due."""
    match = Match(LARDER, LARDER, points=(28, 27), round=9)
    match.serve(meal(dish(1, *TOAST_OF_1)), meal(dish(2, *SANDWICH_OF_7)))
    assert match.board.points == (30, 30)
    assert match.board.final == 1
    return match


def test_ruling_8_equal_totals_play_an_entree_after_drawing_two() -> None:
    match = tied()
    assert [draw.count for draw in match.step().draws] == [2, 2]
    assert CHEF.packing(match.state, 0) == Packing(tuple(range(8)), 1)
    legal = CHEF.legal(match.state, 0)
    refusal = legal.refusal(meal(dish(1, *TOAST_OF_2)))
    assert refusal is not None
    assert (refusal.code, refusal.pointer) == ("unknown_course", "/dishes/0/course")
    assert all(d["course"] == 2 for move in islice(legal, 20) for d in move["dishes"])
    packing = CHEF.packing(match.state, 0)
    # The box of each hand card: 0 stays in hand, 1 is the entree, the only course.
    assert CHEF.fill(packing, meal(dish(2, *TOAST_OF_2))) == (0, 1, 0, 1, 0, 0, 0, 0)
    assert match.play(meal(dish(2, *TOAST_OF_2)), EMPTY) == (3, 0)
    assert outcome(match) == Outcome((33, 30), (0,), "final")


def test_ruling_8_final_rounds_go_on_while_tied_or_empty_and_three_draw() -> None:
    match = tied()
    assert match.serve(EMPTY, EMPTY) == (0, 0)
    assert match.board.final == 2
    assert match.serve(meal(dish(2, *TOAST_OF_2)), meal(dish(2, *TOAST_OF_2))) == (0, 0)
    assert match.board.final == 3
    match.serve(EMPTY, EMPTY)
    assert outcome(match) == Outcome((30, 30), (0, 1), "drawn")


# 9: hands and draws


def test_ruling_9_a_redraw_gives_a_point_and_a_chef_who_keeps_has_decided() -> None:
    """The opening of protocol section 15."""
    state = CHEF.start({}, 2)
    due = CHEF.next(state)
    assert isinstance(due, Deal)
    assert [(d.stream, d.pool, d.count) for d in due.draws] == [(s, tuple(range(40)), 6) for s in (0, 1)]
    state = CHEF.deal(state, [(1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12)])
    assert CHEF.next(state) == Ask(frozenset({0, 1}), How.TOGETHER, "choice", "redraw")
    choices = {0: KEEP, 1: REDRAW}
    after = CHEF.play(state, choices)
    assert CHEF.points(after) == (1, 0)
    lines = CHEF.account(state, choices, after)
    assert lines is not None
    assert [line["text"] for line in lines] == ["Seat 1 redraws: 1 point for seat 0"]
    due = CHEF.next(after)
    assert isinstance(due, Deal)
    assert [(d.stream, d.pool, d.count) for d in due.draws] == [(1, tuple(range(40)), 6)]
    state = CHEF.deal(after, [(20, 3, 30, 1, 0, 5)])
    # The hands by seat, each card by its index in its deck.
    assert state.board.hands == ((1, 2, 3, 4, 5, 6), (0, 1, 3, 5, 20, 30))
    assert CHEF.next(state) == Ask(frozenset({1}), How.TOGETHER, "choice", "redraw")
    kept = CHEF.play(state, {1: KEEP})
    assert CHEF.account(state, {1: KEEP}, kept) is None
    assert CHEF.next(kept) == Ask(frozenset({0, 1}), How.SEALED, "seal", "meal")
    assert kept.board.round == 1


def test_ruling_9_at_most_six_redraws() -> None:
    state = CHEF.start({}, 2)
    for _ in range(6):
        due = CHEF.next(state)
        assert isinstance(due, Deal)
        state = CHEF.deal(state, [draw.pool[:6] for draw in due.draws])
        state = CHEF.play(state, {0: REDRAW, 1: REDRAW})
    assert CHEF.points(state) == (6, 6)
    state = CHEF.deal(state, [tuple(range(6)), tuple(range(6))])
    assert state.board.phase == "meal", "nobody is asked a seventh time"


@pytest.mark.parametrize("move", [None, "keep", {}, {"choice": "pass"}, {**KEEP, "more": 1}, [KEEP]])
def test_ruling_9_keep_or_redraw_and_nothing_else(move: Any) -> None:
    state = CHEF.deal(CHEF.start({}, 2), [tuple(range(6)), tuple(range(6))])
    assert list(CHEF.legal(state, 0)) == [KEEP, REDRAW]
    refusal = CHEF.legal(state, 0).refusal(move)
    assert refusal is not None
    assert (refusal.code, refusal.section) == ("no_such_choice", "chef 3")
    assert refusal.text == 'The choice must be one of {"choice": "keep"}, {"choice": "redraw"}.'
    with pytest.raises(IllegalMove):
        CHEF.play(state, {0: move, 1: KEEP})


def test_ruling_11_a_missed_keep_or_redraw_is_a_keep() -> None:
    state = CHEF.deal(CHEF.start({}, 2), [tuple(range(6)), tuple(range(6))])
    assert CHEF.absent(state, 0) == KEEP
    after = CHEF.play(state, {0: Missed(Miss.CHOICE, KEEP), 1: Missed(Miss.CHOICE)})
    assert after.board.phase == "meal"
    assert after.board.missed == (0, 0)


def test_ruling_9_each_draws_two_and_an_empty_deck_gives_none() -> None:
    match = Match(LARDER, LARDER, piles=((38, 39), (39,)))
    match.serve(EMPTY, EMPTY)
    assert [(draw.stream, draw.count) for draw in match.step().draws] == [(0, 2), (1, 1)]
    match.play(EMPTY, EMPTY)
    assert match.board.phase == "meal", "no deal where nothing is left to draw"
    match = Match(LARDER, LARDER, piles=((), (38, 39)))
    match.serve(EMPTY, EMPTY)
    assert [draw.stream for draw in match.step().draws] == [1]


# 11: time and silence


def test_ruling_11_a_chef_who_has_not_sealed_serves_nothing() -> None:
    match = Match(LARDER, LARDER)
    assert match.serve(SEAL, meal(dish(3, *TOAST_OF_1))) == (0, 1)
    assert match.texts[1] == "Seat 0 sealed no meal in time"
    assert match.board.missed == (1, 0)


def test_ruling_11_a_chef_who_sealed_and_did_not_open_gives_seven_points() -> None:
    match = Match(LARDER, LARDER)
    assert match.serve(OPENING, EMPTY) == (0, 7)
    match = Match(LARDER, LARDER)
    assert match.serve(meal(dish(1, *TOAST_OF_1)), OPENING) == (7, 0)
    assert match.texts[1:] == [
        "Seat 1 did not open its meal in time",
        "Seat 0 serves Toast with Rice as appetizer: 1 yum",
        "Seat 0 takes every course and one point more: 7 points",
    ]


def test_ruling_11_seven_points_even_if_the_other_has_not_sealed() -> None:
    assert Match(LARDER, LARDER).serve(OPENING, SEAL) == (0, 7)


def test_ruling_11_if_neither_opens_nobody_scores() -> None:
    match = Match(LARDER, LARDER)
    assert match.serve(OPENING, OPENING) == (0, 0)
    assert match.texts[1:] == [f"Seat {seat} did not open its meal in time" for seat in (0, 1)]
    assert match.board.owed[0] == match.board.owed[1] == Packing(tuple(range(6)), 3)


def test_ruling_11_in_a_final_round_they_win_if_the_other_has_opened() -> None:
    match = tied()
    assert match.serve(EMPTY, OPENING) == (4, 0)
    assert outcome(match).winners == (0,)
    for first, second in ((SEAL, OPENING), (OPENING, OPENING), (SEAL, SEAL)):
        match = tied()
        assert match.serve(first, second) == (0, 0)
        assert match.board.final == 2


def test_ruling_11_an_owed_reveal_scores_nothing_and_discards() -> None:
    match = Match((FEAST, HOLY_BREAD, TOAST, BREAD), LARDER)
    match.serve(OPENING, EMPTY)
    match.step()
    before = match.state
    after = CHEF.late(before, 0, meal(dish(2, 0, 1)))
    assert CHEF.points(after) == CHEF.points(before)
    # Cards by their index in the deck: the feast and the holy bread are gone.
    assert after.board.hands[0] == (2, 3, 4, 5, 6, 7)
    assert after.board.discards[0] == (0, 1)
    assert after.board.owed == (None, None)
    assert after.board.opened == {0, 1}
    with pytest.raises(IllegalMove, match="No reveal is owed"):
        CHEF.late(after, 0, meal(dish(2, 0, 1)))
    for wrong, code in (
        (meal(dish(2, 6, 1)), "not_in_hand"),
        (meal(dish(2, 1, 3)), "not_a_recipe"),
        (meal(dish(2, 0, 2)), "not_an_ingredient"),
        (meal(dish(4, 0, 1)), "unknown_course"),
    ):
        with pytest.raises(IllegalMove) as refused:
            CHEF.late(before, 0, wrong)
        assert refused.value.refusal.code == code
    with pytest.raises(IllegalMove, match="not opened"):
        CHEF.late(State(before.board, {}), 0, meal(dish(2, 0, 1)))


@pytest.mark.parametrize("misses", [(SEAL, SEAL, SEAL), (OPENING, SEAL, SEAL), (SEAL, SEAL, OPENING)])
def test_ruling_11_three_silent_rounds_in_a_row_lose(misses: tuple[Choice, ...]) -> None:
    match = Match(LARDER, LARDER)
    match.serve(EMPTY, EMPTY)
    for miss in misses:
        match.serve(miss, EMPTY)
    assert outcome(match).reason == "missed"
    assert outcome(match).winners == (1,)


def test_ruling_11_silence_is_judged_before_points() -> None:
    match = Match(LARDER, LARDER, points=(27, 2), missed=(2, 0), round=9)
    assert match.serve(SEAL, OPENING) == (7, 0)
    assert outcome(match) == Outcome((34, 2), (1,), "missed")


def test_ruling_11_a_round_that_is_played_starts_the_count_again() -> None:
    match = Match(LARDER, LARDER)
    for choice in (SEAL, SEAL, EMPTY, SEAL, SEAL):
        match.serve(choice, EMPTY)
    assert match.board.missed == (2, 0)


def test_ruling_11_a_late_reveal_does_not_repair_its_round() -> None:
    match = Match(LARDER, LARDER)
    for _ in range(3):
        match.serve(OPENING, EMPTY)
        match.state = CHEF.late(match.state, 0, EMPTY)
    assert outcome(match).winners == (1,)


def test_ruling_11_the_match_is_drawn_if_both_are_silent() -> None:
    match = Match(LARDER, LARDER)
    for _ in range(3):
        match.serve(SEAL, OPENING if match.board.owed[1] is None else SEAL)
    assert outcome(match) == Outcome((7, 0), (0, 1), "missed")


def test_ruling_11_after_40_rounds_the_higher_total_wins() -> None:
    match = Match(LARDER, LARDER, points=(3, 4), round=40)
    match.serve(EMPTY, EMPTY)
    assert outcome(match) == Outcome((3, 4), (1,), "rounds")
    match = Match(LARDER, LARDER, points=(5, 5), round=40)
    match.serve(EMPTY, EMPTY)
    assert outcome(match) == Outcome((5, 5), (0, 1), "rounds")
    match = Match(LARDER, LARDER, points=(30, 30), round=40, final=1)
    match.serve(EMPTY, EMPTY)
    assert outcome(match).winners == (0, 1)


def test_ruling_11_clocks() -> None:
    options = {option.name: option for option in CHEF.facts.options}
    assert {name: option.default for name, option in options.items()} == {
        "seal": 120,
        "reveal": 30,
        "choice": 30,
    }
    for option in options.values():
        assert option.fault(5) is None
        assert option.fault(7 * 86400) is None
        assert option.fault(4)
        assert option.fault(7 * 86400 + 1)
        assert option.fault(True)


# the form of a choice (protocol section 9)


@pytest.mark.parametrize(
    ("choice", "code", "pointer"),
    [
        (None, "malformed", ""),
        ({"dishes": [], "more": 1}, "malformed", ""),
        ({"dishes": {}}, "malformed", "/dishes"),
        (meal({"course": 1}), "malformed", "/dishes/0"),
        (meal(dish(4, *TOAST_OF_2)), "unknown_course", "/dishes/0/course"),
        (meal(dish(True, *TOAST_OF_2)), "unknown_course", "/dishes/0/course"),
        (meal(dish(2, *TOAST_OF_2), dish(2, None)), "course_order", "/dishes/1/course"),
        (meal(dish(2, *TOAST_OF_2), dish(1, None)), "course_order", "/dishes/1/course"),
        (meal({"course": 1, "recipe": 1.0, "ingredients": []}), "malformed", "/dishes/0/recipe"),
        (meal({"course": 1, "recipe": 1, "ingredients": 3}), "malformed", "/dishes/0/ingredients"),
        (meal({"course": 1, "recipe": 1, "ingredients": [True]}), "malformed", "/dishes/0/ingredients/0"),
        (meal(dish(1, 0, 3, 2, 4)), "ingredient_order", "/dishes/0/ingredients/1"),
        (meal(dish(1, 0, 2, 2, 4)), "ingredient_order", "/dishes/0/ingredients/1"),
        (meal(dish(1, 0, 2, 3, 6)), "not_in_hand", "/dishes/0/ingredients/2"),
        (meal(dish(1, 40, 3)), "not_in_hand", "/dishes/0/recipe"),
        (meal(dish(1, 1, 3), dish(2, 1, 5)), "card_twice", "/dishes/1/recipe"),
        (meal(dish(1, 0, 0, 2, 3)), "card_twice", "/dishes/0/ingredients/0"),
        (meal(dish(1, 2, 3)), "not_a_recipe", "/dishes/0/recipe"),
        (meal(dish(1, 0, 1, 2)), "not_an_ingredient", "/dishes/0/ingredients/0"),
        (meal(dish(1, 0, 2, 3)), "costs_not_met", "/dishes/0"),
        (meal(dish(1, 1, 3, 5)), "costs_not_met", "/dishes/0"),
    ],
)
def test_a_choice_is_refused_with_its_field(choice: Any, code: str, pointer: str) -> None:
    match = Match(LARDER, LARDER)
    refusal = CHEF.legal(match.state, 0).refusal(choice)
    assert refusal is not None
    assert (refusal.code, refusal.pointer) == (code, pointer)
    with pytest.raises(IllegalMove):
        CHEF.play(match.state, {0: choice, 1: EMPTY})


def test_fill_puts_every_hand_card_in_its_box() -> None:
    packing = Packing((3, 5, 8, 9, 20), 3)
    choice = meal(dish(1, 9, 3), dish(3, 5, 8))
    # The box of the cards 3, 5, 8, 9, 20: 0 stays in hand, 1 and 3 are courses.
    assert CHEF.fill(packing, choice) == (1, 3, 3, 1, 0)
    assert CHEF.fill(Packing((), 3), EMPTY) == ()
    with pytest.raises(IllegalMove):
        CHEF.fill(packing, meal(dish(1, 9, 4)))


def test_a_meal_that_was_not_opened_is_refused() -> None:
    match = Match(LARDER, LARDER)
    bare = State(match.board, {own(1, i): card for i, card in enumerate(LARDER)})
    assert meal(dish(1, *TOAST_OF_2)) in CHEF.legal(bare, 0), "as far as the house can tell"
    with pytest.raises(IllegalMove, match="not opened"):
        CHEF.play(bare, {0: meal(dish(1, *TOAST_OF_2)), 1: EMPTY})


def test_all_meals_of_a_hand_are_listed() -> None:
    match = Match((TOAST, PORRIDGE, BREAD, SALT, TUNA, SALT), LARDER)
    meals = list(CHEF.legal(match.state, 0))
    assert meals[0] == EMPTY
    assert len(meals) == 7, "nothing, or toast or porridge as one of three courses"
    assert len({str(move) for move in meals}) == len(meals)


def test_samples_serve_dishes() -> None:
    match = Match(LARDER, LARDER)
    rng = Random(5)
    samples = [CHEF.legal(match.state, 0).sample(rng) for _ in range(200)]
    assert all(move in CHEF.legal(match.state, 0) for move in samples)
    assert max(len(move["dishes"]) for move in samples) == 2
    assert sum(not move["dishes"] for move in samples) < 20
    listed = {str(move) for move in CHEF.legal(match.state, 0)}
    assert {str(move) for move in samples} <= listed


def test_two_seats_and_no_more() -> None:
    with pytest.raises(ValueError, match="two"):
        CHEF.start({}, 3)

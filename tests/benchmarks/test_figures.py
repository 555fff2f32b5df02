"""The figures measure real work: proofs made by another process, and a whole match of ten rounds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import chefs, dealerless, matches, proofs
from benchmarks.chefs import CARDS, COURSES, HAND, elsewhere
from benchmarks.figures import FIGURES, find
from benchmarks.measure import run
from benchmarks.products import deck_terms, meal_terms, meals_terms, mix_terms, raw
from crypto import meal, mix, shuffle
from crypto.group import encode_point
from crypto.verifier import Equation
from referee import verify_record
from referee.bodies import proof_size

CHEAP = [
    "meal_verify",
    "meal_prove",
    "deck_verify",
    "deck_prove",
    "mix_verify",
    "mix_receive",
    "mix_prove",
    "play_verify",
]
"""The figures with a bound of their own that take milliseconds."""


def different(equations: list[Equation]) -> int:
    return len({encode_point(point) for equation in equations for _, point in equation})


def test_every_figure_has_its_own_name_and_words() -> None:
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    assert all(figure.title and figure.a and figure.b and figure.how for figure in FIGURES)
    assert [find(name).bound for name in CHEAP] == [1.5, 5.0, 1.5, 5.0, 1.5, 2.3, 5.5, 0.8]


@pytest.mark.parametrize(("cards", "courses"), [(6, COURSES), (HAND, COURSES)])
def test_terms_of_a_meal_are_the_different_points_of_its_equations(cards: int, courses: int) -> None:
    (shown,) = chefs.meals([(1, cards)])
    found = meal.equations(shown.context, shown.hand, shown.courses, shown.seal, shown.proof)
    assert different(found) == meal_terms(cards, courses)


def test_terms_of_many_meals_are_the_different_points_of_them_all() -> None:
    hands = {1: [6, 8, 10], 2: [8]}
    shown = chefs.meals([(seed, cards) for seed, own in hands.items() for cards in own])
    equations = [
        equation for s in shown for equation in meal.equations(s.context, s.hand, s.courses, s.seal, s.proof)
    ]
    assert different(equations) == meals_terms(hands, COURSES)


def test_terms_of_a_deck_are_the_different_points_of_its_equations() -> None:
    (shown,) = chefs.decks([1])
    found = shuffle.equations(shown.context, shown.cards, shown.positions, shown.proof)
    assert different(found) == deck_terms(CARDS) == 128


def test_terms_of_a_mix_are_the_different_points_of_its_equations() -> None:
    shown = dealerless.new_mix()
    found = mix.equations(shown.context, shown.joint_lock, shown.before, shown.after, shown.proof)
    assert different(found) == mix_terms(dealerless.CARDS) == 271
    assert shown.holds()
    assert not replace(shown, context=bytes(64)).holds()


def test_a_round_that_nobody_dealt_is_played_to_its_end_and_verifies() -> None:
    match = dealerless.seated(1)
    dealerless.play_round(match)
    own = dealerless.counted(match.entries)
    report = verify_record(own.data)
    assert report.valid
    assert report.game is not None
    assert report.game.outcome is not None
    sun = 10_000 in report.game.outcome.points  # it ends a match at once
    assert (report.game.deals, report.game.outcome.reason) == (1, "points" if sun else "agreed")
    # Five locks and mixes, four messages of shares, and nearly all of the 52 cards.
    assert report.checked["proofs"] == len(own.terms) > 5 + 5 + 4 + 40
    entries = len(match.entries)
    dealerless.play_round(match)  # a match may be over already: the sun ends one within its first round
    assert len(match.entries) == entries


def test_a_raw_product_takes_as_many_terms_as_asked() -> None:
    assert raw([2, 133])()


@pytest.mark.processes
@pytest.mark.parametrize("name", [*CHEAP, "deck_receive"])
def test_the_cheap_figures_can_be_measured(name: str) -> None:
    found = run(replace(find(name), fold=1), 1)
    assert found.ratio.median > 0
    assert found.terms is not None
    assert found.alternations == 1


@pytest.mark.processes
def test_meals_of_several_chefs_hold_in_one_sum_and_a_bad_one_does_not() -> None:
    shown = proofs.meals_arrive([(0, 6), (1, 8)])
    assert proofs.verify_meals(shown)
    assert not proofs.verify_meals([shown[0], chefs.MealShown(b"x", *_fields(shown[1]))])


def _fields(shown: chefs.MealShown) -> tuple[tuple[bytes, ...], int, bytes, bytes]:
    return shown.hand, shown.courses, shown.seal, shown.proof


def test_a_chef_makes_a_new_proof_each_time() -> None:
    first, second = elsewhere(chefs.meals, [(0, 6), (0, 6)])
    assert first.hand == second.hand
    assert first.proof != second.proof
    one, other = elsewhere(chefs.decks, [0, 0])
    assert one.cards == other.cards
    assert not set(one.positions) & set(other.positions)


def test_a_match_is_played_to_its_last_round_and_verifies() -> None:
    _, record = matches.played(0)
    assert len(record.hands) == 2 * matches.ROUNDS
    assert len(record.terms) == 22
    assert record.proof_bytes == 2 * 4240 + sum(proof_size(cards, COURSES) for cards in record.hands)
    report = verify_record(record.data)
    assert report.valid
    assert report.checked["proofs"] == 22
    assert report.checked["reveals"] == 20
    assert report.game is not None
    assert report.game.outcome is not None
    assert report.game.outcome.reason in ("agreed", "points")


def test_the_same_seed_plays_the_same_match() -> None:
    assert matches.play(3, 1).hands == matches.play(3, 1).hands
    with pytest.raises(matches.TooShort):
        matches.play(3, 41)

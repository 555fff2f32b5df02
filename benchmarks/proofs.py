"""Figures of single proofs, and of many proofs verified in one sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks import chefs
from benchmarks.chefs import CARDS, COURSES, HAND, DeckShown, MealShown, elsewhere
from benchmarks.measure import Work, WorkPair
from benchmarks.products import deck_terms, meal_terms, meals_terms, raw
from crypto import meal, shuffle
from crypto.group import decode_point
from crypto.verifier import Equation, check

GAMES = 64
DECK_POINTS = 7
"""Points in the proof of a match deck itself."""
ROUNDS = 10
CHEFS = 2


def _meal(shown: MealShown) -> list[Equation]:
    return meal.equations(shown.context, shown.hand, shown.courses, shown.seal, shown.proof)


def _deck(shown: DeckShown) -> list[Equation]:
    return shuffle.equations(shown.context, shown.cards, shown.positions, shown.proof)


def known(points: Iterable[bytes]) -> None:
    """Decode points that the verifier knows before it gets this proof."""
    for point in points:
        decode_point(point, allow_identity=True)


def meals_arrive(orders: Sequence[tuple[int, int]]) -> list[MealShown]:
    """Meals as validation gets them, for each (chef, cards in hand). Points of the match deck are known."""
    found = elsewhere(chefs.meals, orders)
    for shown in found:
        known(shown.hand)
    return found


def verify_meals(meals: Sequence[MealShown]) -> bool:
    """Tell whether all meals are valid, checked in one sum."""
    return all(check(*(_meal(shown) for shown in meals)))


def _alone(meals: Sequence[MealShown]) -> Work:
    return lambda: all(verify_meals([shown]) for shown in meals)


def meal_verify() -> WorkPair:
    """Verify a meal with 24 cards in hand, against a raw product."""
    terms = meal_terms(HAND, COURSES)

    def fresh() -> tuple[Work, Work]:
        shown = meals_arrive([(0, HAND)])
        return lambda: verify_meals(shown), raw([terms])

    size = len(elsewhere(chefs.meals, [(0, HAND)])[0].proof)
    # The new points are B, A, Q, S and the W_c.
    return WorkPair(fresh, terms=terms, proof_bytes=size, decoded=4 + COURSES, sizes={"meal_proof": size})


def meal_prove() -> WorkPair:
    """Prove a meal with 24 cards in hand, against a raw product."""
    terms, chef = meal_terms(HAND, COURSES), chefs.chef(0)
    size = len(chef.meal()().proof)

    def fresh() -> tuple[Work, Work]:
        prove = chef.meal()
        return lambda: len(prove().proof) == size, raw([terms])

    return WorkPair(fresh, terms=terms, proof_bytes=size)


def _deck_verified(positions_known: bool) -> WorkPair:
    """Verify a match deck. The certificate's points are known; the positions only if `positions_known`."""
    terms = deck_terms(CARDS)

    def fresh() -> tuple[Work, Work]:
        (shown,) = elsewhere(chefs.decks, [0])
        known(shown.cards)
        if positions_known:
            known(shown.positions)
        return lambda: all(check(_deck(shown))), raw([terms])

    size = len(elsewhere(chefs.decks, [0])[0].proof)
    decoded = DECK_POINTS if positions_known else CARDS + DECK_POINTS
    return WorkPair(fresh, terms=terms, proof_bytes=size, decoded=decoded, sizes={"deck_proof": size})


def deck_verify() -> WorkPair:
    """Verify a match deck whose points are decoded already, against a raw product."""
    return _deck_verified(positions_known=True)


def deck_receive() -> WorkPair:
    """Decode the points of a match deck and verify it, against a raw product."""
    return _deck_verified(positions_known=False)


def deck_prove() -> WorkPair:
    """Prove a match deck, against a raw product."""
    terms, chef = deck_terms(CARDS), chefs.chef(0)
    size = len(chef.deck()().proof)

    def fresh() -> tuple[Work, Work]:
        prove = chef.deck()
        return lambda: len(prove().proof) == size, raw([terms])

    return WorkPair(fresh, terms=terms, proof_bytes=size)


def _batch(orders: Sequence[tuple[int, int]]) -> WorkPair:
    """Verify all meals in one sum, against each alone. Both sides get proofs of their own."""

    def fresh() -> tuple[Work, Work]:
        together, alone = meals_arrive(orders), meals_arrive(orders)
        return lambda: verify_meals(together), _alone(alone)

    hands: dict[int, list[int]] = {}
    for seed, cards in orders:
        hands.setdefault(seed, []).append(cards)
    return WorkPair(
        fresh,
        terms=meals_terms(hands, COURSES),
        proof_bytes=sum(len(shown.proof) for shown in elsewhere(chefs.meals, orders)),
        decoded=len(orders) * (4 + COURSES),
    )


def batch_games() -> WorkPair:
    """Verify 64 meals of 64 games."""
    return _batch([(seed, HAND) for seed in range(GAMES)])


def batch_match() -> WorkPair:
    """Verify the 20 meals of one match. Both chefs' hands grow from 6 to 24 cards."""
    return _batch([(seed, 6 + 2 * round_) for round_ in range(ROUNDS) for seed in range(CHEFS)])

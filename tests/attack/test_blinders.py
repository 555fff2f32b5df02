"""Provers with one blinder left out or cut short, and spies who then tell the witness (protocol 6, 8, 12)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

from crypto import meal, shuffle
from crypto.encoding import i2osp
from crypto.group import ORDER, card_point
from crypto.secret import Masks
from tests.attack.algebra import scalars
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import Kitchen, kitchen
from tests.attack.spying import (
    MEAL_TELLS,
    SHUFFLE_TELLS,
    Maimed,
    MealGuess,
    Order,
    Reach,
    ShuffleGuess,
    meal_masks,
    see_meal,
    see_shuffle,
    shuffle_masks,
    told,
)
from tests.crypto.crypto_kit import SHUFFLE_PLACE, vector
from vectors.example import NO_FRESH

KNOWS = "both witnesses that are possible"
SHORT_BITS = 200
"""The bits, of 255, of masks that look long and are not uniform."""
TRIES = 8
REAL = 60


def masks(case: int, ctx: bytes, secret: bytes, reach: Reach = (0, 0), bits: int = 0) -> Iterator[int]:
    """A prover's masks, other ones in each case; those in reach are cut down to so many bits."""
    w = i2osp(case, 32)
    return (
        Maimed(w, ctx, secret, NO_FRESH, reach, bits) if reach != (0, 0) else Masks(w, ctx, secret, NO_FRESH)
    )


# --- Shuffles ---


@dataclass(frozen=True)
class Decks:
    """A statement with two witnesses: cards 0 and 1 are copies, and either may lie at position 0."""

    ctx: bytes
    cards: Sequence[bytes]
    positions: Sequence[bytes]
    orders: tuple[Order, Order]

    def prove(self, which: int, case: int, reach: Reach = (0, 0), bits: int = 0) -> bytes:
        """The proof of one witness."""
        of = self.orders[which]
        given = masks(case, self.ctx, bytes(of.permutation), reach, bits)
        return shuffle.prove(self.ctx, self.cards, self.positions, of.permutation, of.blindings, given)

    def guesses(self, proof: bytes) -> tuple[object, list[ShuffleGuess]]:
        """Return what a spy works out for both."""
        view = see_shuffle(self.ctx, self.cards, self.positions, proof)
        return view, [ShuffleGuess(view, of) for of in self.orders]


@pytest.fixture(scope="module")
def decks() -> Decks:
    rng, vectors = random.Random(8), [vector(1001, False, 1), vector(1001, False, 1)]
    vectors += [vector(1002 + j, True, -1) for j in range(3)]
    s, t = scalars(rng, 5), scalars(rng, 5)
    cards = [card_point(a, blinding) for a, blinding in zip(vectors, s, strict=True)]
    one, other = [0, 3, 1, 4, 2], [1, 3, 0, 4, 2]
    shifted = [(r + s[i] - s[j]) % ORDER for r, i, j in zip(t, one, other, strict=True)]
    positions = shuffle.positions(cards, one, t)
    assert positions == shuffle.positions(cards, other, shifted)
    return Decks(shuffle.context(**SHUFFLE_PLACE), cards, positions, (Order(one, t), Order(other, shifted)))


def shuffle_answer(own: Decks, proof: bytes, name: str) -> int | None:
    view, guesses = own.guesses(proof)
    return told([SHUFFLE_TELLS[name](view, guess) for guess in guesses])  # type: ignore[arg-type]


@attack("telling two shuffles apart, one blinder left out", "protocol 6, 12", knows=KNOWS)
@pytest.mark.parametrize("name", SHUFFLE_TELLS)
def test_every_blinder_of_a_shuffle_hides_something(decks: Decks, name: str, outcome: Outcome) -> None:
    reach = shuffle_masks(5)[name]
    for case in range(TRIES):
        which = case % 2
        leaky, real = decks.prove(which, case, reach), decks.prove(which, case)
        shuffle.verify(decks.ctx, decks.cards, decks.positions, leaky)
        assert shuffle_answer(decks, leaky, name) == which, f"{name} left out tells nothing"
        assert shuffle_answer(decks, real, name) is None
    outcome.no_advantage(f"no answer; without the blinder {TRIES} of {TRIES} right, each of the 10", TRIES)


# --- Meals ---


@dataclass(frozen=True)
class Meals:
    """A hand from which either of two meals was sealed."""

    own: Kitchen
    boxes: tuple[Sequence[int], Sequence[int]]

    def witness(self, which: int) -> meal.Witness:
        """One of the two."""
        own = self.own
        return meal.witness(own.vectors, own.blindings, self.boxes[which], own.courses)

    def prove(self, which: int, case: int, reach: Reach = (0, 0), bits: int = 0) -> meal.SealedMeal:
        """The seal of one witness."""
        own, boxes = self.own, self.boxes[which]
        given = masks(case, own.ctx, bytes(boxes), reach, bits)
        return meal.prove(own.ctx, own.hand, own.vectors, own.blindings, boxes, own.courses, given)

    def guesses(self, sealed: meal.SealedMeal) -> tuple[object, list[MealGuess]]:
        """Return what a spy works out for both."""
        view = see_meal(self.own, sealed.seal, sealed.proof)
        return view, [MealGuess(view, self.witness(which)) for which in (0, 1)]


@pytest.fixture(scope="module")
def meals() -> Meals:
    return Meals(kitchen(2), ((1, 1, 0, 0, 0), (0, 0, 0, 0, 0)))


def meal_answer(own: Meals, sealed: meal.SealedMeal, name: str) -> int | None:
    view, guesses = own.guesses(sealed)
    return told([MEAL_TELLS[name](view, guess) for guess in guesses])  # type: ignore[arg-type]


@attack("telling two meals apart, one blinder left out", "protocol 8, 12", knows=KNOWS)
@pytest.mark.parametrize("name", MEAL_TELLS)
def test_every_blinder_of_a_meal_hides_something(meals: Meals, name: str, outcome: Outcome) -> None:
    own, reach = meals.own, meal_masks(len(meals.own.hand), meals.own.courses)[name]
    for case in range(TRIES):
        which = case % 2
        leaky, real = meals.prove(which, case, reach), meals.prove(which, case)
        meal.verify(own.ctx, own.hand, own.courses, leaky.seal, leaky.proof)
        assert meal_answer(meals, leaky, name) == which, f"{name} left out tells nothing"
        assert meal_answer(meals, real, name) is None
    outcome.no_advantage(f"no answer; without the blinder {TRIES} of {TRIES} right, each of the 8", TRIES)


# --- Masks that are only short, and a spy that always answers ---


def sizes(guess: ShuffleGuess | MealGuess) -> int:
    """The largest of the masks that a guess implies in the answers: of the right one, if masks are short."""
    if isinstance(guess, ShuffleGuess):
        return max(*guess.alpha, *guess.d, *guess.delta)
    return max(*(value for row in guess.a for value in row), *guess.e, *guess.t, *guess.u)


@attack("telling two witnesses apart by the size of the masks", "protocol 6, 8, 12", knows=KNOWS)
@pytest.mark.parametrize("kind", ["shuffle", "meal"])
def test_masks_are_as_long_as_scalars(kind: str, decks: Decks, meals: Meals, outcome: Outcome) -> None:
    own: Decks | Meals = decks if kind == "shuffle" else meals
    everything = (0, 10_000)
    right = {0: 0, SHORT_BITS: 0}
    for bits in right:
        for case in range(REAL):
            which = random.Random(case).randrange(2)
            made = own.prove(which, case, everything, bits) if bits else own.prove(which, case)
            _, guesses = own.guesses(made)  # type: ignore[arg-type]
            right[bits] += min((0, 1), key=lambda i: sizes(guesses[i])) == which
    assert right[SHORT_BITS] == REAL
    # By chance half, 30, with a deviation of 3.9: outside 10..50 once in four million.
    assert 10 <= right[0] <= 50
    figure = f"{kind} {right[0]} of {REAL} right (chance 30, bound 10..50)"
    outcome.no_advantage(f"{figure}, all {REAL} with masks of {SHORT_BITS} bits", REAL)


# --- One single mask ---


DIFFER = {"alpha": 2, "d": 2, "delta": 1, "a": 2, "e": 1, "t": 1, "u": 1}
"""The number of entries in which the two witnesses differ.

In a shuffle these are positions 0 and 2 and the product between them, in a meal two cards and the sums of one
course.
"""


def singles(guess: ShuffleGuess | MealGuess, name: str) -> list[int]:
    """The masks of a vector, one by one, as a guess implies them."""
    if isinstance(guess, ShuffleGuess):
        return {"alpha": guess.alpha, "d": guess.d, "delta": guess.delta[1:-1]}[name]
    rows = [value for row in guess.a for value in row]
    return {"a": rows, "e": guess.e, "t": guess.t, "u": guess.u}[name]


@attack("telling two witnesses apart, one single mask left out", "protocol 6, 8, 12", knows=KNOWS)
@pytest.mark.parametrize("name", ["alpha", "d", "delta", "a", "e", "t", "u"])
def test_every_single_mask_hides_something(decks: Decks, meals: Meals, name: str, outcome: Outcome) -> None:
    own: Decks | Meals = decks if name in ("alpha", "d", "delta") else meals
    m, C = len(meals.own.hand), meals.own.courses
    start, end = (shuffle_masks(5) if isinstance(own, Decks) else meal_masks(m, C))[name]
    answers = {True: 0, False: 0}
    for at in range(start, end):
        for which in (0, 1):
            for left_out in (True, False):
                made = own.prove(which, at, (at, at + 1)) if left_out else own.prove(which, at)
                _, guesses = own.guesses(made)  # type: ignore[arg-type]
                answer = told(singles(guess, name)[at - start] == 0 for guess in guesses)
                assert answer in (None, which)
                answers[left_out] += answer is not None
    # A mask left out tells where the two witnesses differ in what it hides, and only there.
    assert answers[False] == 0
    assert answers[True] == 2 * DIFFER[name]
    figure = "no answer; without that mask all are right, where the witnesses differ in what it hides"
    outcome.no_advantage(figure, 2 * (end - start))

"""Proofs from nothing: what one who knows the challenges beforehand can make (protocol 6, 8).

That is why a proof tells nothing but its statement, and why a proof without a hash would prove nothing.
"""

from __future__ import annotations

import random

import pytest

from tests.attack.algebra import scalars
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import kitchen
from tests.attack.shuffle_forger import doubled
from tests.attack.simulation import simulated_meal, simulated_shuffle
from tests.attack.spying import POINT
from tests.attack.weak import answering
from tests.crypto.crypto_kit import page_meal, page_shuffle

TRIES = 6


@attack("a false deck, proven by answers chosen before the messages", "protocol 6")
def test_a_simulated_shuffle(outcome: Outcome) -> None:
    own, rng = doubled(), random.Random(21)
    assert not own.holds()
    for _ in range(TRIES):
        challenges = dict(zip(("y", "lambda", "z", "x"), scalars(rng, 4), strict=True))
        proof = simulated_shuffle(own.cards, own.positions, challenges, rng)
        with answering(challenges):
            assert own.accepted(proof), "the equations tell a simulation from a proof"
        # One wrong guess among the four is enough.
        for name in challenges:
            with answering({**challenges, name: challenges[name] + 1}):
                assert not own.accepted(proof)
        assert not own.accepted(proof)
    assert not all(page_shuffle(own.ctx, list(own.cards), list(own.positions), proof))
    outcome.rejected(TRIES, "taken by one who tells the challenges first: so the equations leak nothing")


@attack("a seal without a meal, proven by answers chosen before the messages", "protocol 8")
@pytest.mark.parametrize("courses", [1, 3])
def test_a_simulated_meal(courses: int, outcome: Outcome) -> None:
    own, rng = kitchen(courses), random.Random(22)
    for _ in range(TRIES):
        (x,) = scalars(rng, 1)
        seal, proof = simulated_meal(own.hand, courses, x, rng)
        with answering({"x": x}):
            assert own.accepted(seal, proof), "the equations tell a simulation from a proof"
        with answering({"x": x + 1}):
            assert not own.accepted(seal, proof)
        assert not own.accepted(seal, proof)
    assert not all(page_meal(own.ctx, list(own.hand), courses, seal, proof))
    outcome.rejected(TRIES, "taken by one who tells the challenge first: so the equations leak nothing")


@attack("another's first messages with answers of one's own", "protocol 6, 8")
def test_first_messages_of_another_simulation(outcome: Outcome) -> None:
    # Two simulations for one challenge, of which every part is right: their mixtures are not.
    own, rng = kitchen(1), random.Random(23)
    (x,) = scalars(rng, 1)
    one, other = (simulated_meal(own.hand, 1, x, rng) for _ in range(2))
    points = 4
    with answering({"x": x}):
        for i in range(points):
            mixed = one[1][: POINT * i] + other[1][POINT * i : POINT * (i + 1)] + one[1][POINT * (i + 1) :]
            assert not own.accepted(one[0], mixed)
        assert not own.accepted(other[0], one[1])
        assert own.accepted(*one)
        assert own.accepted(*other)
    outcome.rejected(points + 1, "even by one who tells the challenge first")

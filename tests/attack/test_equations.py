"""Every equation stops somebody: forgers whose proofs break in that one alone (protocol 6, 8)."""

from __future__ import annotations

import random

import pytest

from crypto import meal, shuffle
from crypto.verifier import check
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import BALANCED, SHORT, TWICE, Forger, choices, kitchen
from tests.attack.shuffle_forger import doubled, forge

SHUFFLES = {"c3": "S1", "E": "S2", "c_d": "S3", "c_delta": "S4", "c_Delta": "S4"}
MEALS = {
    "A": (BALANCED, "M1"),
    "Q": (TWICE, "M2"),
    "S": (TWICE, "M2"),
    "W1": (SHORT, "M3 for course 1"),
    "W3": (SHORT, "M3 for course 3"),
}
TRIES = 3


@attack("a doubled card, one equation of the shuffle left broken", "protocol 6")
@pytest.mark.parametrize("free", SHUFFLES)
def test_each_equation_of_a_shuffle_is_needed(free: str, outcome: Outcome) -> None:
    own, rng, names = doubled(), random.Random(free), list(shuffle.EQUATIONS)
    for _ in range(TRIES):
        proof = forge(own, free, rng, solve=False)
        with pytest.raises(shuffle.ProofError, match=f"^{SHUFFLES[free]} of the proof fails"):
            shuffle.verify(own.ctx, own.cards, own.positions, proof)
        equations = shuffle.equations(own.ctx, own.cards, own.positions, proof)
        del equations[names.index(SHUFFLES[free])]
        # A verifier without that equation takes the deck, all others being right.
        assert check(equations) == [True]
    outcome.rejected(TRIES, "each of S1 to S4 is the only one that stops somebody")


@attack("an illegal meal, one equation left broken", "protocol 8")
@pytest.mark.parametrize("free", MEALS)
def test_each_equation_of_a_meal_is_needed(free: str, outcome: Outcome) -> None:
    own, rng, (kind, name) = kitchen(3), random.Random(free), MEALS[free]
    at = int(free[1:]) if free.startswith("W") else 1
    for _ in range(TRIES):
        rows = choices(kind, own.courses, at)
        seal = SHORT if free == "A" else ""
        forged = Forger(own, rows, rng, free, seal=seal, solve=False).run()
        assert not forged.is_a_legal_meal()
        with pytest.raises(meal.ProofError, match=f"^{name} of the proof fails"):
            meal.verify(own.ctx, own.hand, own.courses, forged.seal, forged.proof)
        equations = meal.equations(own.ctx, own.hand, own.courses, forged.seal, forged.proof)
        names = ["M1", "M2", *(f"M3 for course {c}" for c in (1, 2, 3))]
        del equations[names.index(name)]
        assert check(equations) == [True]
    outcome.rejected(TRIES, "M1, M2 and each M3 is the only one that stops somebody")

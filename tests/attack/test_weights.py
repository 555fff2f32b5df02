"""Bad proofs that cancel each other in the one sum, if its weights are not unforeseen (protocol 8)."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import permutations

import pytest

from crypto import meal, shuffle
from crypto.group import ORDER, encode_scalar
from crypto.verifier import Equation, check
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import BALANCED, Forged, Forger, choices, kitchen
from tests.crypto.crypto_kit import POINT, SCALAR, Shuffled, shuffled

OFF = 0x1234_5678_9ABC


@contextmanager
def weights(draw: Callable[[int], int]) -> Iterator[None]:
    """A verifier whose weights, from the second on, are `draw` of their number."""
    numbers = iter(range(1, 10**9))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "randbits", lambda bits: draw(next(numbers)))
        yield


@pytest.fixture(scope="module")
def sealed() -> Forged:
    found = Forger(kitchen(1), choices(BALANCED, 1), random.Random(1)).run()
    assert found.accepted()
    return found


@pytest.fixture(scope="module")
def deck() -> Shuffled:
    return shuffled(4)


def bent(proof: bytes, at: int, by: int) -> bytes:
    """The proof with `by` added to the scalar that begins at byte `at`, or so many from its end."""
    at %= len(proof)
    value = int.from_bytes(proof[at : at + SCALAR], "big")
    return proof[:at] + encode_scalar(value + by) + proof[at + SCALAR :]


def meal_off(sealed: Forged, by: int) -> list[Equation]:
    """A meal whose k_1 is off: its M3 misses by -by H. Answers do not move the challenge."""
    own = sealed.own
    return meal.equations(own.ctx, own.hand, own.courses, sealed.seal, bent(sealed.proof, -SCALAR, by))


def deck_off(deck: Shuffled, by: int) -> list[Equation]:
    """A match deck whose z_t is off: its S2 misses by +by H."""
    at = 7 * POINT + SCALAR * (len(deck.cards) + 1)
    return shuffle.equations(deck.ctx, deck.cards, deck.positions, bent(deck.proof, at, by))


@attack("two bad meals whose errors cancel", "protocol 8")
def test_two_bad_meals(sealed: Forged, outcome: Outcome) -> None:
    pair = [meal_off(sealed, OFF), meal_off(sealed, -OFF)]
    for weight in (1, 7, 2**127):
        # The first weight is 1; three equations a meal, so these are the 3rd and the 6th.
        with weights(lambda _, weight=weight: weight):
            assert check(*pair) == [True, True], "equal weights are no hole"
    for _ in range(20):
        assert check(*pair) == [False, False]
    outcome.rejected(20, "both are taken under equal weights")


@attack("a bad meal and a bad match deck whose errors cancel", "protocol 6, 8")
def test_a_bad_meal_and_a_bad_deck(sealed: Forged, deck: Shuffled, outcome: Outcome) -> None:
    pair = [meal_off(sealed, OFF), deck_off(deck, OFF)]
    with weights(lambda _: 1):
        assert check(*pair) == [True, True]
    for _ in range(20):
        assert check(*pair) == [False, False]
    outcome.rejected(20, "both are taken under equal weights")


@attack("one proof whose own equations cancel", "protocol 6, 8")
def test_two_equations_of_one_proof(sealed: Forged, deck: Shuffled, outcome: Outcome) -> None:
    own = sealed.own
    z_A = -SCALAR * 4
    crooked = bent(bent(sealed.proof, z_A, OFF), z_A + SCALAR, -OFF)
    n = len(deck.cards)
    z_u, z_s = 7 * POINT + SCALAR * (2 * n + 2), -SCALAR
    crooked_deck = deck.but(proof=bent(bent(deck.proof, z_u, OFF), z_s, -OFF))
    # M1's weight is the 1 that is given, so the others must be 1 too; S3 and S4 have any two.
    with weights(lambda _: 1):
        meal.verify(own.ctx, own.hand, own.courses, sealed.seal, crooked)
    with weights(lambda _: 2**100 + 1):
        crooked_deck.verify()
    for _ in range(20):
        assert not own.accepted(sealed.seal, crooked)
        with pytest.raises(shuffle.ProofError, match="S3 and S4"):
            crooked_deck.verify()
    outcome.rejected(40, "taken under equal weights")


@attack("errors fitted to weights known beforehand", "protocol 8", knows="the weights of a weak verifier")
def test_weights_from_a_seed_that_is_known(sealed: Forged, outcome: Outcome) -> None:
    rng = random.Random("a seed that the attacker knows")
    foreseen = [rng.getrandbits(128) for _ in range(6)]
    # The 3rd and the 6th equation of the sum: weights 2 and 5 of the source, the first being given.
    share = foreseen[1] * pow(foreseen[4], -1, ORDER)
    pair = [meal_off(sealed, OFF), meal_off(sealed, -OFF * share)]
    with weights(lambda i: foreseen[i - 1]):
        assert check(*pair) == [True, True]
    for _ in range(20):
        assert check(*pair) == [False, False]
    outcome.rejected(20, "both are taken by weights from a known seed")


@attack("errors fitted to weights of few bits", "protocol 8")
def test_short_weights(sealed: Forged, outcome: Outcome) -> None:
    pair, rng, tries = [meal_off(sealed, OFF), meal_off(sealed, -OFF)], random.Random(3), 100
    taken = 0
    for _ in range(tries):
        with weights(lambda _: rng.getrandbits(2)):
            taken += check(*pair) == [True, True]
    # One of four: 25 expected, none once in 10^12.
    assert taken
    assert [check(*pair) for _ in range(tries)] == [[False, False]] * tries
    outcome.rejected(tries, "of weights with 2 bits one in four lets both through")


@attack("bad proofs placed so that each half of the search cancels", "protocol 8")
def test_the_search_for_bad_proofs(sealed: Forged, outcome: Outcome) -> None:
    kinds = [OFF, -OFF, 2 * OFF, -2 * OFF, 0]
    orders = random.Random(4).sample(list(permutations(kinds)), 12)
    made = {by: meal_off(sealed, by) for by in kinds}
    for order in orders:
        assert check(*(made[by] for by in order)) == [by == 0 for by in order]
        with weights(lambda _: 1):
            assert check(*(made[by] for by in order)) == [True] * len(order)
    outcome.rejected(len(orders), "all are taken under equal weights")

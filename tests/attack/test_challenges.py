"""Challenges that come too early, are too short, or are zero (protocol 2, 6, 8)."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import permutations

import pytest

from crypto import meal, shuffle
from crypto.group import ORDER
from tests.attack.algebra import Vector, root
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import SHORT, TWICE, Forger, choices, kitchen
from tests.attack.shuffle_forger import CERTIFIED, Deck, deck, doubled, forge, prove
from tests.attack.shuffle_forger import Forger as ShuffleForger
from tests.attack.weak import answering, drawn_before, hashing_to_zero, of_few_bits, taking_zero

HALF = pow(2, -1, ORDER)


def scaled(a: Vector, by: int) -> list[int]:
    return [value * by % ORDER for value in a]


# --- Zero ---


@contextmanager
def zero(*names: str) -> Iterator[None]:
    """A verifier whose challenges of these names are zero, and who does not mind."""
    with ExitStack() as stack:
        stack.enter_context(hashing_to_zero(*names))
        stack.enter_context(taking_zero())
        yield


def half_and_double() -> tuple[Deck, list[int], list[int]]:
    """Card 0 doubled in every entry, card 1 halved: factors, and the entries that c1 then holds."""
    factors = [2, HALF, *([1] * (len(CERTIFIED) - 2))]
    own = deck(CERTIFIED, [scaled(a, by) for a, by in zip(CERTIFIED, factors, strict=True)])
    return own, factors, [(i + 1) * pow(by, -1, ORDER) for i, by in enumerate(factors)]


def zero_forgery(name: str) -> tuple[Deck, bytes]:
    """A false deck, and the proof that a zero in this challenge's place lets through."""
    rng, own, honest = random.Random(name), doubled(), range(1, len(CERTIFIED) + 1)
    if name == "z":
        # prod (l e_i + p_i) = prod (l j + y^j) for e_i = j / by_i and p_i = y^j / by_i, as prod by_i = 1
        own, factors, entries = half_and_double()

        def shared(work: ShuffleForger) -> list[int]:
            return [y * pow(by, -1, ORDER) for y, by in zip(work.y_powers, factors, strict=True)]

        return own, prove(own, entries, shared, rng)
    # y = 0: S2 says nothing about any card. x = 0: every answer is a mask alone.
    return own, prove(own, honest, lambda work: work.y_powers, rng)


@attack("a false deck under a challenge that hashes to zero", "protocol 2, 6", knows="a preimage of zero")
@pytest.mark.parametrize("name", ["y", "z", "x"])
def test_a_zero_challenge_of_a_shuffle(name: str, outcome: Outcome) -> None:
    with zero(name):
        own, proof = zero_forgery(name)
        assert own.accepted(proof), f"{name} = 0 is no hole"
    assert not own.holds()
    with hashing_to_zero(name), pytest.raises(shuffle.ProofError, match=f"challenge {name} is zero"):
        shuffle.verify(own.ctx, own.cards, own.positions, proof)
    assert not own.accepted(proof)
    outcome.rejected(2, "y, z and x are taken where zero is; for lambda see its own row")


@attack("an illegal meal under a challenge that hashes to zero", "protocol 2, 8", knows="a preimage of zero")
@pytest.mark.parametrize("kind", [SHORT, TWICE])
def test_a_zero_challenge_of_a_meal(kind: str, outcome: Outcome) -> None:
    own = kitchen()
    with zero("x"):
        forged = Forger(own, choices(kind, own.courses), random.Random(kind)).run()
        assert forged.accepted()
    assert not forged.is_a_legal_meal()
    with hashing_to_zero("x"), pytest.raises(meal.ProofError, match="challenge x is zero"):
        meal.verify(own.ctx, own.hand, own.courses, forged.seal, forged.proof)
    outcome.rejected(2, "taken where zero is")


@attack("a false deck under lambda = 0", "protocol 6", knows="a preimage of zero")
def test_a_zero_lambda_frees_the_index_list_and_no_card(outcome: Outcome) -> None:
    rng, n = random.Random(4), len(CERTIFIED)
    honest, false = deck(CERTIFIED, CERTIFIED), doubled()
    garbage = [rng.randrange(ORDER) for _ in range(n)]
    with zero("lambda"):
        # c1 may hold anything then, but c2 still holds the powers of y in some order.
        taken = prove(honest, garbage, lambda work: work.y_powers, rng)
        assert honest.accepted(taken)
        assert not false.accepted(prove(false, garbage, lambda work: work.y_powers, rng))
    with hashing_to_zero("lambda"):
        assert not honest.accepted(taken)
    outcome.argued(
        "it frees c1 only. The p_i are still the powers of y in an order, and for a false deck at most "
        "n! n of the q values of y have a fitting one (2^-90 for 40 cards). Refused all the same"
    )


# --- Too early ---


def three_alike() -> tuple[Deck, list[int]]:
    """Three copies of a card, multiplied by factors with sum 3 and product 1: 2 and (1 +- sqrt(-1)) / 2."""
    i = root(-1)
    assert i is not None
    factors = [2, (1 + i) * HALF % ORDER, (1 - i) * HALF % ORDER, 1, 1]
    certified = [CERTIFIED[0], CERTIFIED[0], CERTIFIED[0], CERTIFIED[1], CERTIFIED[2]]
    return deck(certified, [scaled(a, by) for a, by in zip(certified, factors, strict=True)]), factors


@attack("cards multiplied by numbers, z known before c2", "protocol 2, 6")
def test_z_comes_after_the_powers(outcome: Outcome) -> None:
    own, factors = three_alike()
    assert not own.holds()
    entries = [(i + 1) * pow(by, -1, ORDER) for i, by in enumerate(factors)]

    def fitted(work: ShuffleForger) -> list[int]:
        # prod (l e_i + p_i - z) = prod (l j + y^j - z) for this z and every l: p_i - z = (y^j - z) / by_i
        return [
            work.z + (y - work.z) * pow(by, -1, ORDER) for y, by in zip(work.y_powers, factors, strict=True)
        ]

    rng = random.Random(3)
    with drawn_before("z", "powers"):
        taken = prove(own, entries, fitted, rng)
        assert own.accepted(taken), "a z before c2 is no hole"
    assert not own.accepted(taken)
    for _ in range(3):
        assert not own.accepted(prove(own, entries, fitted, rng))
    outcome.rejected(4, "taken where z is drawn before c2")


@attack("a false deck, y known before c1", "protocol 2, 6")
def test_an_early_y_would_cost_a_factor_and_no_card(outcome: Outcome) -> None:
    own, rng, tries = doubled(), random.Random(6), 12
    n = len(own.cards)
    for _ in range(tries):
        # The forger may pick the order after y; no order of the powers fits a false deck.
        powers = [pow(rng.randrange(ORDER), j, ORDER) for j in range(1, n + 1)]
        target = [sum(p * a[k] for p, a in zip(powers, own.vectors, strict=True)) % ORDER for k in range(3)]
        for order in permutations(powers):
            found = [sum(p * a[k] for p, a in zip(order, own.held, strict=True)) % ORDER for k in range(3)]
            assert found != target
    outcome.argued(
        "a false deck then stands for n! polynomials in y instead of one, of degree n: 2^-90 for 40 cards. "
        f"All {n}! orders tried for {tries} values of y"
    )


@attack("a false deck, lambda known before c2", "protocol 2, 6")
def test_an_early_lambda_gives_other_powers_and_no_other_card(outcome: Outcome) -> None:
    # prod (l e_i + p_i - z) as a polynomial in z: p_i = y^j + l (j - e_i). S2 then asks that
    # sum_i y^j (k_i - a_j) + l sum_i (j - e_i) k_i = 0 for the y that came after k and e: k_i = a_j.
    alike = [CERTIFIED[0], CERTIFIED[0], CERTIFIED[1]]
    true, false = deck(alike, alike), deck(alike, [CERTIFIED[0], CERTIFIED[1], CERTIFIED[1]])
    entries, rng = [5, -2, 3], random.Random(7)

    def fitted(work: ShuffleForger) -> list[int]:
        lam = early_lambda(work)
        return [y + lam * (j - e) for j, (y, e) in enumerate(zip(work.y_powers, entries, strict=True), 1)]

    with drawn_before("lambda", "powers"):
        assert true.accepted(prove(true, entries, fitted, rng))
        assert not false.accepted(prove(false, entries, fitted, rng))
    assert not true.accepted(prove(true, entries, fitted, rng))
    outcome.argued("c1 may then hold other numbers, but each position still holds its card")


def early_lambda(work: ShuffleForger) -> int:
    """Return what a verifier who draws lambda before c2 will draw."""
    return copy.copy(work.talk).challenge("lambda")


# --- Too short ---


@attack("guessing the challenge", "protocol 2, 6, 8")
@pytest.mark.parametrize("kind", ["shuffle", "meal"])
def test_a_guessed_challenge(kind: str, outcome: Outcome) -> None:
    bits, tries = 2, 60
    own, rng, found = kitchen(1), random.Random(kind), Counter[str]()
    false = doubled()
    for _ in range(tries):
        guess = rng.randrange(1, 2**bits + 1)
        for verifier in ("weak", "real"):
            with ExitStack() as stack:
                if verifier == "weak":
                    stack.enter_context(of_few_bits(bits))
                with answering({"x": guess}):
                    if kind == "meal":
                        forged = Forger(own, choices(SHORT, 1), rng, "W1").run()
                    else:
                        proof = forge(false, "c_delta", rng)
                found[verifier] += forged.accepted() if kind == "meal" else false.accepted(proof)
    assert found["real"] == 0
    # 15 expected; 0 or more than 40 once in ten million runs.
    assert 0 < found["weak"] <= 40
    outcome.rejected(tries, f"a challenge of {bits} bits is guessed about once in {2**bits}")

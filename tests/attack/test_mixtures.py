"""Proofs made of parts of good ones, and forgeries before both engines (protocol 6, 8)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from crypto import group, meal, shuffle
from crypto.group import encode_scalar
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import BALANCED, SHORT, TWICE, Forged, Forger, choices, kitchen
from tests.attack.shuffle_forger import CERTIFIED, PLACES, Deck, deck, doubled, forge, prove
from tests.attack.weak import leaving_out
from tests.crypto.crypto_kit import POINT, SCALAR

ORDERED = [2, 0, 5, 1, 4, 3]


@pytest.fixture(scope="module")
def own() -> Deck:
    return deck(CERTIFIED, [CERTIFIED[j] for j in ORDERED])


def honest(own: Deck, seed: int) -> bytes:
    """A proof of the deck in this order, other masks for every seed."""
    rng = random.Random(seed)
    return prove(own, [j + 1 for j in ORDERED], lambda work: [work.y_powers[j] for j in ORDERED], rng)


def pieces(proof: bytes, points: int) -> list[bytes]:
    """The fields of a proof with so many points."""
    end = POINT * points
    return [proof[i : i + POINT] for i in range(0, end, POINT)] + [
        proof[i : i + SCALAR] for i in range(end, len(proof), SCALAR)
    ]


def mixtures(one: Sequence[bytes], other: Sequence[bytes], rng: random.Random, count: int) -> list[bytes]:
    """Each field of `one` exchanged for `other`'s, each run up to a field, and random halves."""
    every = range(len(one))
    chosen = [{i} for i in every] + [set(range(i)) for i in every if i > 1]
    chosen += [{i for i in every if rng.random() < 0.5} for _ in range(count)]
    return [b"".join(other[i] if i in taken else one[i] for i in every) for taken in chosen]


@attack("fields of two good proofs of one shuffle, mixed", "protocol 6", knows="many proofs of it")
def test_mixed_shuffles(own: Deck, outcome: Outcome) -> None:
    one, other = honest(own, 1), honest(own, 2)
    assert own.accepted(one)
    assert own.accepted(other)
    mixed = mixtures(pieces(one, 7), pieces(other, 7), random.Random(3), 30)
    assert not any(own.accepted(proof) for proof in mixed)
    outcome.rejected(len(mixed))


@attack("fields of two good proofs of one meal, mixed", "protocol 8", knows="many proofs of it")
def test_mixed_meals(outcome: Outcome) -> None:
    here = kitchen(2)
    one, other = (Forger(here, choices(BALANCED, 2), random.Random(seed)).run() for seed in (1, 2))
    assert one.accepted()
    assert other.accepted()
    fields = [[forged.seal, *pieces(forged.proof, 5)] for forged in (one, other)]
    mixed = mixtures(*fields, random.Random(4), 30)
    assert not any(here.accepted(data[:POINT], data[POINT:]) for data in mixed)
    outcome.rejected(len(mixed))


@attack("a good match deck in another order, its proof turned to fit", "protocol 6")
def test_a_reordered_match_deck(own: Deck, outcome: Outcome) -> None:
    proof, n, tries = honest(own, 1), len(own.cards), 0
    fields = pieces(proof, 7)
    for i in range(n - 1):
        # f_i and f_{i+1} go with their positions, so S2 would hold; c2 and c_d would have to follow.
        turned = list(fields)
        for start in (7, 7 + n + 2):
            turned[start + i], turned[start + i + 1] = turned[start + i + 1], turned[start + i]
        order = [*range(i), i + 1, i, *range(i + 2, n)]
        positions = [own.positions[j] for j in order]
        for data in (proof, b"".join(turned)):
            with pytest.raises(shuffle.ProofError):
                shuffle.verify(own.ctx, own.cards, positions, data)
            tries += 1
    outcome.rejected(tries)


@attack("a good proof, every answer multiplied or moved alike", "protocol 6, 8")
def test_answers_scaled_and_moved(own: Deck, outcome: Outcome) -> None:
    here, tries = kitchen(1), 0
    sealed = Forger(here, choices(BALANCED, 1), random.Random(1)).run()
    proof = honest(own, 1)
    for change in (lambda v: 2 * v, lambda v: -v, lambda v: v + 1, lambda v: 0 * v):
        for data, points in ((sealed.proof, 4), (proof, 7)):
            fields = pieces(data, points)
            moved = [encode_scalar(change(int.from_bytes(value, "big"))) for value in fields[points:]]
            changed = b"".join([*fields[:points], *moved])
            taken = own.accepted(changed) if points == 7 else here.accepted(sealed.seal, changed)
            assert not taken
            tries += 1
    outcome.rejected(tries)


# --- The reference engine judges alike ---


@attack("forged decks and meals before the reference engine", "protocol 1, 6, 8")
@pytest.mark.parametrize("free", ["c1", "E", "A", "Q"])
def test_the_reference_engine_judges_alike(free: str, outcome: Outcome) -> None:
    rng = random.Random(free)
    if free in PLACES:
        false = doubled()
        with leaving_out(*PLACES[free]):
            proof = forge(false, free, rng)
            with group.use("py_ecc"):
                assert false.accepted(proof)
        with group.use("py_ecc"), pytest.raises(shuffle.ProofError):
            shuffle.verify(false.ctx, false.cards, false.positions, proof)
    else:
        here = kitchen(1)
        with leaving_out("meal", {"A": 1, "Q": 2}[free]):
            kind, seal = (BALANCED, SHORT) if free == "A" else (TWICE, "")
            forged: Forged = Forger(here, choices(kind, 1), rng, free, seal=seal).run()
            with group.use("py_ecc"):
                assert forged.accepted()
        with group.use("py_ecc"), pytest.raises(meal.ProofError):
            meal.verify(here.ctx, here.hand, 1, forged.seal, forged.proof)
    outcome.rejected(1, "and taken by it where the challenge leaves the message out")

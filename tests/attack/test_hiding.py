"""A seal and a shuffle tell nothing to somebody who takes discrete logarithms (protocol, property 2; 6, 8).

With generators of known logarithms one can work out, for a proof made from one witness, the masks with
which another witness would have given the very same bytes. The map from masks to masks is one to one, so
under uniform masks each witness gives each proof equally often, whatever anyone can compute.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

from crypto import group, meal, shuffle
from crypto.group import ORDER, card_point
from crypto.transcript import to_scalar, tuple_hash
from tests.attack.algebra import Vector, scalars
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import Kitchen
from tests.attack.spying import MealGuess, MealView, Order, ShuffleGuess, ShuffleView, see_meal, see_shuffle
from tests.crypto.crypto_kit import OIL, RICE, SALT, SHUFFLE_PLACE, TOAST, meal_context, vector

KNOWS = "all discrete logarithms, both witnesses"


def log(name: str) -> int:
    """The logarithm to the base H of the generator called `name`, while `logarithms` lasts."""
    return to_scalar(tuple_hash("logarithm", name.encode()))


def weighed(values: Vector, kind: str = "slot") -> int:
    """The logarithm of sum_i values_i G_i, or of sum_k values_k A_k."""
    names = group.VECTOR if kind == "card" else range(len(values))
    return sum(value * log(f"{kind}/{name}") for value, name in zip(values, names, strict=True)) % ORDER


class Known(type(group.prover())):  # type: ignore[misc]
    """An engine whose generators are all known multiples of H; nobody knows one of the real ones.

    An engine of its own, since tables of generators are remembered for each engine.
    """

    name = "known"

    def hash_to_curve(self, message: bytes, dst: bytes) -> group.Point:
        """H for "blind", as ever, and log(name) * H for any other name."""
        base = super().hash_to_curve(b"blind", dst)
        return base if message == b"blind" else self.mul(base, log(message.decode()))


@pytest.fixture(autouse=True)
def logarithms(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test here checks and proves on that engine."""
    monkeypatch.setitem(vars(group)["_ENGINES"], Known.name, Known)
    with group.use(Known.name):
        yield


# --- Shuffles ---

N = 4
CARDS = [vector(1001 + j, j == 0, j - 1) for j in range(N)]


def the_same_shuffle(view: ShuffleView, of: Order, given: list[int], other: Order) -> list[int]:
    """The masks with which `other` gives the proof that was made of `of` and the masks `given`."""
    here, there = ShuffleGuess(view, of), ShuffleGuess(view, other)
    r1, r2, s_x = given[0], given[1], given[5 + 2 * N + 1]
    r1 += weighed(here.entries) - weighed(there.entries)
    r2 += weighed(here.p) - weighed(there.p)
    s_x += weighed(here.large) - weighed(there.large)
    r3, tau = view.z_f - view.x * r2, view.z_t + view.x * there.R
    r_d, s_1 = view.z_u - view.x * (view.lam * r1 + r2), view.z_s - view.x * s_x
    masks = [r1, r2, *there.alpha, r3, tau, *there.d, r_d, s_1, s_x, *there.delta[1:-1]]
    return [mask % ORDER for mask in masks]


@attack("the order of a deck, from its proof", "protocol 6", knows=KNOWS)
def test_every_order_could_have_given_the_same_proof(outcome: Outcome) -> None:
    rng = random.Random(11)
    s, t, given = scalars(rng, N), scalars(rng, N), scalars(rng, 3 * N + 5)
    cards = [card_point(a, blinding) for a, blinding in zip(CARDS, s, strict=True)]
    logs = [weighed(a, "card") + blinding for a, blinding in zip(CARDS, s, strict=True)]
    ctx, order = shuffle.context(**SHUFFLE_PLACE), [2, 0, 3, 1]
    positions = shuffle.positions(cards, order, t)
    proof = shuffle.prove(ctx, cards, positions, order, t, iter(given))
    shuffle.verify(ctx, cards, positions, proof)
    view = see_shuffle(ctx, cards, positions, proof)
    found = set()
    for other in permutations(range(N)):
        # K_i = D_j + t_i H for every card j, with t_i as it must be.
        blindings = [(logs[i] + r - logs[j]) % ORDER for r, i, j in zip(t, order, other, strict=True)]
        masks = the_same_shuffle(view, Order(order, t), given, Order(other, blindings))
        assert shuffle.prove(ctx, cards, positions, other, blindings, iter(masks)) == proof
        found.add(tuple(masks))
    # One set of masks for each order: the map is one to one.
    assert len(found) == 24
    outcome.no_advantage("each of the 24 orders gives the same bytes under other masks", 24)


# --- Meals ---

HAND = (RICE, TOAST, SALT, OIL)
CHOICES = ((1, 1, 0, 0), (0, 0, 0, 0), (2, 2, 1, 1), (2, 2, 0, 0))
"""Meals of that hand: the box of each card, 0 for the hand, 1 and 2 for the courses."""


def the_same_meal(view: MealView, of: meal.Witness, given: list[int], other: meal.Witness) -> list[int]:
    """The masks with which `other` gives the seal that was made of `of` and the masks `given`."""
    here, there = MealGuess(view, of), MealGuess(view, other)
    at = (len(view.rows) + 1) * len(view.f_g)
    r_B = given[at] + weighed(here.bits) - weighed(there.bits)
    r_Q = given[at + 2] + weighed(here.cross) - weighed(there.cross)
    r_A, r_S = view.z_A - view.x * r_B, view.z_Q - view.x * r_Q
    flat = [value for row in there.a for value in row]
    return [mask % ORDER for mask in (*flat, *there.e, r_B, r_A, r_Q, r_S, *there.t, *there.u)]


@attack("a meal, from its seal and proof", "protocol 8", knows=KNOWS)
def test_every_meal_could_have_given_the_same_seal(outcome: Outcome) -> None:
    rng, C = random.Random(12), 2
    r = scalars(rng, len(HAND))
    hand = [card_point(a, blinding) for a, blinding in zip(HAND, r, strict=True)]
    own = Kitchen(meal_context(C, len(HAND)), C, HAND, r, hand)
    given = scalars(rng, len(HAND) * C + C + 4 + 2 * C)
    truth = meal.witness(HAND, r, CHOICES[0], C)
    sealed = meal.prove(own.ctx, hand, HAND, r, CHOICES[0], C, iter(given))
    meal.verify(own.ctx, hand, C, sealed.seal, sealed.proof)
    view, found = see_meal(own, sealed.seal, sealed.proof), set()
    # Any legal choice from any cards: here the real ones, and four that the chef does not hold.
    for cards in (HAND, (OIL, SALT, TOAST, RICE)):
        moved = [weighed(a, "card") - weighed(c, "card") for a, c in zip(HAND, cards, strict=True)]
        blindings = [(b + by) % ORDER for b, by in zip(r, moved, strict=True)]
        assert [card_point(a, b) for a, b in zip(cards, blindings, strict=True)] == hand
        for choice in CHOICES:
            boxes = choice if cards is HAND else choice[::-1]
            masks = the_same_meal(view, truth, given, meal.witness(cards, blindings, boxes, C))
            again = meal.prove(own.ctx, hand, cards, blindings, boxes, C, iter(masks))
            assert (again.seal, again.proof) == (sealed.seal, sealed.proof)
            found.add(tuple(masks))
    # One set of masks for each witness; that of serving nothing is the same for both hands.
    assert len(found) == 2 * len(CHOICES) - 1
    outcome.no_advantage("8 meals from two hands give the same bytes under other masks", 2 * len(CHOICES))

"""Masks used twice give the witness away; with a broken random source no mask is (protocol 12)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pytest

from crypto import meal, shuffle
from crypto.encoding import canonical
from crypto.group import ORDER, card_point
from crypto.secret import Masks
from tests.attack.algebra import com, scalars
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import Kitchen, kitchen, slots
from tests.attack.spying import MealView, ShuffleView, see_meal, see_shuffle
from tests.attack.weak import answering
from tests.crypto.crypto_kit import SHUFFLE_PLACE
from vectors.example import NO_FRESH

W = bytes([9]) * 32
FROZEN = NO_FRESH
"""The bytes that a broken random source gives every time."""
SERVES, KEEPS = (1, 1, 0, 0, 0), (0, 0, 0, 0, 0)
"""Two meals: the box of each of five cards, 0 for the hand, 1 for the course."""
ORDERED = [3, 0, 4, 1, 2]
"""An order of a deck: the certified card at each of five positions."""
TWO_ANSWERS = "two answers to one set of first messages"


def seal(own: Kitchen, boxes: Sequence[int], masks: Masks) -> meal.SealedMeal:
    return meal.prove(own.ctx, own.hand, own.vectors, own.blindings, boxes, own.courses, masks)


def choice(boxes: Sequence[int]) -> bytes:
    return canonical(list(boxes))


@dataclass(frozen=True)
class Deck:
    """A shuffle statement with its witness."""

    ctx: bytes
    cards: Sequence[bytes]
    t: Sequence[int]
    positions: Sequence[bytes]

    def prove(self, masks: Masks) -> ShuffleView:
        """Return what is seen of a proof with these masks."""
        proof = shuffle.prove(self.ctx, self.cards, self.positions, ORDERED, self.t, masks)
        return see_shuffle(self.ctx, self.cards, self.positions, proof)


@pytest.fixture(scope="module")
def deck() -> Deck:
    rng, n = random.Random(31), len(ORDERED)
    s, t = scalars(rng, n), scalars(rng, n)
    cards = [card_point([1001 + j, 0, 1, 0, 0, 0, 0], blinding) for j, blinding in enumerate(s)]
    return Deck(shuffle.context(**SHUFFLE_PLACE), cards, t, shuffle.positions(cards, ORDERED, t))


# --- What two answers to one set of first messages give away ---


def share(one: Sequence[int], other: Sequence[int], by: int) -> list[int]:
    """(one - other) / by, entry by entry: what the challenge was multiplied with."""
    inverse = pow(by, -1, ORDER)
    return [(a - b) * inverse % ORDER for a, b in zip(one, other, strict=True)]


@attack("a meal, extracted from two answers under the same masks", "protocol 8, 12", knows=TWO_ANSWERS)
def test_two_answers_of_a_meal_give_its_whole_witness(outcome: Outcome) -> None:
    own, views = kitchen(2), []
    for x in (5, 7_000_000_007):
        with answering({"x": x}):
            sealed = seal(own, SERVES, Masks(W, own.ctx, choice(SERVES), FROZEN))
            meal.verify(own.ctx, own.hand, own.courses, sealed.seal, sealed.proof)
            views.append(see_meal(own, sealed.seal, sealed.proof))
    one, other = views
    assert one.points == other.points
    by = one.x - other.x
    found = meal.Witness(
        [share(*rows, by) for rows in zip(one.rows, other.rows, strict=True)],
        share(one.f_g, other.f_g, by),
        share(one.n, other.n, by),
        share(one.k, other.k, by),
    )
    assert found == replace(
        meal.witness(own.vectors, own.blindings, SERVES, own.courses), blindings=found.blindings
    )
    (r_B,) = share([one.z_A], [other.z_A], by)
    # It is a witness, and it opens the seal: who can answer twice knows a legal meal that the seal holds.
    assert com(slots(found.bits, 1, found.recipes), r_B) == sealed.seal
    assert meal.opens_seal(sealed.seal, SERVES, found.recipes, own.courses, r_B)
    rebuilt = meal.prove_unchecked(own.ctx, own.hand, found, own.courses, Masks(bytes(32), b"", b"", FROZEN))
    meal.verify(own.ctx, own.hand, own.courses, rebuilt.seal, rebuilt.proof)
    outcome.argued(
        "two answers are the whole witness, shown; no prover gives two, see the rows of section 12"
    )


@attack("a permutation, extracted from two answers under the same masks", "protocol 6, 12", knows=TWO_ANSWERS)
def test_two_answers_of_a_shuffle_give_its_permutation(deck: Deck, outcome: Outcome) -> None:
    views = []
    for x in (5, 7_000_000_007):
        with answering({"x": x}):
            views.append(deck.prove(Masks(W, deck.ctx, b"", FROZEN)))
    one, other = views
    assert one.points == other.points
    by, powers = one.x - other.x, [pow(one.y, j, ORDER) for j in range(1, len(ORDERED) + 1)]
    p = share(one.f, other.f, by)
    assert [powers.index(power) for power in p] == ORDERED
    (r2, r, R) = share([one.z_f, one.z_u, -one.z_t], [other.z_f, other.z_u, -other.z_t], by)
    r1 = (r - r2) * pow(one.lam, -1, ORDER) % ORDER
    assert com([j + 1 for j in ORDERED], r1) == one.points["c1"]
    assert com(p, r2) == one.points["c2"]
    assert sum(power * t for power, t in zip(p, deck.t, strict=True)) % ORDER == R
    # u_i and the b_i come out alike; n such pairs, each with another y, would give every t_i too.
    u = share(one.u, other.u, by)
    assert u == [(one.lam * (j + 1) + power - one.z) % ORDER for j, power in zip(ORDERED, p, strict=True)]
    outcome.argued("two answers are permutation, r1, r2 and R, shown; no prover gives two")


# --- A broken random source ---


def orders_told(one: ShuffleView, other: ShuffleView) -> list[int] | None:
    """The permutation, if the alpha_i of two proofs are the same: f_i - f'_i = x y^e - x' y'^e for one e."""
    n, found = len(one.f), []
    for f, g in zip(one.f, other.f, strict=True):
        fits = [
            e
            for e in range(1, n + 1)
            if (f - g - one.x * pow(one.y, e, ORDER) + other.x * pow(other.y, e, ORDER)) % ORDER == 0
        ]
        if len(fits) != 1:
            return None
        found.append(fits[0] - 1)
    return found


def meals_told(one: MealView, other: MealView) -> tuple[list[int], list[int]] | None:
    """The bits of both meals, if their masks are the same: f - f' = x b - x' b' for one pair of bits."""
    bits: tuple[list[int], list[int]] = [], []
    for rows in zip(one.rows, other.rows, strict=True):
        for f, g in zip(*rows, strict=True):
            pairs = [(b, c) for b in (0, 1) for c in (0, 1) if (f - g - one.x * b + other.x * c) % ORDER == 0]
            if len(pairs) != 1:
                return None
            bits[0].append(pairs[0][0])
            bits[1].append(pairs[0][1])
    return bits


def flat(boxes: Sequence[int], courses: int) -> list[int]:
    return [int(box == c) for box in boxes for c in range(1, courses + 1)]


BROKEN = "fresh is the same every time"


@attack("two seals of one chef whose random source stands still", "protocol 12", knows=BROKEN)
@pytest.mark.parametrize("bound", ["ctx", "witness"])
def test_a_still_source_and_two_seals(bound: str, outcome: Outcome) -> None:
    """Another step with the same meal, or the same step with another: the masks depend on both."""
    here = kitchen(2)
    there = kitchen(2, step=12) if bound == "ctx" else here
    boxes = (SERVES, SERVES if bound == "ctx" else KEEPS)

    def views(weak: bool) -> list[MealView]:
        seen = []
        for own, served in zip((here, there), boxes, strict=True):
            ctx = b"" if weak and bound == "ctx" else own.ctx
            note = b"" if weak and bound == "witness" else choice(served)
            sealed = seal(own, served, Masks(W, ctx, note, FROZEN))
            seen.append(see_meal(own, sealed.seal, sealed.proof))
        return seen

    assert meals_told(*views(weak=True)) == tuple(flat(served, 2) for served in boxes)
    assert meals_told(*views(weak=False)) is None
    outcome.rejected(1, "both meals are told where the masks depend on ctx or witness only, not on both")


@attack("two match decks of one chef whose random source stands still", "protocol 12", knows=BROKEN)
def test_a_still_source_and_two_decks(deck: Deck, outcome: Outcome) -> None:
    again = replace(deck, ctx=shuffle.context(**{**SHUFFLE_PLACE, "house_anchor": bytes(64)}))
    note = canonical(ORDERED)
    one, other = (own.prove(Masks(W, b"", note, FROZEN)) for own in (deck, again))
    assert orders_told(one, other) == ORDERED
    one, other = (own.prove(Masks(W, own.ctx, note, FROZEN)) for own in (deck, again))
    assert orders_told(one, other) is None
    assert not {*one.points.values()} & {*other.points.values()}
    outcome.rejected(1, "the order is told where the masks do not depend on ctx")


@attack("the same statement proven again by a still random source", "protocol 12", knows=BROKEN)
def test_a_repeated_message_says_nothing_new(deck: Deck, outcome: Outcome) -> None:
    own = kitchen(2)
    sealed = [seal(own, SERVES, Masks(W, own.ctx, choice(SERVES), FROZEN)) for _ in range(3)]
    assert len({(one.seal, one.proof) for one in sealed}) == 1
    assert deck.prove(Masks(W, deck.ctx, b"", FROZEN)) == deck.prove(Masks(W, deck.ctx, b"", FROZEN))
    # Where the source works, a repetition has other masks, every one of them.
    other = seal(own, SERVES, Masks(W, own.ctx, choice(SERVES), bytes([1]) * 32))
    views = [see_meal(own, one.seal, one.proof) for one in (sealed[0], other)]
    assert meals_told(*views) is None
    assert not {*views[0].points.values()} & {*views[1].points.values()}
    outcome.rejected(4, "byte for byte the same, so there is no second answer")


@attack("the same mask in two places", "protocol 12", knows=BROKEN)
def test_no_mask_ever_comes_twice(outcome: Outcome) -> None:
    own, count = kitchen(2), 40
    base = {"w": W, "ctx": own.ctx, "witness": choice(SERVES), "fresh": FROZEN}
    # Fields that differ in one bit, and bytes moved from one field to its neighbour.
    others = [
        base,
        *({**base, name: bytes([value[0] ^ 1]) + value[1:]} for name, value in base.items()),
        {**base, "ctx": own.ctx + choice(SERVES)[:1], "witness": choice(SERVES)[1:]},
        {**base, "ctx": own.ctx[:-1], "witness": own.ctx[-1:] + choice(SERVES)},
        {**base, "witness": choice(KEEPS)},
        {**base, "ctx": kitchen(2, step=12).ctx},
        {**base, "ctx": kitchen(2, game=bytes(16)).ctx},
    ]
    masks = [Masks(**fields).take(count) for fields in others]
    assert len({mask for own_masks in masks for mask in own_masks}) == count * len(others)
    pairs = list(combinations(masks, 2))
    assert all(not {*one} & {*other} for one, other in pairs)
    outcome.rejected(len(pairs), f"{count * len(others)} masks, all different")

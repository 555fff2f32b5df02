"""Seals and proofs sent again: elsewhere, by another, shifted, negated (protocol 6, 8, 14)."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from crypto import meal, shuffle
from crypto.encoding import EncodingError
from crypto.group import ORDER, card_point, encode_scalar
from crypto.transcript import Transcript
from tests.attack.algebra import axis, blind, com, scalars, slot, solved, total
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import BALANCED, Forged, Forger, Kitchen, choices, kitchen, slots
from tests.attack.weak import leaving_out, without_context
from tests.crypto.crypto_kit import MEAL_PLACE, POINT, SCALAR, SHUFFLE_PLACE, masks, shuffled

MEAL_FIELDS = ("game", "step", "seat", "key", "set_digest", "match_deck")
OTHER_MEALS = {
    "game": bytes(16),
    "step": 12,
    "seat": 1,
    "key": bytes(32),
    "set_digest": b"\x01" * 64,
    "match_deck": b"\x02" * 64,
}
SHUFFLE_FIELDS = ("game", "seat", "key", "certificate_digest", "house_anchor", "anchor")
OTHER_SHUFFLES = {
    "game": bytes(16),
    "seat": 1,
    "key": bytes(32),
    "certificate_digest": b"\x01" * 64,
    "house_anchor": b"\x04" * 64,
    "anchor": b"\x05" * 64,
}


def sealed(own: Kitchen, seed: int = 1) -> Forged:
    """An honest seal, whose opening the attackers here do not use unless it is said."""
    found = Forger(own, choices(BALANCED, own.courses), random.Random(seed)).run()
    assert found.accepted()
    return found


@pytest.fixture(scope="module")
def theirs() -> Forged:
    return sealed(kitchen(1))


# --- Another place ---


@attack(
    "a seal of another game, step, seat, key, card set or match deck", "protocol 8", knows="its opening too"
)
@pytest.mark.parametrize("place", range(len(MEAL_FIELDS)), ids=MEAL_FIELDS)
def test_a_seal_in_another_place(place: int, outcome: Outcome) -> None:
    name = MEAL_FIELDS[place]
    other = {name: OTHER_MEALS[name]}
    with without_context(meal, place):
        here = sealed(kitchen(1))
        assert replace(here, own=kitchen(1, **other)).accepted()
    here, there = sealed(kitchen(1)), kitchen(1, **other)
    assert not replace(here, own=there).accepted()
    # With the seal unchanged and a new proof it is a seal of its own: who knows the opening may do that.
    outcome.rejected(1, "all 6 are taken where ctx leaves the field out")


@attack("a match deck's proof of another game, seat, key, certificate or chain", "protocol 6")
@pytest.mark.parametrize("place", range(len(SHUFFLE_FIELDS)), ids=SHUFFLE_FIELDS)
def test_a_match_deck_in_another_place(place: int, outcome: Outcome) -> None:
    n, rng = 4, random.Random(2)
    cards = [card_point([1001 + j, 0, 1, 0, 0, 0, 0], s) for j, s in enumerate(scalars(rng, n))]
    order, t = [2, 0, 3, 1], scalars(rng, n)
    decks = shuffle.positions(cards, order, t)
    other = {**SHUFFLE_PLACE, SHUFFLE_FIELDS[place]: OTHER_SHUFFLES[SHUFFLE_FIELDS[place]]}

    def proof() -> bytes:
        ctx = shuffle.context(**SHUFFLE_PLACE)
        return shuffle.prove(ctx, cards, decks, order, t, masks(ctx))

    with without_context(shuffle, place):
        shuffle.verify(shuffle.context(**other), cards, decks, proof())
    with pytest.raises(shuffle.ProofError):
        shuffle.verify(shuffle.context(**other), cards, decks, proof())
    outcome.rejected(1, "all 6 are taken where ctx leaves the field out")


@attack("a seal on one of two positions with the same point, sent for the other", "protocol 8")
def test_a_seal_on_twins(outcome: Outcome) -> None:
    # Two copies of a card whose blindings the chef has made equal: K_3 = K_7, so the points tell nothing.
    rice, toast = card_point([1002, 0, 1, 0, 0, 0, 0], 5), card_point([1101, 1, -1, 0, 0, 0, 0], 6)
    vectors, hand = [[1002, 0, 1, 0, 0, 0, 0], [1101, 1, -1, 0, 0, 0, 0]], [rice, toast]

    def seal_at(positions: list[int]) -> Forged:
        ctx = meal.context(courses=1, **{**MEAL_PLACE, "hand": positions})
        own = Kitchen(ctx, 1, vectors, [5, 6], hand)
        return Forger(own, [[1], [1]], random.Random(3)).run()

    with without_context(meal, 7):
        here, there = seal_at([3, 9]), seal_at([7, 9])
        assert replace(here, own=there.own).accepted()
    here, there = seal_at([3, 9]), seal_at([7, 9])
    assert here.accepted()
    assert not replace(here, own=there.own).accepted()
    outcome.rejected(1, "taken where ctx leaves the position out")


@attack("a seal of three courses in a final round, and of one in another", "protocol 8", knows="its opening")
def test_a_seal_of_other_courses(outcome: Outcome) -> None:
    tries = 0
    for own, other in ((kitchen(3), kitchen(1)), (kitchen(1), kitchen(3))):
        here = sealed(own)
        assert len(here.proof) != len(sealed(other).proof)
        for ctx in (own.ctx, other.ctx):
            with pytest.raises(EncodingError):
                meal.verify(ctx, other.hand, other.courses, here.seal, here.proof)
            tries += 1
        # The fields that both have, cut or filled up to the other's length.
        length = len(sealed(other).proof)
        for data in (here.proof[:length], here.proof[:length].ljust(length, b"\x01")):
            if len(data) == length:
                with pytest.raises((EncodingError, meal.ProofError)):
                    meal.verify(other.ctx, other.hand, other.courses, here.seal, data)
                tries += 1
    outcome.rejected(tries, "a proof's length tells C for a given hand, and ctx binds it once more")


@attack("a proof of the one kind as one of the other", "protocol 2, 6, 8")
def test_a_proof_of_the_other_kind(theirs: Forged, outcome: Outcome) -> None:
    other = shuffled(5)
    with pytest.raises(EncodingError):
        meal.verify(theirs.own.ctx, theirs.own.hand, theirs.own.courses, theirs.seal, other.proof)
    with pytest.raises(EncodingError):
        shuffle.verify(other.ctx, other.cards, other.positions, theirs.proof)
    # For every hand and number of courses that a meal may have.
    lengths = {48 * (3 + C) + 32 * (m * C + 3 * C + 2) for C in (1, 3) for m in range(41)}
    assert 4240 not in lengths
    outcome.rejected(2, "no meal's proof has a match deck's length, and their transcripts begin apart")


# --- The opponent's seal ---


@dataclass(frozen=True)
class Copied:
    """A copy of an opponent's seal, as the copier would send it."""

    seal: bytes
    proof: bytes


def fields(forged: Forged) -> tuple[list[bytes], list[int]]:
    """The points A Q S W.. and the scalars of a proof."""
    end = POINT * (3 + forged.own.courses)
    data = forged.proof
    return (
        [data[i : i + POINT] for i in range(0, end, POINT)],
        [int.from_bytes(data[i : i + SCALAR], "big") for i in range(end, len(data), SCALAR)],
    )


def written(points: list[bytes], values: list[int]) -> bytes:
    return b"".join([*points, *map(encode_scalar, values)])


def challenge(ctx: bytes, hand: object, seal: bytes, points: list[bytes]) -> int:
    talk = Transcript("meal", ctx)
    talk.absorb("hand", *hand)  # type: ignore[misc]
    talk.absorb("meal", seal, *points)
    return talk.challenge("x")


def shifted_blinding(theirs: Forged, ctx: bytes, by: int) -> Copied:
    """B + by H. M1 then asks for z_A + x by, which the copier can give; no other equation knows r_B."""
    points, values = fields(theirs)
    seal = total((1, theirs.seal), (by, blind()))
    x = challenge(ctx, theirs.own.hand, seal, points)
    at = (len(theirs.own.hand) + 1) * theirs.own.courses
    values[at] += x * by
    return Copied(seal, written(points, values))


def shifted_slot(theirs: Forged, ctx: bytes, i: int) -> Copied:
    """B + G_i for the slot of card j in course 1, f mended by x: M2 and M3 would need the bit's mask."""
    points, values = fields(theirs)
    seal = total((1, theirs.seal), (1, slot(2 * i + 1)), (-1, slot(2 * i)))
    values[i] += challenge(ctx, theirs.own.hand, seal, points)
    return Copied(seal, written(points, values))


def shifted_card(theirs: Forged, ctx: bytes, k: int) -> Copied:
    """B + A_k: a point that no slot stands for."""
    return Copied(total((1, theirs.seal), (1, axis(k))), theirs.proof)


def negated(theirs: Forged, ctx: bytes, _: int) -> Copied:
    """-B, with A, W and every answer negated: M1 and M3 hold, were x the same; M2 does not."""
    points, values = fields(theirs)
    signs = [-1, 1, 1, *([-1] * theirs.own.courses)]
    turned = [total((sign, point)) for sign, point in zip(signs, points, strict=True)]
    return Copied(total((-1, theirs.seal)), written(turned, [-value for value in values]))


def kept_first_messages(theirs: Forged, ctx: bytes, _: int) -> Copied:
    """The same seal under another context, A and S mended for the new challenge as M1 and M2 ask."""
    points, values = fields(theirs)
    own, C = theirs.own, theirs.own.courses
    m = len(own.hand)
    x = challenge(ctx, own.hand, theirs.seal, points)
    z_A, z_Q = values[m * C + C : m * C + C + 2]
    f = slots([values[j * C : j * C + C] for j in range(m)], x, values[m * C : m * C + C])
    points[0] = solved([(x, theirs.seal), (-1, com(f, z_A))], 1)
    points[2] = solved([(x, points[1]), (-1, com([value * (x - value) for value in f], z_Q))], 1)
    return Copied(theirs.seal, written(points, values))


Trick = Callable[[Forged, bytes, int], Copied]
TRICKS: dict[str, tuple[Trick, range | tuple[int, ...]]] = {
    "B + d H, the proof mended": (shifted_blinding, (1, ORDER - 1, 12345, 2**128)),
    "B with a bit turned, the proof mended": (shifted_slot, range(5)),
    "B + A_k": (shifted_card, range(7)),
    "-B, the proof negated": (negated, range(1)),
    "B as it is, A and S mended": (kept_first_messages, range(1)),
}


@attack(
    "the opponent's seal sent back, as it is, shifted or negated",
    "protocol 8",
    knows="the seal and its proof",
)
@pytest.mark.parametrize("name", TRICKS)
def test_the_opponent_s_seal_sent_back(theirs: Forged, name: str, outcome: Outcome) -> None:
    trick, sizes = TRICKS[name]
    mine = kitchen(1, seat=1, key=bytes(32))
    tries = 0
    # Where it was sent from, only what was changed is a copy at all.
    for ctx in (mine.ctx,) if trick is kept_first_messages else (mine.ctx, theirs.own.ctx):
        for size in sizes:
            copied = trick(theirs, ctx, size)
            assert not replace(theirs.own, ctx=ctx).accepted(copied.seal, copied.proof)
            tries += 1
    assert not mine.accepted(theirs.seal, theirs.proof)
    outcome.rejected(tries + 1, "B + d H is taken where the challenge leaves B out")


@attack(
    "the opponent's seal sent back, as it is, shifted or negated",
    "protocol 8",
    knows="the seal and its proof",
)
def test_a_shifted_seal_is_taken_where_the_seal_is_not_bound(theirs: Forged, outcome: Outcome) -> None:
    with leaving_out("meal", 0):
        bound = sealed(kitchen(1))
        copied = shifted_blinding(bound, bound.own.ctx, 77)
        assert copied.seal != bound.seal
        assert bound.own.accepted(copied.seal, copied.proof)
    assert not bound.own.accepted(copied.seal, copied.proof)
    outcome.rejected(1, "B + d H is taken where the challenge leaves B out")

"""The sealed meal (protocol sections 8 and 9), and every forgery of it that section 14 names."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crypto import group, meal
from crypto.encoding import EncodingError, i2osp
from crypto.engines import ORDER, Engine
from crypto.group import encode_scalar
from crypto.meal import Witness
from crypto.transcript import ProofError, Transcript
from crypto.verifier import check
from tests.crypto.crypto_kit import (
    BOXES,
    HAND,
    MEAL_PLACE,
    OIL,
    POINT,
    RICE,
    SALT,
    SCALAR,
    SUSHI,
    TOAST,
    TUNA,
    Meal,
    bad_points,
    big_meal,
    blinding,
    cook,
    forge,
    hand_points,
    masks,
    meal_context,
    page_meal,
    replace_number,
    small_meal,
    th,
    vector,
)

REFUSED = (ProofError, EncodingError)


def put(data: bytes, start: int, piece: bytes) -> bytes:
    return data[:start] + piece + data[start + len(piece) :]


def field_starts(sealed: Meal) -> list[tuple[int, int]]:
    """(start, length) of every field of a meal proof."""
    end = (3 + sealed.courses) * POINT
    points = [(start, POINT) for start in range(0, end, POINT)]
    return points + [(start, SCALAR) for start in range(end, len(sealed.proof), SCALAR)]


def refused(forged: Meal) -> None:
    with pytest.raises(REFUSED):
        forged.verify()


def fits_the_page(sealed: Meal) -> bool:
    return all(page_meal(sealed.ctx, sealed.hand, sealed.courses, sealed.seal, sealed.proof))


# --- What it must prove ---


@st.composite
def legal_meals(draw: st.DrawFn) -> tuple[list[tuple[int, ...]], list[int], int]:
    """Hands with dishes whose costs are met exactly, and cards that stay in hand."""
    courses = draw(st.integers(1, 3))
    vectors, boxes = [], []
    for course in draw(st.sets(st.integers(1, courses))):
        units = draw(st.lists(st.integers(-2, 3), min_size=5, max_size=5))
        split = draw(st.lists(st.integers(-2, 3), min_size=5, max_size=5))
        rest = [u - s for u, s in zip(units, split, strict=True)]
        dish = [(1, *(-u for u in units)), (0, *split), (0, *rest)]
        vectors += dish
        boxes += [course] * 3
    for card in draw(st.lists(st.sampled_from(HAND), max_size=3)):
        vectors.append(card[1:])
        boxes.append(0)
    order = draw(st.permutations(range(len(boxes))))
    numbered = [(draw(st.integers(1, 2**32 - 1)), *vectors[i]) for i in order]
    return numbered, [boxes[i] for i in order], courses


Legal = tuple[list[tuple[int, ...]], list[int], int]
ONE_ENGINE = [HealthCheck.function_scoped_fixture]
"""The fixture only names the engine; it may stay the same for all examples."""


def prove_and_open(legal: Legal) -> None:
    vectors, boxes, courses = legal
    sealed = cook(vectors, boxes, courses)
    sealed.verify()
    cards = list(zip(vectors, boxes, strict=True))
    recipes = [sum(a[1] for a, box in cards if box == c) for c in range(1, courses + 1)]
    assert meal.opens_seal(sealed.seal, boxes, recipes, courses, sealed.blinding)


@settings(max_examples=25, deadline=None, suppress_health_check=ONE_ENGINE)
@given(legal_meals())
def test_every_legal_meal_is_proven(fast: Engine, legal: Legal) -> None:
    prove_and_open(legal)


@settings(max_examples=3, deadline=None, suppress_health_check=ONE_ENGINE)
@given(legal_meals())
def test_every_legal_meal_is_proven_on_both_engines(curve: Engine, legal: Legal) -> None:
    prove_and_open(legal)


@pytest.mark.parametrize(
    ("vectors", "boxes", "courses"),
    [
        ([RICE, TOAST], (1, 1), 1),
        ([RICE, TOAST], (0, 0), 3),
        ([SALT, OIL], (1, 1), 1),  # no recipe and nothing left over: legal, serves nothing
        ([TOAST], (0,), 1),
        ([], (), 3),
        ([], (), 1),
        (HAND, BOXES, 2),
    ],
)
def test_small_meals_on_both_engines(
    curve: Engine, vectors: Sequence, boxes: Sequence[int], courses: int
) -> None:
    sealed = cook(vectors, boxes, courses)
    sealed.verify()
    assert fits_the_page(sealed)


def test_a_meal_of_24_cards_has_2944_bytes_and_fits_the_page(fast: Engine) -> None:
    sealed = big_meal()
    sealed.verify()
    assert len(sealed.proof) == 2944
    assert fits_the_page(sealed)


def test_a_full_hand_of_40_and_not_one_more(fast: Engine) -> None:
    vectors = [replace_number(RICE, 1 + j) for j in range(40)]
    cook(vectors, [0] * 40, 3).verify()
    with pytest.raises(ProofError, match="at most 40 cards"):
        cook([*vectors, TUNA], [0] * 41, 1).verify()


def test_the_verifier_reads_40_cards_and_not_one_more(fast: Engine) -> None:
    point = group.encode_point(group.H())
    for m in (40, 41):
        proof = point * 4 + bytes(SCALAR) * (m + 5)
        if m == 40:
            assert len(meal.equations(bytes(64), [point] * m, 1, point, proof)) == 3
        else:
            with pytest.raises(ProofError, match="at most 40 cards"):
                meal.equations(bytes(64), [point] * m, 1, point, proof)


def test_every_category_must_be_met_exactly() -> None:
    for k in range(5):
        for off in (1, -1):
            with pytest.raises(ProofError, match="the cost of course 1"):
                meal.witness([vector(7, False, *(0,) * k, off)], [1], [1], 1)


def test_no_course_is_no_meal(fast: Engine) -> None:
    hand, point = hand_points([RICE]), group.encode_point(group.H())
    for courses in (0, -1):
        proof = point * (3 + courses) + bytes(SCALAR) * (2 + 4 * courses)
        with pytest.raises(ProofError, match="at least one course"):
            meal.equations(bytes(64), hand, courses, point, proof)


def test_contexts_and_fingerprints_are_the_page_s() -> None:
    expected = th(
        "meal-context",
        MEAL_PLACE["game"],
        i2osp(11, 4),
        b"\x00",
        MEAL_PLACE["key"],
        MEAL_PLACE["set_digest"],
        MEAL_PLACE["match_deck"],
        b"\x03",
        b"\x02",
        b"\x27",
    )
    assert meal_context(3, 0, hand=[2, 39]) == expected
    assert meal.fingerprint(b"c", b"B", b"proof") == th("seal", b"c", b"B", b"proof", length=16)
    for hand in ([2, 2], [3, 2]):
        with pytest.raises(ValueError, match="ascend"):
            meal_context(3, 0, hand=hand)


def test_without_fresh_bytes_a_chef_is_deterministic(curve: Engine) -> None:
    assert cook([RICE, TOAST], (1, 1), 1) == small_meal()


def test_a_blinding_is_not_printed(fast: Engine) -> None:
    sealed = meal.SealedMeal(b"", b"", 12345)
    assert "12345" not in repr(sealed)


# --- An honest chef is told before sealing ---


@pytest.mark.parametrize(
    ("vectors", "boxes", "reason"),
    [
        ([TOAST, SUSHI, RICE], (1, 1, 1), "course 1 has two recipes"),
        ([TOAST], (1,), "cost of course 1"),
        ([RICE], (1,), "cost of course 1"),
        ([TOAST, RICE, TUNA], (2, 2, 2), "cost of course 2"),
    ],
)
def test_an_honest_chef_cannot_seal_it(vectors: list, boxes: tuple[int, ...], reason: str) -> None:
    with pytest.raises(ProofError, match=reason):
        cook(vectors, boxes, 2)


def test_an_honest_chef_s_lists_fit() -> None:
    r = [blinding(0)]
    for vectors, blindings, boxes in (
        ([RICE], r, (4,)),
        ([RICE], r, (-1,)),
        ([RICE], r, (0, 0)),
        ([RICE], [], (0,)),
    ):
        with pytest.raises(ValueError, match=r"boxes go|argument"):
            meal.witness(vectors, blindings, boxes, 3)
    with pytest.raises(ValueError, match="every card"):
        meal.prove(b"", [], [RICE], r, (0,), 3, masks(b""))


# --- Malformed or altered proofs ---


def test_a_flipped_bit_in_any_field_is_refused(fast: Engine) -> None:
    sealed = big_meal()
    for start, length in field_starts(sealed):
        at = start + random.Random(start).randrange(length)
        refused(sealed.but(proof=put(sealed.proof, at, bytes([sealed.proof[at] ^ 1 << at % 8]))))


def test_a_flipped_bit_is_refused_on_both_engines(curve: Engine) -> None:
    sealed = small_meal()
    for start, length in field_starts(sealed):
        last = start + length - 1
        refused(sealed.but(proof=put(sealed.proof, last, bytes([sealed.proof[last] ^ 1]))))


def test_a_flipped_bit_in_the_statement_is_refused(fast: Engine) -> None:
    sealed = big_meal()
    for at in range(POINT):
        refused(sealed.but(seal=put(sealed.seal, at, bytes([sealed.seal[at] ^ 1 << at % 8]))))
    for i, point in enumerate(sealed.hand):
        negated = bytes([point[0] ^ 0x20]) + point[1:]
        refused(sealed.but(hand=[*sealed.hand[:i], negated, *sealed.hand[i + 1 :]]))
    refused(sealed.but(ctx=bytes([sealed.ctx[0] ^ 1]) + sealed.ctx[1:]))


def every_scalar_plus_q(sealed: Meal) -> None:
    for start, length in field_starts(sealed):
        if length == SCALAR:
            value = int.from_bytes(sealed.proof[start : start + SCALAR], "big")
            with pytest.raises(EncodingError):
                sealed.but(proof=put(sealed.proof, start, i2osp(value + ORDER, SCALAR))).verify()


def test_a_scalar_of_q_or_more_is_refused(fast: Engine) -> None:
    every_scalar_plus_q(big_meal())


def test_a_scalar_of_q_or_more_is_refused_on_both_engines(curve: Engine) -> None:
    every_scalar_plus_q(small_meal())


def every_bad_point(sealed: Meal, places: range) -> None:
    for start in places:
        for piece in bad_points(sealed.proof[start : start + POINT]).values():
            with pytest.raises(EncodingError):
                sealed.but(proof=put(sealed.proof, start, piece)).verify()
    for piece in [*bad_points(sealed.seal).values(), sealed.seal[:-1], sealed.seal + b"\x00", b""]:
        with pytest.raises(EncodingError):
            sealed.but(seal=piece).verify()


def test_every_bad_point_in_every_place_is_refused(fast: Engine) -> None:
    sealed = big_meal()
    every_bad_point(sealed, range(0, 6 * POINT, POINT))
    for i, point in enumerate(sealed.hand):
        for piece in [*bad_points(point).values(), point[:-1], point + b"\x00", b""]:
            with pytest.raises(EncodingError):
                sealed.but(hand=[*sealed.hand[:i], piece, *sealed.hand[i + 1 :]]).verify()


def test_bad_points_are_refused_on_both_engines(curve: Engine) -> None:
    every_bad_point(small_meal(), range(0, POINT, POINT))


def test_other_lengths_are_refused(curve: Engine) -> None:
    sealed = small_meal()
    proof = sealed.proof
    for data in (b"", proof[:-1], proof[:-SCALAR], proof + b"\x00", proof + bytes(SCALAR), proof[POINT:]):
        with pytest.raises(EncodingError):
            sealed.but(proof=data).verify()
    for changed in (
        sealed.but(hand=sealed.hand[:1]),
        sealed.but(hand=[*sealed.hand, sealed.hand[0]]),
        sealed.but(courses=2),
        sealed.but(courses=3),
        sealed.but(courses=0),
    ):
        refused(changed)


# --- Seals of something else ---

OTHER_PLACES = {
    "game": bytes(16),
    "step": 12,
    "seat": 1,
    "key": bytes(32),
    "set_digest": b"\x01" * 64,
    "match_deck": b"\x02" * 64,
    "hand": [0, 2],
}


@pytest.mark.parametrize("field", OTHER_PLACES)
def test_a_seal_of_another_place_is_refused(curve: Engine, field: str) -> None:
    refused(small_meal().but(ctx=meal_context(1, 2, **{field: OTHER_PLACES[field]})))


def test_a_seal_of_other_cards_is_refused(curve: Engine) -> None:
    sealed = small_meal()
    refused(sealed.but(hand=sealed.hand[::-1]))
    refused(sealed.but(hand=hand_points([TUNA, TOAST])))


def challenge(sealed: Meal) -> int:
    talk, end = Transcript("meal", sealed.ctx), (3 + sealed.courses) * POINT
    points = [sealed.proof[i : i + POINT] for i in range(0, end, POINT)]
    talk.absorb("hand", *sealed.hand)
    talk.absorb("meal", sealed.seal, *points)
    return talk.challenge("x")


def shifted(sealed: Meal, ctx: bytes, by: int) -> Meal:
    """B + by H under `ctx`, with z_A mended as far as anyone can who does not know the opening."""
    curve = group.engine()
    seal = curve.encode(curve.add(group.decode_point(sealed.seal), curve.mul(group.H(), by)))
    forged = sealed.but(ctx=ctx, seal=seal)
    start = (3 + sealed.courses) * POINT + SCALAR * (len(sealed.hand) + 1) * sealed.courses
    z_A = int.from_bytes(sealed.proof[start : start + SCALAR], "big")
    return forged.but(proof=put(sealed.proof, start, encode_scalar(z_A + challenge(forged) * by)))


def test_the_opponent_s_seal_sent_back_is_refused(curve: Engine) -> None:
    sealed = small_meal()
    mine = meal_context(1, 2, seat=1, key=bytes(32))
    refused(sealed.but(ctx=mine))
    for ctx in (mine, sealed.ctx):
        for by in (1, ORDER - 1, 12345):
            with pytest.raises(ProofError):
                shifted(sealed, ctx, by).verify()


# --- Illegal meals, sealed by a chef who runs the algorithm all the same ---


def served(
    vectors: Sequence[Sequence[int]], boxes: Sequence[int], courses: int, recipes: list[int] | None = None
) -> Witness:
    """The sums of a choice without a look at its legality."""
    bits = [[int(box == c) for c in range(1, courses + 1)] for box in boxes]
    return weighed(vectors, bits, recipes)


def weighed(
    vectors: Sequence[Sequence[int]], bits: list[list[int]], recipes: list[int] | None = None
) -> Witness:
    """The sums of any weights of the cards in the courses."""

    def sums(values: list[int]) -> list[int]:
        return [sum(row[c] * v for row, v in zip(bits, values, strict=True)) for c in range(len(bits[0]))]

    return Witness(
        bits,
        sums([a[1] for a in vectors]) if recipes is None else recipes,
        sums([a[0] for a in vectors]),
        sums([blinding(j) for j in range(len(vectors))]),
    )


TWO_RICE = replace_number((0, 0, 2, 0, 0, 0, 0), 1005)
HALF = pow(2, -1, ORDER)

ILLEGAL = {
    "a cost short by one": ([TOAST], served([TOAST], (1,), 1)),
    "a cost short by one of two": ([SUSHI, RICE], served([SUSHI, RICE], (1, 1), 1)),
    "a surplus ingredient": ([TOAST, RICE, TUNA], served([TOAST, RICE, TUNA], (1, 1, 1), 1)),
    "a surplus unit": ([TOAST, TWO_RICE], served([TOAST, TWO_RICE], (1, 1), 1)),
    "two recipes in a course": (
        [TOAST, SUSHI, TWO_RICE, TUNA],
        served([TOAST, SUSHI, TWO_RICE, TUNA], (1, 1, 1, 1), 1),
    ),
    "two recipes in a course, one said": (
        [TOAST, SUSHI, TWO_RICE, TUNA],
        served([TOAST, SUSHI, TWO_RICE, TUNA], (1, 1, 1, 1), 1, recipes=[1]),
    ),
    "a recipe kept quiet": ([TOAST, RICE], served([TOAST, RICE], (1, 1), 1, recipes=[0])),
    "a recipe that is none": ([SALT, OIL], served([SALT, OIL], (1, 1), 1, recipes=[1])),
    "a card twice in a course": (
        [RICE, (1103, 1, -2, 0, 0, 0, 0)],
        weighed([RICE, (1103, 1, -2, 0, 0, 0, 0)], [[2], [1]]),
    ),
    "a card in two courses": (
        [RICE, TOAST, replace_number(TOAST, 1104)],
        weighed([RICE, TOAST, replace_number(TOAST, 1104)], [[1, 1], [1, 0], [0, 1]]),
    ),
    "half a card": ([TWO_RICE, TOAST], weighed([TWO_RICE, TOAST], [[HALF], [1]])),
    "a card less than nothing": ([RICE, TWO_RICE, TOAST], weighed([RICE, TWO_RICE, TOAST], [[-1], [1], [1]])),
}


@pytest.mark.parametrize("kind", ILLEGAL)
def test_an_illegal_meal_is_refused(curve: Engine, kind: str) -> None:
    vectors, secret = ILLEGAL[kind]
    courses = len(secret.bits[0])
    forged = forge(meal_context(courses, len(vectors)), hand_points(vectors), secret, courses)
    with pytest.raises(ProofError):
        forged.verify()
    assert not fits_the_page(forged)


def test_a_card_that_was_not_drawn_is_refused(curve: Engine) -> None:
    # The chef holds salt and toast; it proves for rice, which is not in its hand.
    ctx, drawn = meal_context(1, 2), hand_points([SALT, TOAST])
    forged = forge(ctx, drawn, served([RICE, TOAST], (1, 1), 1), 1)
    with pytest.raises(ProofError):
        forged.verify()
    # It runs the algorithm on the hand it would like to have, and sends that for its real one.
    wished = forge(ctx, hand_points([RICE, TOAST]), served([RICE, TOAST], (1, 1), 1), 1)
    wished.verify()
    with pytest.raises(ProofError):
        wished.but(hand=drawn).verify()
    # It slips in a third card beside the two that the record knows.
    three = forge(
        meal_context(1, 3), hand_points([SALT, TOAST, RICE]), served([SALT, TOAST, RICE], (0, 1, 1), 1), 1
    )
    refused(three.but(ctx=ctx, hand=drawn))


def test_the_error_names_the_equation(fast: Engine) -> None:
    sealed = big_meal()
    start = 6 * POINT + SCALAR * (24 * 3 + 3)
    broken = {"M1": 0, "M2": 1, "M3 for course 1": 3, "M3 for course 3": 6}  # z_A, z_Q, k_1, n_3
    for name, index in broken.items():
        proof = put(sealed.proof, start + SCALAR * index, encode_scalar(5))
        with pytest.raises(ProofError, match=rf"^{name} of the proof fails \(protocol 8\)$"):
            sealed.but(proof=proof).verify()


def test_one_bad_seal_in_a_shared_sum_harms_no_other(curve: Engine) -> None:
    vectors, secret = ILLEGAL["a cost short by one"]
    good, bad = small_meal(), forge(meal_context(1, 1), hand_points(vectors), secret, 1)
    proofs = [meal.equations(s.ctx, s.hand, s.courses, s.seal, s.proof) for s in (good, bad, good)]
    assert check(*proofs) == [True, False, True]
    assert check(proofs[0], proofs[2]) == [True, True]


def test_what_is_secret_is_not_written_by_accident(fast: Engine) -> None:
    sealed = meal.SealedMeal(b"B", b"proof", 1234567)
    assert repr(sealed) == "SealedMeal(seal=b'B', proof=b'proof')"
    assert repr(Witness([[1]], [2], [3], [4])) == "Witness()"

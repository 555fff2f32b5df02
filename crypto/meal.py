"""The sealed meal: seal, check, open (protocol section 8; the commitment checks of section 9).

Two arguments share one challenge. The bits are shown by the one-hot argument of Bootle, Cerulli,
Chaidos, Ghadafi, Groth and Petit (ESORICS 2015). The costs and recipes are shown by a linear Sigma
protocol.

With m cards in hand and C courses, the seal commits to one value for every card and box, where box 0
is the hand (b_{j,c} at G_{j(C+1)+c}). It also commits to the number of recipes of every course (g_c at
G_{m(C+1)+c-1}).

Proof bytes: the points A Q S W_1..W_C, then the scalars f_{0,1}..f_{0,C}, f_{1,1}, ..., f_{m-1,C},
f of g_1..g_C, z_A, z_Q, n_1 k_1 .. n_C k_C.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from crypto.encoding import i2osp
from crypto.group import (
    ORDER,
    VECTOR,
    A,
    Engine,
    G,
    H,
    Point,
    commit,
    decode_point,
    encode_scalar,
    made,
    prover,
    split,
)
from crypto.transcript import ProofError, Transcript, tuple_hash
from crypto.verifier import Equation, check, require

MOST_CARDS = 40
"""The largest hand. With more cards, sums of vectors could wrap around mod q."""
_NUMBER, _RECIPE, _NETS = 0, 1, slice(2, 7)


def context(
    game: bytes,
    step: int,
    seat: int,
    key: bytes,
    set_digest: bytes,
    match_deck: bytes,
    courses: int,
    hand: Sequence[int],
) -> bytes:
    """The context ctx to which a meal proof is bound.

    Parameters: the game id (16 bytes), the step, the seat and its public key, the digests of the card set
    and of the match deck, the number of courses C, and the positions in hand. Raises ValueError unless
    the positions ascend.
    """
    if any(low >= high for low, high in pairwise(hand)):
        raise ValueError("the positions of a hand must ascend")
    return tuple_hash(
        "meal-context",
        game,
        i2osp(step, 4),
        i2osp(seat, 1),
        key,
        set_digest,
        match_deck,
        i2osp(courses, 1),
        *(i2osp(position, 1) for position in hand),
    )


@dataclass(frozen=True, slots=True)
class SealedMeal:
    """A seal B, its proof, and the blinding r_B that opens it (secret until the reveal)."""

    seal: bytes
    proof: bytes
    blinding: int = field(repr=False)


@dataclass(frozen=True, slots=True)
class Witness:
    """The values that a seal hides: `bits[j][c-1]` for hand card j and course c, and each course's sums."""

    bits: Sequence[Sequence[int]] = field(repr=False)
    recipes: Sequence[int] = field(repr=False)
    """g_c, the number of recipes."""
    numbers: Sequence[int] = field(repr=False)
    """N_c, the sum of the card numbers."""
    blindings: Sequence[int] = field(repr=False)
    """R_c, the sum of the blindings."""


def witness(
    vectors: Sequence[Sequence[int]], blindings: Sequence[int], boxes: Sequence[int], courses: int
) -> Witness:
    """The witness of a choice: hand card j, of vector a_j and blinding r_j, lies in box `boxes[j]`, 0..C.

    Raises ValueError for lists of unequal length or a box that does not exist. Raises ProofError, naming
    the course, for a choice that breaks the rules, since no proof of it exists.
    """
    if any(not 0 <= box <= courses for box in boxes):
        raise ValueError(f"boxes go from 0 (the hand) to {courses}")
    cards = list(zip(vectors, blindings, boxes, strict=True))
    recipes, numbers, sums = [], [], []
    for course in range(1, courses + 1):
        served = [(vector, r) for vector, r, box in cards if box == course]
        recipes.append(sum(vector[_RECIPE] for vector, _ in served))
        numbers.append(sum(vector[_NUMBER] for vector, _ in served))
        sums.append(sum(r for _, r in served))
        if recipes[-1] > 1:
            raise ProofError(f"course {course} has two recipes (protocol 4)")
        if any(map(sum, zip(*(vector[_NETS] for vector, _ in served), strict=True))):
            raise ProofError(f"the cost of course {course} is not met exactly (protocol 4)")
    bits = [[int(box == course) for course in range(1, courses + 1)] for box in boxes]
    return Witness(bits, recipes, numbers, sums)


def _slots(rows: Sequence[Sequence[int]], rest: int, per_course: Sequence[int]) -> list[int]:
    """All committed values in order: for each row box 0 (`rest` less the row's sum) and the row itself,
    then one value per course."""
    flat = [value for row in rows for value in (rest - sum(row), *row)]
    return [*flat, *per_course]


class _Conversation:
    """The transcript of one proof: prover and verifier each call the same methods in the same order."""

    def __init__(self, ctx: bytes, hand: Sequence[bytes]) -> None:
        self._transcript = Transcript("meal", ctx)
        self._transcript.absorb("hand", *hand)

    def meal(self, seal: bytes, messages: Sequence[bytes]) -> int:
        """The challenge x, which follows B and the first messages A, Q, S, W_1..W_C."""
        self._transcript.absorb("meal", seal, *messages)
        return self._transcript.challenge("x")


def prove(
    ctx: bytes,
    hand: Sequence[bytes],
    vectors: Sequence[Sequence[int]],
    blindings: Sequence[int],
    boxes: Sequence[int],
    courses: int,
    masks: Iterator[int],
) -> SealedMeal:
    """Seal a choice: hand card j (point K_j, vector a_j, blinding r_j) goes into box `boxes[j]`, 0..C.

    `masks` yields the masks in the order of protocol section 12. Raises the errors of `witness`.
    """
    if len(hand) != len(boxes):
        raise ValueError("every card in hand needs a box")
    return prove_unchecked(ctx, hand, witness(vectors, blindings, boxes, courses), courses, masks)


def prove_unchecked(
    ctx: bytes, hand: Sequence[bytes], secret: Witness, courses: int, masks: Iterator[int]
) -> SealedMeal:
    """`prove` for any witness, so that tests can show that an illegal meal's proof fails."""
    C, curve = range(courses), prover()
    a = [[next(masks) for _ in C] for _ in hand]
    e = [next(masks) for _ in C]
    r_B, r_A, r_Q, r_S = (next(masks) for _ in range(4))
    t = [next(masks) for _ in C]
    u = [next(masks) for _ in C]

    bits = _slots(secret.bits, 1, secret.recipes)
    mask = _slots(a, 0, e)
    # B = Com(b; r_B), A = Com(a; r_A), Q = Com(a(1-2b); r_Q), S = Com(-a^2; r_S)
    seal = commit(bits, r_B)
    point_A = commit(mask, r_A)
    point_Q = commit([m * (1 - 2 * b) for m, b in zip(mask, bits, strict=True)], r_Q)
    point_S = commit([-m * m for m in mask], r_S)
    # W_c = sum_j a_{j,c} K_j - t_c A_0 - e_c A_1 - u_c H
    K = [decode_point(point, on=curve) for point in hand]
    base = [A(0, on=curve), A(1, on=curve), H(on=curve)]
    W = [made(curve.msm([*K, *base], [*(row[c] for row in a), -t[c], -e[c], -u[c]]), on=curve) for c in C]
    x = _Conversation(ctx, hand).meal(seal, [point_A, point_Q, point_S, *W])

    # f = x b + a for c >= 1, then x g_c + e_c; z_A = x r_B + r_A, z_Q = x r_Q + r_S;
    # n_c = x N_c + t_c, k_c = x R_c + u_c
    responses = [
        *(x * b + m for row, own in zip(secret.bits, a, strict=True) for b, m in zip(row, own, strict=True)),
        *(x * g + m for g, m in zip(secret.recipes, e, strict=True)),
        x * r_B + r_A,
        x * r_Q + r_S,
    ]
    for c in C:
        responses += [x * secret.numbers[c] + t[c], x * secret.blindings[c] + u[c]]
    return SealedMeal(seal, b"".join((point_A, point_Q, point_S, *W, *map(encode_scalar, responses))), r_B)


def equations(ctx: bytes, hand: Sequence[bytes], courses: int, seal: bytes, proof: bytes) -> list[Equation]:
    """The equations M1, M2, and M3 for each course, of a seal on the points in `hand`.

    `verifier.check` checks them. Raises EncodingError for malformed points, scalars or lengths. Raises
    ProofError for a hand of more than 40 cards, no course, or a zero challenge.
    """
    m, C = len(hand), range(courses)
    if m > MOST_CARDS or courses < 1:
        raise ProofError("a meal has at most 40 cards in hand and at least one course (protocol 8)")
    K = [decode_point(point) for point in hand]
    fields, scalars = split(proof, 3 + courses, m * courses + courses + 2 + 2 * courses)
    B = decode_point(seal)
    point_A, point_Q, point_S, *W = (decode_point(point) for point in fields)
    rows = [scalars[j * courses : (j + 1) * courses] for j in range(m)]
    scalars = scalars[m * courses :]
    f_g, (z_A, z_Q), sums = scalars[:courses], scalars[courses : courses + 2], scalars[courses + 2 :]
    x = _Conversation(ctx, hand).meal(seal, fields)

    # f_{j,0} = x - sum_{c>=1} f_{j,c}
    f = _slots(rows, x, f_g)
    slots: list[Point] = [G(i) for i in range(len(f))]
    blind, number, recipe = H(), A(0), A(1)
    return [
        # (M1) x B + A = Com(f; z_A)
        [
            (x, B),
            (1, point_A),
            *((-value, point) for value, point in zip(f, slots, strict=True)),
            (-z_A, blind),
        ],
        # (M2) x Q + S = Com(f (x - f); z_Q)
        [
            (x, point_Q),
            (1, point_S),
            *((value * (value - x) % ORDER, point) for value, point in zip(f, slots, strict=True)),
            (-z_Q, blind),
        ],
        # (M3) for each c: sum_j f_{j,c} K_j - n_c A_0 - f_{g_c} A_1 - k_c H = W_c
        *(
            [
                *((row[c], point) for row, point in zip(rows, K, strict=True)),
                (-sums[2 * c], number),
                (-f_g[c], recipe),
                (-sums[2 * c + 1], blind),
                (-1, W[c]),
            ]
            for c in C
        ),
    ]


def verify(ctx: bytes, hand: Sequence[bytes], courses: int, seal: bytes, proof: bytes) -> None:
    """Raise EncodingError or ProofError unless the proof shows that the seal holds a legal meal."""
    names = ["M1", "M2", *(f"M3 for course {c + 1}" for c in range(courses))]
    require(equations(ctx, hand, courses, seal, proof), names, 8)


def fingerprint(ctx: bytes, seal: bytes, proof: bytes) -> bytes:
    """TH("seal"; ctx, B, proof; 16), a short digest for people to compare."""
    return tuple_hash("seal", ctx, seal, proof, length=16)


def opening_of_seal(
    seal: bytes, boxes: Sequence[int], recipes: Sequence[int], courses: int, blinding: int
) -> list[Equation]:
    """The equation B = Com(b; r_B), for the boxes (0..C) of the cards in hand and the courses' recipes g_c.

    Raises EncodingError for a malformed seal. Raises ValueError for a box that does not exist, or unless
    there is one g_c per course.
    """
    if len(recipes) != courses or any(not 0 <= box <= courses for box in boxes):
        raise ValueError(f"boxes go from 0 (the hand) to {courses}, and each course has its recipes")
    held = {j * (courses + 1) + box: 1 for j, box in enumerate(boxes)}
    held |= {len(boxes) * (courses + 1) + c: count for c, count in enumerate(recipes) if count}
    return [[(1, decode_point(seal)), *((-value, G(slot)) for slot, value in held.items()), (-blinding, H())]]


def opening_of_card(
    point: bytes, vector: Sequence[int], blinding: int, *, on: Engine | None = None
) -> list[Equation]:
    """The equation K_i = Card(vector; blinding) for the 7 entries of a card's vector, in points of `on`.

    Raises EncodingError for a malformed point.
    """
    # Zero entries are kept: an owner opens secret cards, and the time must not betray how many are zero.
    carried = [(-entry, A(k, on=on)) for entry, k in zip(vector, range(len(VECTOR)), strict=True)]
    return [[(1, decode_point(point, on=on)), *carried, (-blinding, H(on=on))]]


def opens_seal(
    seal: bytes, boxes: Sequence[int], recipes: Sequence[int], courses: int, blinding: int
) -> bool:
    """Tell whether the equation of `opening_of_seal` holds; False for malformed or impossible arguments."""
    try:
        return check(opening_of_seal(seal, boxes, recipes, courses, blinding)) == [True]
    except ValueError:
        return False


def opens_card(point: bytes, vector: Sequence[int], blinding: int) -> bool:
    """Tell whether K_i = Card(vector; blinding); EncodingError for a malformed point."""
    return check(opening_of_card(point, vector, blinding)) == [True]

"""Work on secrets in pairs of classes, for `benchmarks.side_channels`. Public values are equal in both."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from benchmarks.chefs import DISH, HAND
from cards.games.contract import Move
from crypto import certificate, envelope, identity, meal, shuffle
from crypto.encoding import canonical
from crypto.group import ORDER, H, card_point, commit, prover, use
from crypto.secret import DECK_SIZE, Masks
from crypto.transcript import tuple_hash
from player.seat import OwnSeat
from referee.fold import fold
from vectors.matches import CHEF_MEALS, NOTHING, Sitting, chef, slow

SecretWork = Callable[[], object]
Make = Callable[[int], SecretWork]
"""Makes a run of class 0 or 1, with fresh random values."""

COURSES = 3


@dataclass(frozen=True, slots=True)
class Case:
    """Two classes of one piece of work."""

    name: str
    what: str
    first: str
    second: str
    runs: int
    """The number of runs of each class in the published table."""
    prepare: Callable[[], Make]


def _alike() -> Make:
    return _seals(chef, 0, 23, (NOTHING, NOTHING))


def _served() -> Make:
    """A seal of seat 0 in the second round of an example, with eight cards in hand."""
    return _seals(chef, 0, 23, (NOTHING, CHEF_MEALS[1][0]))


def _enclosed() -> Make:
    """A seal of seat 1 in the first round of the slow example, with six cards in hand."""
    dishes = [
        {"course": 2, "recipe": 16, "ingredients": [24]},
        {"course": 3, "recipe": 10, "ingredients": [31, 33]},
    ]
    return _seals(slow, 1, 11, (NOTHING, {"dishes": dishes}), envelope=True)


def _seals(
    example: Callable[[], Sitting], number: int, keep: int, choices: Sequence[Move], envelope: bool = False
) -> Make:
    """Make a seal as a client does, signed and ready to send, after `keep` entries of an example."""
    table = example()
    sitter = table.sitters[number]
    seat = OwnSeat(sitter.number, sitter.private, sitter.w, sitter.deck)
    view = fold(table.entries[:keep]).knowing(seat.faces)
    return lambda side: partial(seat.seal, view, choices[side], envelope=envelope)


@dataclass(frozen=True)
class _Hand:
    """A hand of 24 cards, with the openings of their commitments."""

    vectors: Sequence[tuple[int, ...]]
    blindings: Sequence[int]
    points: Sequence[bytes]

    @classmethod
    def of(cls, number: int) -> _Hand:
        """Three dishes and twelve more cards, numbered from `number` on."""
        vectors = [(number + i, *DISH[i % len(DISH)][1:]) for i in range(HAND)]
        blindings = [secrets.randbelow(ORDER) for _ in vectors]
        points = [card_point(a, r) for a, r in zip(vectors, blindings, strict=True)]
        return cls(vectors, blindings, points)


_DISHES = [1 + i // 4 if i < 12 else 0 for i in range(HAND)]
_CONTEXT = meal.context(bytes(16), 11, 0, bytes(32), bytes(64), bytes(64), COURSES, range(HAND))


def _choice(boxes: Sequence[int]) -> bytes:
    """The witness of a choice as a client writes it."""
    dishes = []
    for course in range(1, COURSES + 1):
        used = [i for i, box in enumerate(boxes) if box == course]
        if used:
            dishes.append({"course": course, "recipe": used[0], "ingredients": used[1:]})
    return canonical({"dishes": dishes})


def _prove(hand: _Hand, boxes: Sequence[int], w: bytes) -> object:
    masks = Masks(w, _CONTEXT, _choice(boxes), secrets.token_bytes(32))
    sealed = meal.prove(_CONTEXT, hand.points, hand.vectors, hand.blindings, boxes, COURSES, masks)
    masks.even_out()
    return sealed


def _dishes() -> Make:
    hand, w, boxes = _Hand.of(1001), secrets.token_bytes(32), ([0] * HAND, _DISHES)
    return lambda side: partial(_prove, hand, boxes[side], w)


def _courses() -> Make:
    """The same dish, in the first course or in the last."""
    hand, w = _Hand.of(1001), secrets.token_bytes(32)
    boxes = tuple([course if i < 4 else 0 for i in range(HAND)] for course in (1, COURSES))
    return lambda side: partial(_prove, hand, boxes[side], w)


def _numbers() -> Make:
    hands, w = (_Hand.of(1), _Hand.of(2**32 - HAND)), secrets.token_bytes(32)
    return lambda side: partial(_prove, hands[side], _DISHES, w)


def _masks() -> Make:
    """All masks of a meal of 24 cards."""
    w, choices = secrets.token_bytes(32), (_choice([0] * HAND), _choice(_DISHES))
    count = HAND * COURSES + 3 * COURSES + 4

    def run(side: int) -> object:
        masks = Masks(w, _CONTEXT, choices[side], secrets.token_bytes(32))
        taken = masks.take(count)
        masks.even_out()
        return taken

    return lambda side: partial(run, side)


def _bits() -> Make:
    """B alone: a bit for every card is set in both, and one for each recipe in the second."""
    plain = [int(k == 0) for _ in range(HAND) for k in range(COURSES + 1)]
    lists = ([*plain, 0, 0, 0], [*plain, 1, 1, 1])
    return lambda side: partial(commit, lists[side], secrets.randbelow(ORDER))


def _orders() -> Make:
    """The whole proof of a match deck, unshuffled or shuffled."""
    vectors = [DISH[i % len(DISH)] for i in range(DECK_SIZE)]
    cards = certificate.card_points(bytes(32), vectors)
    context = tuple_hash("shuffle-context", secrets.token_bytes(32))
    dice, w = secrets.SystemRandom(), secrets.token_bytes(32)

    def make(side: int) -> SecretWork:
        order = list(range(DECK_SIZE))
        if side:
            dice.shuffle(order)
        # Fresh in both: a point that was decoded before is remembered.
        t = [secrets.randbelow(ORDER) for _ in cards]
        positions = shuffle.positions(cards, order, t)
        masks = Masks(w, context, canonical(order), secrets.token_bytes(32))
        return partial(shuffle.prove, context, cards, positions, order, t, masks)

    return make


def _certified() -> Make:
    """The points of a certificate: plain ingredients, or recipes that cost five categories."""
    decks = (
        [(1001 + i, 0, 1, 0, 0, 0, 0) for i in range(DECK_SIZE)],
        [(1001 + i, 1, -1, -2, -1, -3, -1) for i in range(DECK_SIZE)],
    )
    return lambda side: partial(certificate.card_points, secrets.token_bytes(32), decks[side])


def _small_blinding() -> Make:
    """A card's point, with a blinding of 64 bits, which no real one has, or with a random one."""
    return lambda side: partial(
        card_point, DISH[0], secrets.randbelow(ORDER) if side else secrets.randbits(64)
    )


def _weights(engine: str) -> Make:
    """One multiple of H by a scalar of few or of many ones, of the same length."""

    @cache
    def scalar(side: int, _: int) -> int:
        ones = 180 if side else 70
        return 1 << 253 | sum(1 << i for i in secrets.SystemRandom().sample(range(253), ones))

    def make(side: int) -> SecretWork:
        with use(engine):
            curve, base = prover(), H(on=prover())
        return partial(curve.mul, base, scalar(side, secrets.randbelow(64)))

    return make


def _copy(data: bytes) -> bytes:
    """A new copy of the same bytes, since bytes that were just read lie in the processor's caches."""
    secrets.token_bytes(len(data))
    return bytes(bytearray(data))


def _signatures() -> Make:
    fixed = secrets.token_bytes(32)

    def make(side: int) -> SecretWork:
        return partial(identity.sign, secrets.token_bytes(32) if side else _copy(fixed), bytes(64))

    return make


def _envelopes() -> Make:
    public, size = envelope.public_key(bytes([0x55]) * 32), 6144
    empty = b'{"body":{}}'.ljust(size)

    def make(side: int) -> SecretWork:
        return partial(
            envelope.seal, public, bytes(64), bytes(48), secrets.token_bytes(size) if side else empty
        )

    return make


def _hashes() -> Make:
    fixed = bytes(32)

    def make(side: int) -> SecretWork:
        made = secrets.token_bytes(32) if side else _copy(fixed)
        return partial(tuple_hash, "position-blinding", made, b"\7")

    return make


CASES = (
    Case(
        "alike", "a seal as the client sends it: the control", "serves nothing", "serves nothing", 600, _alike
    ),
    Case(
        "seal",
        "a seal as the client sends it, 8 cards in hand",
        "serves nothing",
        "a dish of three",
        600,
        _served,
    ),
    Case(
        "enclosed",
        "a seal with its reveal in an envelope, 6 cards in hand",
        "serves nothing",
        "two dishes, 5 cards",
        600,
        _enclosed,
    ),
    Case("meal", "meal proof, 24 cards in hand", "serves nothing", "three dishes, 12 cards", 600, _dishes),
    Case(
        "course", "meal proof, 24 cards in hand", "a dish in course 1", "the dish in course 3", 600, _courses
    ),
    Case(
        "numbers",
        "meal proof, 24 cards in hand",
        "card numbers from 1",
        "card numbers near 2^32",
        600,
        _numbers,
    ),
    Case("masks", "the masks of a meal alone", "serves nothing", "three dishes, 12 cards", 2000, _masks),
    Case("bits", "the commitment to a meal's bits alone", "no recipe", "three recipes", 3000, _bits),
    Case("order", "match-deck proof, 40 cards", "not shuffled", "shuffled", 400, _orders),
    Case(
        "certificate", "40 points of a certificate", "ingredients", "recipes of five costs", 500, _certified
    ),
    Case("sign", "Ed25519 signature (pycryptodome)", "a fixed key", "random keys", 3000, _signatures),
    Case(
        "envelope", "HPKE envelope (pycryptodome)", "an empty content", "a random content", 1500, _envelopes
    ),
    Case("hash", "TupleHash of a secret (pycryptodome)", "zeros", "random", 5000, _hashes),
    Case(
        "blinding",
        "a card's point (arkworks)",
        "a blinding of 64 bits",
        "a random one",
        3000,
        _small_blinding,
    ),
    Case(
        "weight",
        "one multiple (arkworks)",
        "70 ones in the scalar",
        "180 ones",
        3000,
        partial(_weights, "arkworks"),
    ),
    Case(
        "weight_py_ecc",
        "one multiple (py_ecc)",
        "70 ones in the scalar",
        "180 ones",
        60,
        partial(_weights, "py_ecc"),
    ),
)
"""The cases that are measured. No choice makes the last three differ: they show what can be seen at all."""

"""Helpers of the tests of crypto: a second, plain reading of the protocol, small statements, bad points.

`page_shuffle` and `page_meal` verify a proof as the protocol's page says it, both sides of every
equation computed and compared, with a TupleHash of their own: an oracle for the room's fast path.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from crypto import meal, shuffle
from crypto.encoding import i2osp
from crypto.engines import MODULUS, ORDER, Arkworks, Engine, Point
from crypto.group import A, G, H, card_point, engine
from crypto.secret import Masks
from vectors.example import NO_FRESH

POINT, SCALAR = 48, 32
INFINITY = b"\xc0" + bytes(47)

# --- TupleHash256 from FIPS 202 and SP 800-185, written out ---

_LANES = 2**64 - 1


def _rotate(value: int, by: int) -> int:
    by %= 64
    return (value << by | value >> (64 - by)) & _LANES


def _keccak_f(lanes: list[list[int]]) -> list[list[int]]:
    register = 1
    for _ in range(24):
        parity = [functools.reduce(int.__xor__, lanes[x]) for x in range(5)]
        theta = [parity[(x + 4) % 5] ^ _rotate(parity[(x + 1) % 5], 1) for x in range(5)]
        lanes = [[lanes[x][y] ^ theta[x] for y in range(5)] for x in range(5)]
        x, y, current = 1, 0, lanes[1][0]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            current, lanes[x][y] = lanes[x][y], _rotate(current, (step + 1) * (step + 2) // 2)
        for y in range(5):
            row = [lanes[x][y] for x in range(5)]
            for x in range(5):
                lanes[x][y] = row[x] ^ (~row[(x + 1) % 5] & _LANES & row[(x + 2) % 5])
        for bit in range(7):
            register = (register << 1 ^ (register >> 7) * 0x71) % 256
            if register & 2:
                lanes[0][0] ^= 1 << ((1 << bit) - 1)
    return lanes


def _sponge(data: bytes, length: int, rate: int, suffix: int) -> bytes:
    lanes = [[0] * 5 for _ in range(5)]
    padded = bytearray(data) + bytearray([suffix]) + bytearray(-(len(data) + 1) % rate)
    padded[-1] ^= 0x80
    for start in range(0, len(padded), rate):
        for i in range(rate // 8):
            block = padded[start + 8 * i : start + 8 * i + 8]
            lanes[i % 5][i // 5] ^= int.from_bytes(block, "little")
        lanes = _keccak_f(lanes)
    out = b"".join(lanes[i % 5][i // 5].to_bytes(8, "little") for i in range(rate // 8))
    assert length <= rate
    return out[:length]


def _left_encode(n: int) -> bytes:
    size = max(1, (n.bit_length() + 7) // 8)
    return bytes([size]) + n.to_bytes(size, "big")


def _right_encode(n: int) -> bytes:
    size = max(1, (n.bit_length() + 7) // 8)
    return n.to_bytes(size, "big") + bytes([size])


def _encode_string(data: bytes) -> bytes:
    return _left_encode(8 * len(data)) + data


def tuple_hash_of(strength: int, parts: list[bytes], length: int, custom: bytes) -> bytes:
    """TupleHash128 or TupleHash256."""
    rate = 200 - strength // 4
    head = _left_encode(rate) + _encode_string(b"TupleHash") + _encode_string(custom)
    body = b"".join(map(_encode_string, parts)) + _right_encode(8 * length)
    return _sponge(head + bytes(-len(head) % rate) + body, length, rate, 0x04)


def tuple_hash_256(parts: list[bytes], length: int, custom: bytes) -> bytes:
    return tuple_hash_of(256, parts, length, custom)


def th(label: str, *parts: bytes, length: int = 64) -> bytes:
    return tuple_hash_256(list(parts), length, b"cloche/v1/" + label.encode())


class Talk:
    """The transcript of section 2, on the TupleHash above."""

    def __init__(self, label: str, ctx: bytes) -> None:
        self.T = th("transcript", label.encode(), ctx)

    def absorb(self, name: str, *parts: bytes) -> None:
        self.T = th("absorb", self.T, name.encode(), *parts)

    def challenge(self, name: str) -> int:
        self.T = th("challenge", self.T, name.encode())
        return int.from_bytes(self.T, "big") % ORDER


# --- The page's equations, both sides computed ---


def _sum(*terms):
    """Sum of scalar * point over the terms, one multiplication and one addition each."""
    curve, total = engine(), engine().identity
    for scalar, point in terms:
        total = curve.add(total, curve.mul(point, scalar % ORDER))
    return total


def _com(values, r):
    return _sum(*((v, G(i)) for i, v in enumerate(values)), (r, H()))


def fields(proof: bytes, points: int) -> tuple[list[bytes], list[bytes]]:
    """The encoded points and scalars of a proof."""
    end = POINT * points
    return (
        [proof[i : i + POINT] for i in range(0, end, POINT)],
        [proof[i : i + SCALAR] for i in range(end, len(proof), SCALAR)],
    )


def page_shuffle(ctx: bytes, cards: list[bytes], positions: list[bytes], proof: bytes) -> list[bool]:
    """Tell whether S1, S2, S3, S4 hold."""
    curve, n = engine(), len(cards)
    raw, scalars = fields(proof, 7)
    c1, c2, c3, E, c_d, c_delta, c_Delta = map(curve.decode, raw)
    s = [int.from_bytes(x, "big") for x in scalars]
    f, z_f, z_t, u, z_u, z_s = s[:n], s[n], s[n + 1], s[n + 2 : 2 * n + 2], s[2 * n + 2], s[-1]
    talk = Talk("shuffle", ctx)
    talk.absorb("statement", *cards, *positions)
    talk.absorb("permutation", raw[0])
    y = talk.challenge("y")
    talk.absorb("powers", *raw[1:4])
    lam, z = talk.challenge("lambda"), talk.challenge("z")
    talk.absorb("product", *raw[4:])
    x = talk.challenge("x")
    P = 1
    for j in range(1, n + 1):
        P = P * (lam * j + y**j - z) % ORDER
    b = [u[0], *s[2 * n + 3 : 3 * n + 1], x * P]
    D, K = list(map(curve.decode, cards)), list(map(curve.decode, positions))
    c = _sum((lam, c1), (1, c2), *((-z, G(i)) for i in range(n)))
    return [
        curve.equal(_sum((x, c2), (1, c3)), _com(f, z_f)),
        curve.equal(
            _sum(*zip(f, K, strict=True), (z_t, H())),
            _sum(*((x * y ** (j + 1), D[j]) for j in range(n)), (1, E)),
        ),
        curve.equal(_sum((x, c), (1, c_d)), _com(u, z_u)),
        curve.equal(
            _sum((x, c_Delta), (1, c_delta)),
            _com([x * b[i] - b[i - 1] * u[i] for i in range(1, n)], z_s),
        ),
    ]


def page_meal(ctx: bytes, hand: list[bytes], C: int, seal: bytes, proof: bytes) -> list[bool]:
    """Tell whether M1, M2 and M3 for each course hold."""
    curve, m = engine(), len(hand)
    raw, scalars = fields(proof, 3 + C)
    a, q, s_, *W = map(curve.decode, raw)
    s = [int.from_bytes(x, "big") for x in scalars]
    talk = Talk("meal", ctx)
    talk.absorb("hand", *hand)
    talk.absorb("meal", seal, *raw)
    x = talk.challenge("x")
    f = [s[j * C : (j + 1) * C] for j in range(m)]
    g, (z_A, z_Q), nk = s[m * C : m * C + C], s[m * C + C : m * C + C + 2], s[m * C + C + 2 :]
    slots = [value for row in f for value in (x - sum(row), *row)] + g
    K = list(map(curve.decode, hand))
    return [
        curve.equal(_sum((x, curve.decode(seal)), (1, a)), _com(slots, z_A)),
        curve.equal(_sum((x, q), (1, s_)), _com([v * (x - v) for v in slots], z_Q)),
        *(
            curve.equal(
                _sum(
                    *((f[j][c], K[j]) for j in range(m)),
                    (-nk[2 * c], A(0)),
                    (-g[c], A(1)),
                    (-nk[2 * c + 1], H()),
                ),
                W[c],
            )
            for c in range(C)
        ),
    ]


# --- Statements to prove and to forge ---

GAME, KEY, DIGEST, MATCH_DECK = bytes(range(16)), bytes(range(32)), bytes(64), bytes([1]) * 64
W = bytes([7]) * 32
MEAL_PLACE = {
    "game": GAME,
    "step": 11,
    "seat": 0,
    "key": KEY,
    "set_digest": DIGEST,
    "match_deck": MATCH_DECK,
}
SHUFFLE_PLACE = {
    "game": GAME,
    "seat": 0,
    "key": KEY,
    "certificate_digest": DIGEST,
    "house_anchor": bytes([2]) * 64,
    "anchor": bytes([3]) * 64,
}


def masks(ctx: bytes, note: bytes = b"") -> Masks:
    return Masks(W, ctx, note, NO_FRESH)


def vector(number: int, is_recipe: bool, *nets: int) -> tuple[int, ...]:
    return (number, int(is_recipe), *nets, *(0 for _ in range(5 - len(nets))))


def blinding(j: int) -> int:
    return int.from_bytes(th("position-blinding", i2osp(j, 2)), "big") % ORDER


@dataclass(frozen=True)
class Shuffled:
    """A shuffle statement with its proof."""

    ctx: bytes
    cards: list[bytes]
    positions: list[bytes]
    proof: bytes

    def verify(self) -> None:
        shuffle.verify(self.ctx, self.cards, self.positions, self.proof)

    def but(self, **changes) -> Shuffled:
        return replace(self, **changes)


@functools.cache
def card_set(n: int, engine_name: str, salt: int = 0) -> list[bytes]:
    """D_0..D_{n-1} of n different cards."""
    return [card_point(vector(1001 + j, j % 3 == 0, 1, -1), blinding(j) + salt) for j in range(n)]


@functools.cache
def _shuffled(n: int, engine_name: str) -> Shuffled:
    pi = random.Random(n).sample(range(n), n)
    t = [blinding(100 + i) for i in range(n)]
    cards = card_set(n, engine_name)
    positions = list(shuffle.positions(cards, pi, t))
    ctx = shuffle.context(**SHUFFLE_PLACE)
    return Shuffled(ctx, cards, positions, shuffle.prove(ctx, cards, positions, pi, t, masks(ctx)))


def shuffled(n: int) -> Shuffled:
    """A proven shuffle of n cards on the engine in use."""
    return _shuffled(n, engine().name)


TUNA, RICE, SALT = vector(1001, False, 0, 0, 0, 1), vector(1002, False, 1), vector(1003, False, 0, 0, -1)
OIL, TOAST, SUSHI = vector(1004, False, 0, 0, 1), vector(1101, True, -1), vector(1102, True, -1, 0, 0, -1)
HAND = (TUNA, RICE, SALT, OIL, TOAST, SUSHI)
BOXES = (1, 1, 0, 0, 0, 1)
"""Sushi of tuna and rice as course 1, the rest stays in hand."""


@dataclass(frozen=True)
class Meal:
    """A sealed meal on a hand."""

    ctx: bytes
    hand: list[bytes]
    courses: int
    seal: bytes
    proof: bytes
    blinding: int

    def verify(self) -> None:
        meal.verify(self.ctx, self.hand, self.courses, self.seal, self.proof)

    def but(self, **changes) -> Meal:
        return replace(self, **changes)


def meal_context(courses: int, count: int, **changes) -> bytes:
    place = {**MEAL_PLACE, "hand": range(count), **changes}
    return meal.context(courses=courses, **place)


def hand_points(vectors) -> list[bytes]:
    return [card_point(a, blinding(j)) for j, a in enumerate(vectors)]


def cook(vectors, boxes, courses: int, **changes) -> Meal:
    """A legal meal, sealed on the engine in use."""
    ctx = meal_context(courses, len(vectors), **changes)
    hand, r = hand_points(vectors), [blinding(j) for j in range(len(vectors))]
    sealed = meal.prove(ctx, hand, vectors, r, boxes, courses, masks(ctx, bytes(boxes)))
    return Meal(ctx, hand, courses, sealed.seal, sealed.proof, sealed.blinding)


def forge(ctx: bytes, hand: list[bytes], secret: meal.Witness, courses: int) -> Meal:
    """Return what the prover's algorithm gives for a witness that no rule allows."""
    sealed = meal.prove_unchecked(ctx, hand, secret, courses, masks(ctx))
    return Meal(ctx, hand, courses, sealed.seal, sealed.proof, sealed.blinding)


@functools.cache
def _big_meal(engine_name: str) -> Meal:
    vectors = [replace_number(HAND[j % len(HAND)], 2000 + j) for j in range(24)]
    boxes = [1 + j // 6 if BOXES[j % 6] and j < 18 else 0 for j in range(24)]
    return cook(vectors, boxes, 3)


def big_meal() -> Meal:
    """Three courses from 24 cards."""
    return _big_meal(engine().name)


@functools.cache
def _small_meal(engine_name: str) -> Meal:
    return cook([RICE, TOAST], (1, 1), 1)


def small_meal() -> Meal:
    """One course from two cards."""
    return _small_meal(engine().name)


def replace_number(a: tuple[int, ...], number: int) -> tuple[int, ...]:
    return (number, *a[1:])


# --- Points that no decoder may take ---


def _curve_root(x: int) -> int | None:
    square = (x**3 + 4) % MODULUS
    y = pow(square, (MODULUS + 1) // 4, MODULUS)
    return y if y * y % MODULUS == square else None


def compressed(x: int, flags: int = 0b100) -> bytes:
    return (flags << 381 | x).to_bytes(POINT, "big")


def off_curve() -> bytes:
    return compressed(next(x for x in range(1, 100) if _curve_root(x) is None))


def with_torsion(point: bytes) -> bytes:
    """The point plus (0, 2), which has order 3: on the curve, outside the subgroup."""
    x = int.from_bytes(point, "big") & (2**381 - 1)
    y = _curve_root(x)
    assert y is not None
    if (2 * y > MODULUS) != bool(point[0] & 0x20):
        y = MODULUS - y
    slope = (y - 2) * pow(x, -1, MODULUS) % MODULUS
    x3 = (slope * slope - x) % MODULUS
    y3 = (slope * -x3 - 2) % MODULUS
    return compressed(x3, 0b101 if 2 * y3 > MODULUS else 0b100)


def bad_points(point: bytes) -> dict[str, bytes]:
    """Every kind of bytes that must be refused in the place of `point`."""
    x = int.from_bytes(point, "big") & (2**381 - 1)
    return {
        "outside the subgroup": with_torsion(point),
        "of order 3": compressed(0),
        "80..04, on the curve and outside": compressed(4),
        "off the curve": off_curve(),
        "x = p + 4": compressed(MODULUS + 4),
        "x of 381 ones": compressed(2**381 - 1),
        "not marked as compressed": compressed(x, 0b000),
        "not marked, with a sign": compressed(x, 0b001),
        "marked infinite with an x": compressed(x, 0b110),
        "marked infinite with x and sign": compressed(x, 0b111),
        "infinity": INFINITY,
        "infinity with a sign": b"\xe0" + bytes(47),
        "infinity with a last bit": INFINITY[:-1] + b"\x01",
        "infinity not marked as compressed": b"\x40" + bytes(47),
        "nothing": bytes(48),
    }


# Computed values


@contextmanager
def products(curve: Engine) -> Iterator[list[list[object]]]:
    """The points of every multi-scalar product that this engine makes inside, one list each."""
    made: list[list[object]] = []
    product = type(curve).msm

    def noting(self, points, scalars):
        made.append(list(points))
        return product(self, points, scalars)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(curve), "msm", noting)
        yield made


# --- Engines ---


class Noting(Arkworks):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def decode(self, data: bytes) -> Point:
        self.asked.append("decode")
        return super().decode(data)

    def encode(self, point: Point) -> bytes:
        self.asked.append("encode")
        return super().encode(point)

    def hash_to_curve(self, message: bytes, dst: bytes) -> Point:
        self.asked.append(message.decode())
        return super().hash_to_curve(message, dst)

    def msm(self, points: Sequence[Point], scalars: Sequence[int]) -> Point:
        self.asked.append("product")
        return super().msm(points, scalars)

    def mul(self, point: Point, scalar: int) -> Point:
        self.asked.append("multiple")
        return super().mul(point, scalar)

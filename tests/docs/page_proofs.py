"""A second reading of docs/protocol.md, sections 1 to 8: written from the page, importing nothing of ours.

It is here to hold the page and the program to each other. Clear rather than quick; it only checks.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any

import py_arkworks_bls12381 as ark
import rfc8785
from Crypto.Hash import TupleHash256

Terms = list[tuple[int, Any]]
"""Multiples of points, to be added up."""


class Invalid(Exception):
    """The record is not valid."""


def need(condition: object, why: str) -> None:
    """Invalid, unless."""
    if not condition:
        raise Invalid(why)


# 1. Encodings

Q = 0x73EDA753299D7D483339D80809A1D80553BDA402FFFE5BFEFFFFFFFF00000001
FIELD = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
IDENTITY = ark.G1Point.identity()


def osp(n: int, k: int) -> bytes:
    return n.to_bytes(k, "big")


def number(data: bytes) -> int:
    return int.from_bytes(data, "big")


def canonical(value: Any) -> bytes:
    return bytes(rfc8785.dumps(value))


def same(one: object, other: object) -> bool:
    """Tell whether two JSON values are the same (for Python, True is 1)."""
    return canonical(one) == canonical(other)


def read_json(data: bytes) -> Any:
    """JSON without repeated names, in canonical form."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a name twice")
        return dict(pairs)

    value = json.loads(data.decode(), object_pairs_hook=once)
    need(canonical(value) == data, "not canonical")
    need(not _has_float(value), "a fraction")
    need(_depth(value) <= 64, "too deep")
    return value


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _has_float(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_float, value.values()))
    return any(map(_has_float, value)) if isinstance(value, list) else isinstance(value, float)


def octets(text: object, length: int | None = None) -> bytes:
    need(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]*", text), "not base64url")
    assert isinstance(text, str)
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error:
        raise Invalid("no length of base64url") from None
    need(base64.urlsafe_b64encode(data).rstrip(b"=").decode() == text, "trailing bits")
    need(length is None or len(data) == length, "another length")
    return data


def whole(value: object, low: int = 0, high: int = 2**53 - 1) -> int:
    need(type(value) is int, "no integer")
    assert isinstance(value, int)
    need(low <= value <= high, "out of range")
    return value


def milliseconds(text: object) -> int:
    need(isinstance(text, str), "no time")
    assert isinstance(text, str)
    need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text, re.ASCII), "no time")
    try:
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    except ValueError:
        raise Invalid("no time") from None
    need(moment.year >= 1970, "before 1970")
    return round(moment.timestamp() * 1000)


def scalar(data: bytes) -> int:
    need(len(data) == 32 and number(data) < Q, "no scalar")
    return number(data)


@cache
def point(data: bytes) -> Any:
    need(len(data) == 48 and data[0] >> 5 in (0b100, 0b101), "no point")
    need(number(data) % 2**381 < FIELD, "x is not below p")
    try:
        found = ark.G1Point.from_compressed_bytes(data)
    except ValueError:
        raise Invalid("off the curve or outside the subgroup") from None
    need(bytes(found.to_compressed_bytes()) == data and found != IDENTITY, "not canonical")
    return found


def product(terms: Terms) -> Any:
    reduced = [ark.Scalar.from_le_bytes((factor % Q).to_bytes(32, "little")) for factor, _ in terms]
    return ark.G1Point.multiexp_unchecked([base for _, base in terms], reduced)


def vanishes(terms: Terms, name: str) -> None:
    """An equation, everything on one side."""
    need(product(terms) == IDENTITY, name)


def times(factor: int, terms: Iterable[tuple[int, Any]]) -> Terms:
    return [(factor * own, base) for own, base in terms]


# 2. Hashing


def th(label: str, *parts: bytes, length: int = 64) -> bytes:
    state = TupleHash256.new(digest_bytes=length, custom=b"cloche/v1/" + label.encode())
    if parts:
        state.update(*parts)
    return bytes(state.digest())


class Talk:
    """A transcript."""

    def __init__(self, label: str, ctx: bytes) -> None:
        self.state = th("transcript", label.encode(), ctx)

    def absorb(self, name: str, *parts: bytes) -> None:
        self.state = th("absorb", self.state, name.encode(), *parts)

    def challenge(self, name: str) -> int:
        self.state = th("challenge", self.state, name.encode())
        need(number(self.state) % Q, "a challenge of 0")
        return number(self.state) % Q


# 3, 4. Generators, commitments, cards

DST = b"CLOCHE-V01-CS01-with-BLS12381G1_XMD:SHA-256_SSWU_RO_"
CATEGORIES = ("starch", "vegetable", "oil", "protein", "seasoning")


@cache
def gen(name: str) -> Any:
    return ark.G1Point.hash_to_curve(name.encode(), DST)


H = gen("blind")
A = [gen(f"card/{name}") for name in ("number", "recipe", *CATEGORIES)]


def com(values: Sequence[int], blinding: int) -> Terms:
    return [*((value, gen(f"slot/{i}")) for i, value in enumerate(values)), (blinding, H)]


def vector(card: Any) -> list[int]:
    nets = [card["provides"].get(name, 0) - card["costs"].get(name, 0) for name in CATEGORIES]
    return [card["number"], int(card["type"] == "recipe"), *nets]


def card_terms(card: Any, blinding: int) -> Terms:
    return [*zip(vector(card), A, strict=True), (blinding, H)]


# 6. Match deck

N = 40


def split(proof: bytes, points: int, scalars: int) -> tuple[list[bytes], list[int]]:
    need(len(proof) == 48 * points + 32 * scalars, "a proof of another length")
    rest = proof[48 * points :]
    return (
        [proof[48 * i : 48 * i + 48] for i in range(points)],
        [scalar(rest[32 * i : 32 * i + 32]) for i in range(scalars)],
    )


def shuffle(ctx: bytes, certified: Sequence[bytes], positions: Sequence[bytes], proof: bytes) -> None:
    need(len(certified) == len(positions) == N, "not 40 cards")
    raw, found = split(proof, 7, 3 * N + 2)
    c1, c2, c3, e, c_d, c_s, c_x = map(point, raw)
    f, (z_f, z_t), found = found[:N], found[N : N + 2], found[N + 2 :]
    u, z_u, inner, z_s = found[:N], found[N], found[N + 1 : -1], found[-1]
    talk = Talk("shuffle", ctx)
    talk.absorb("statement", *certified, *positions)
    talk.absorb("permutation", raw[0])
    y = talk.challenge("y")
    talk.absorb("powers", *raw[1:4])
    lam, z = talk.challenge("lambda"), talk.challenge("z")
    talk.absorb("product", *raw[4:])
    x = talk.challenge("x")
    whole_product = 1
    for j in range(1, N + 1):
        whole_product = whole_product * (lam * j + pow(y, j, Q) - z) % Q
    b = [u[0], *inner, x * whole_product]
    vanishes([(x, c2), (1, c3), *times(-1, com(f, z_f))], "S1")
    own = [(f[i], point(positions[i])) for i in range(N)]
    theirs = [(pow(y, j + 1, Q), point(certified[j])) for j in range(N)]
    vanishes([*own, (z_t, H), *times(-x, theirs), (-1, e)], "S2")
    c = [(lam, c1), (1, c2), *com([-z] * N, 0)]
    vanishes([*times(x, c), (1, c_d), *times(-1, com(u, z_u))], "S3")
    steps = [x * b[i] - b[i - 1] * u[i] for i in range(1, N)]
    vanishes([(x, c_x), (1, c_s), *times(-1, com(steps, z_s))], "S4")


# 7. Chains and draws


def reaches(link: bytes, k: int, known: tuple[int, bytes]) -> None:
    need(len(link) == 64 and known[0] < k <= 1024, "no link of this deal")
    for _ in range(k - known[0]):
        link = th("chain", link)
    need(link == known[1], "not a link of this chain")


class Stream:
    """The blocks of a draw: all parts of the hash but the block's number."""

    label = "draw"

    def __init__(self, *parts: bytes) -> None:
        self.parts, self.block, self.left = parts, 0, b""

    def below(self, n: int) -> int:
        while True:
            if not self.left:
                self.left = th(self.label, *self.parts, osp(self.block, 4))
                self.block += 1
            word, self.left = number(self.left[:8]), self.left[8:]
            if word < n * (2**64 // n):
                return word % n

    def draw(self, pool: Iterable[int], count: int) -> list[int]:
        ordered = sorted(pool)
        return [ordered.pop(self.below(len(ordered))) for _ in range(min(count, len(ordered)))]


# 8. Sealed meal


def meal(ctx: bytes, hand: Sequence[bytes], courses: int, seal: bytes, proof: bytes) -> None:
    m, C = len(hand), courses
    raw, found = split(proof, 3 + C, m * C + 3 * C + 2)
    a, q, s, *w = map(point, raw)
    rows = [found[j * C : j * C + C] for j in range(m)]
    found = found[m * C :]
    f_g, (z_a, z_q), sums = found[:C], found[C : C + 2], found[C + 2 :]
    talk = Talk("meal", ctx)
    talk.absorb("hand", *hand)
    talk.absorb("meal", seal, *raw)
    x = talk.challenge("x")
    f = [value for row in rows for value in (x - sum(row), *row)] + f_g
    vanishes([(x, point(seal)), (1, a), *times(-1, com(f, z_a))], "M1")
    vanishes([(x, q), (1, s), *times(-1, com([value * (x - value) for value in f], z_q))], "M2")
    for c in range(C):
        served = [(rows[j][c], point(hand[j])) for j in range(m)]
        n_c, k_c = sums[2 * c : 2 * c + 2]
        vanishes([*served, (-n_c, A[0]), (-f_g[c], A[1]), (-k_c, H), (-1, w[c])], f"M3 for course {c + 1}")


# 10.1 Ed25519

P25519 = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P25519) % P25519
Extended = tuple[int, int, int, int]


def _add(one: Extended, other: Extended) -> Extended:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * t1 * t2 * D, 2 * z1 * z2
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P25519, g * h % P25519, f * g % P25519, e * h % P25519)


@lru_cache(maxsize=64)
def _digits(base: Extended) -> list[list[Extended]]:
    """The multiples 0 to 15 of a point, then of 16 times it, and so on: few keys sign a whole record."""
    rows = []
    for _ in range(64):
        rows.append([*accumulate([base] * 15, _add, initial=(0, 1, 1, 0))])
        base = _add(rows[-1][15], base)
    return rows


def _multiple(base: Extended, factor: int) -> Extended:
    """Multiply a point by a factor below 2**256."""
    total = (0, 1, 1, 0)
    for i, row in enumerate(_digits(base)):
        total = _add(total, row[factor >> 4 * i & 15])
    return total


def _encode(extended: Extended) -> bytes:
    inverse = pow(extended[2], -1, P25519)
    x, y = extended[0] * inverse % P25519, extended[1] * inverse % P25519
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _decode(data: bytes) -> Extended:
    """RFC 8032, 5.1.3."""
    y, sign = int.from_bytes(data, "little") % 2**255, data[31] >> 7
    need(len(data) == 32 and y < P25519, "not canonical")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P25519) % P25519
    x = pow(square, (P25519 + 3) // 8, P25519)
    if (x * x - square) % P25519:
        x = x * pow(2, (P25519 - 1) // 4, P25519) % P25519
    need((x * x - square) % P25519 == 0 and (x or not sign), "no point of the curve")
    x = P25519 - x if x & 1 != sign else x
    return (x, y, 1, x * y % P25519)


NEUTRAL = (1).to_bytes(32, "little")
BASE = _decode(b"\x58" + b"\x66" * 31)


@cache
def good_key(key: bytes) -> Extended:
    found = _decode(key)
    need(key != NEUTRAL and _encode(_multiple(found, L)) == NEUTRAL, "a key of another order than L")
    return found


def box_key(key: bytes) -> None:
    """Section 11: an X25519 key that is reduced, and no point of small order."""
    x, z = int.from_bytes(key, "little"), 1
    need(x < P25519, "a key that is not reduced")
    for _ in range(3):
        squares, product = (x * x - z * z) % P25519, x * z % P25519
        x, z = squares * squares % P25519, 4 * product * (x * x + 486662 * product + z * z) % P25519
    need(z, "a key of small order")


@lru_cache(maxsize=4096)
def signed(key: bytes, message: bytes, signature: bytes) -> None:
    public = good_key(key)
    need(len(signature) == 64, "no signature")
    s = int.from_bytes(signature[32:], "little")
    need(s < L, "S is not below L")
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    x, y, z, t = _multiple(public, k)
    minus = (P25519 - x, y, z, P25519 - t)
    need(_encode(_add(_multiple(BASE, s), minus)) == signature[:32], "a signature")

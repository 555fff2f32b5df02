"""A second, plain reading of the proofs at tables without a dealer, and statements to prove and to forge.

`page_mix` and `page_linear` verify a proof as sections 20.5 and 20.6 say it, both sides of every equation
computed and compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from crypto import linear, mix
from crypto.encoding import i2osp
from crypto.engines import ORDER, Point
from crypto.group import G, decode_point, engine, gen
from crypto.lock import Pair
from tests.crypto.crypto_kit import Talk, _com, _sum, fields
from vectors.example import NO_FRESH
from vectors.tables import MIX_STEPS, ExampleDeal, table


def _points(data: Sequence[bytes]) -> list[Point]:
    return [decode_point(point, allow_identity=True) for point in data]


def page_mix(ctx: bytes, h: bytes, before: Sequence[Pair], after: Sequence[Pair], proof: bytes) -> list[bool]:
    """Tell whether S1, S2a, S2c, S3, S4 hold."""
    curve, n = engine(), len(before)
    raw, scalars = fields(proof, 8)
    c1, c2, c3, E_a, E_c, c_d, c_delta, c_Delta = map(curve.decode, raw)
    s = [int.from_bytes(x, "big") for x in scalars]
    f, z_f, z_t, u, z_u, z_s = s[:n], s[n], s[n + 1], s[n + 2 : 2 * n + 2], s[2 * n + 2], s[-1]
    talk = Talk("mix", ctx)
    talk.absorb("statement", h, *(p for pair in before for p in pair), *(p for pair in after for p in pair))
    talk.absorb("permutation", raw[0])
    y = talk.challenge("y")
    talk.absorb("powers", *raw[1:5])
    lam, z = talk.challenge("lambda"), talk.challenge("z")
    talk.absorb("product", *raw[5:])
    x = talk.challenge("x")
    P = 1
    for j in range(1, n + 1):
        P = P * (lam * j + y**j - z) % ORDER
    b = [u[0], *s[2 * n + 3 : 3 * n + 1], x * P]
    c = _sum((lam, c1), (1, c2), *((-z, G(i)) for i in range(n)))

    def half(i: int, base: Point, E: Point) -> bool:
        D, K = _points([pair[i] for pair in before]), _points([pair[i] for pair in after])
        return curve.equal(
            _sum(*zip(f, K, strict=True), (z_t, base)),
            _sum(*((x * y ** (j + 1), D[j]) for j in range(n)), (1, E)),
        )

    return [
        curve.equal(_sum((x, c2), (1, c3)), _com(f, z_f)),
        half(0, gen("lock"), E_a),
        half(1, decode_point(h, allow_identity=True), E_c),
        curve.equal(_sum((x, c), (1, c_d)), _com(u, z_u)),
        curve.equal(
            _sum((x, c_Delta), (1, c_delta)),
            _com([x * b[i] - b[i - 1] * u[i] for i in range(1, n)], z_s),
        ),
    ]


def page_linear(ctx: bytes, statement: linear.Statement, proof: bytes) -> list[bool]:
    """Tell whether L1, and L2 and L3 where there are shares and a claim, hold."""
    curve, claim = engine(), statement.claim
    count = 1 + bool(statement.shares) + (claim is not None)
    raw, scalars = fields(proof, count)
    T = list(map(curve.decode, raw))
    s_x, *s = [int.from_bytes(x, "big") for x in scalars]
    talk = Talk("linear", ctx)
    talk.absorb("statement", statement.lock, *(p for pair in statement.shares for p in pair))
    if claim is None:
        talk.absorb("claim")
    else:
        denied = [t for t in claim.traits if t in claim.lacking]
        pairs = [point for pair in claim.pairs for point in pair]
        talk.absorb("claim", i2osp(len(claim.pairs), 1), *pairs, *(t.encode() for t in denied))
    w = talk.challenge("w")
    talk.absorb("first", *raw)
    e = talk.challenge("e")
    (h,) = _points([statement.lock])
    held = [curve.equal(_sum((s_x, gen("lock"))), _sum((1, T[0]), (e, h)))]
    if statement.shares:
        a, D = (_points([pair[i] for pair in statement.shares]) for i in (0, 1))
        left = _sum(*((w ** (k + 1), point) for k, point in enumerate(a)))
        right = _sum(*((w ** (k + 1), point) for k, point in enumerate(D)))
        held.append(curve.equal(_sum((s_x, left)), _sum((1, T[1]), (e, right))))
    if claim is not None:
        A = _sum(*((1, point) for point in _points([pair.a for pair in claim.pairs])))
        C = _sum(*((1, point) for point in _points([pair.c for pair in claim.pairs])))
        bases = [gen("card/number"), *(gen(f"trait/{t}") for t in claim.traits if t not in claim.lacking)]
        left = _sum((s_x, A), *zip(s, bases, strict=True))
        held.append(curve.equal(left, _sum((1, T[-1]), (e, C))))
    return held


# --- Statements with their proofs ---


@dataclass(frozen=True)
class Mixed:
    """A mix with its proof."""

    ctx: bytes
    joint: bytes
    before: Sequence[Pair]
    after: Sequence[Pair]
    proof: bytes

    def verify(self) -> None:
        mix.verify(self.ctx, self.joint, self.before, self.after, self.proof)

    def held(self) -> list[bool]:
        """By the page."""
        return page_mix(self.ctx, self.joint, self.before, self.after, self.proof)

    def but(self, **changes: Any) -> Mixed:
        return replace(self, **changes)


def seat_0_mixes() -> Mixed:
    """Seat 0's mix of the example table."""
    own = table()
    return Mixed(own.context(0, MIX_STEPS[0], "mix"), own.joint, own.packs[1], own.packs[2], own.proofs[1])


@dataclass(frozen=True)
class Shown:
    """A statement of the linear argument with its proof."""

    ctx: bytes
    statement: linear.Statement
    proof: bytes

    def verify(self) -> None:
        linear.verify(self.ctx, self.statement, self.proof)

    def held(self) -> list[bool]:
        """By the page."""
        return page_linear(self.ctx, self.statement, self.proof)

    def but(self, **changes: Any) -> Shown:
        return replace(self, **changes)


def forged(
    own: ExampleDeal, party: int, ctx: bytes, statement: linear.Statement, secret: linear.Witness
) -> Shown:
    """Return what the prover's algorithm gives, whatever it is fed with."""
    masks = own.secrets[party].masks(NO_FRESH)
    return Shown(ctx, statement, linear.prove(ctx, statement, secret, masks))


def put(data: bytes, start: int, piece: bytes) -> bytes:
    """The data with other bytes from `start` on."""
    return data[:start] + piece + data[start + len(piece) :]


def field_starts(proof: bytes, points: int) -> list[tuple[int, int]]:
    """(start, length) of every field of a proof with so many points."""
    end = 48 * points
    return [(at, 48) for at in range(0, end, 48)] + [(at, 32) for at in range(end, len(proof), 32)]

"""A second reading of docs/protocol.md, section 20: its points, mixes and linear proofs, from the page alone.

It continues `page_proofs` and imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.docs.page_proofs import (
    IDENTITY,
    A,
    Q,
    Stream,
    Talk,
    Terms,
    com,
    gen,
    need,
    number,
    osp,
    point,
    product,
    split,
    th,
    times,
    vanishes,
)

Pairs = Sequence[tuple[bytes, bytes]]
NOTHING = b"\xc0" + bytes(47)


# 20.3

U = gen("lock")


def derived(data: bytes) -> Any:
    """A point that a reader derives: the identity is one."""
    return IDENTITY if data == NOTHING else point(data)


def encoded(found: Any) -> bytes:
    return NOTHING if found == IDENTITY else bytes(found.to_compressed_bytes())


def context(game: bytes, step: int, party: int, key: bytes, kind: str, deal: int) -> bytes:
    return th("table-context", game, osp(step, 4), osp(party, 1), key, kind.encode(), osp(deal, 2))


def face(k: int, traits: Sequence[str]) -> bytes:
    return encoded(product([(k, A[0]), *((1, gen(f"trait/{trait}")) for trait in traits)]))


def joint(locks: Sequence[bytes]) -> bytes:
    return encoded(product([(1, point(lock)) for lock in locks]))


def open_pack(cards: Sequence[bytes], h: bytes) -> list[tuple[bytes, bytes]]:
    return [(encoded(U), encoded(product([(1, derived(card)), (1, derived(h))]))) for card in cards]


def less(c: bytes, shares: Sequence[bytes]) -> bytes:
    return encoded(product([(1, derived(c)), *((-1, point(share)) for share in shares)]))


# 20.5


def mix(ctx: bytes, h: bytes, before: Pairs, after: Pairs, proof: bytes) -> None:
    n = len(before)
    need(n > 1 and len(after) == n, "another number of cards")
    raw, found = split(proof, 8, 3 * n + 2)
    c1, c2, c3, e_a, e_c, c_d, c_s, c_x = map(point, raw)
    f, (z_f, z_t), found = found[:n], found[n : n + 2], found[n + 2 :]
    u, z_u, inner, z_s = found[:n], found[n], found[n + 1 : -1], found[-1]
    talk = Talk("mix", ctx)
    talk.absorb("statement", h, *(p for pair in before for p in pair), *(p for pair in after for p in pair))
    talk.absorb("permutation", raw[0])
    y = talk.challenge("y")
    talk.absorb("powers", *raw[1:5])
    lam, z = talk.challenge("lambda"), talk.challenge("z")
    talk.absorb("product", *raw[5:])
    x = talk.challenge("x")
    whole_product = 1
    for j in range(1, n + 1):
        whole_product = whole_product * (lam * j + pow(y, j, Q) - z) % Q
    b = [u[0], *inner, x * whole_product]
    vanishes([(x, c2), (1, c3), *times(-1, com(f, z_f))], "S1")
    powers = [pow(y, j + 1, Q) for j in range(n)]
    for name, half, base, e in (("S2a", 0, U, e_a), ("S2c", 1, derived(h), e_c)):
        ours = [(f[i], point(after[i][half])) for i in range(n)]
        theirs = [(powers[j], derived(before[j][half])) for j in range(n)]
        vanishes([*ours, (z_t, base), *times(-x, theirs), (-1, e)], name)
    c = [(lam, c1), (1, c2), *com([-z] * n, 0)]
    vanishes([*times(x, c), (1, c_d), *times(-1, com(u, z_u))], "S3")
    steps = [x * b[i] - b[i - 1] * u[i] for i in range(1, n)]
    vanishes([(x, c_x), (1, c_s), *times(-1, com(steps, z_s))], "S4")


# 20.6

Claim = tuple[Pairs, Sequence[str], Sequence[str]]
"""The pairs, all traits of the mode in order, and those that none of the cards has."""


def opening(ctx: bytes, h: bytes, shares: Pairs, claim: Claim | None) -> Talk:
    """The transcript behind "claim"."""
    talk = Talk("linear", ctx)
    talk.absorb("statement", h, *(p for pair in shares for p in pair))
    said: list[bytes] = []
    if claim:
        pairs, traits, denied = claim
        said = [osp(len(pairs), 1), *(p for pair in pairs for p in pair)]
        said += [trait.encode() for trait in traits if trait in denied]
    talk.absorb("claim", *said)
    return talk


def linear(ctx: bytes, h: bytes, shares: Pairs, claim: Claim | None, proof: bytes) -> None:
    pairs, traits, denied = claim or ((), (), ())
    need(claim is None or 1 <= len(pairs) <= 255, "a claim over no positions")
    others = [trait for trait in traits if trait not in denied]
    count = 1 + bool(shares) + bool(claim)
    raw, (s_x, *inner) = split(proof, count, 2 + len(others) if claim else 1)
    first = [*map(point, raw)]
    talk = opening(ctx, h, shares, claim)
    w = talk.challenge("w")
    talk.absorb("first", *raw)
    e = talk.challenge("e")
    vanishes([(s_x, U), (-1, first[0]), (-e, point(h))], "L1")
    if shares:
        weights = [pow(w, k, Q) for k in range(1, len(shares) + 1)]
        left = [(s_x * by, point(a)) for by, (a, _) in zip(weights, shares, strict=True)]
        right = [(-e * by, point(D)) for by, (_, D) in zip(weights, shares, strict=True)]
        vanishes([*left, *right, (-1, first[1])], "L2")
    if claim:
        bases = [A[0], *(gen(f"trait/{trait}") for trait in others)]
        sides: Terms = [(s_x, point(a)) for a, _ in pairs]
        sides += [(-e, derived(c)) for _, c in pairs]
        vanishes([*sides, *zip(inner, bases, strict=True), (-1, first[-1])], "L3")


# 20.11


def secrets(w: bytes, lock_asked: bytes, mix_asked: bytes, n: int) -> tuple[int, list[int], list[int]]:
    """x, the permutation, and the t_i."""
    order = Permutation(w, mix_asked).draw(range(n), n)
    t = [number(th("mix-blinding", w, mix_asked, osp(i, 2))) % Q for i in range(n)]
    return number(th("lock-key", w, lock_asked)) % Q, order, t


class Permutation(Stream):
    label = "mix-permutation"


def masks(w: bytes, state: bytes, witness: bytes, fresh: bytes, count: int) -> list[int]:
    return [number(th("mask", w, state, witness, fresh, osp(j, 4))) % Q for j in range(count)]

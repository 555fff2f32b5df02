"""Locks, and the cards under them, at tables without a dealer (protocol sections 20.3, 20.4 and 20.7).

A party's lock is h_j = x_j U for its secret key x_j. A card is a point M, and it lies under locks as a
*pair* (a, c) with c = M + sum of x_j a over the parties that lock it. A party takes its lock off with the
*share* x_j a. Whose share is known, locks the card no more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from crypto.encoding import EncodingError, i2osp
from crypto.group import POINT_BYTES, A, B, Engine, Point, U, decode_point, engine, made, prover
from crypto.transcript import tuple_hash

HOUSE = 255
"""The number of the house as a party; seats have their own numbers."""


class Pair(NamedTuple):
    """A card under locks: a = r U and c = M + r times the locks, each a point of 48 bytes."""

    a: bytes
    c: bytes


def context(game: bytes, step: int, party: int, key: bytes, kind: str, deal: int) -> bytes:
    """The context ctx to which the proof of a message is bound (protocol section 20.3).

    Parameters: the game id (16 bytes), step and kind of the message's entry, the party's number and its
    Ed25519 key, and the number of the deal that is being made or played.
    """
    return tuple_hash(
        "table-context", game, i2osp(step, 4), i2osp(party, 1), key, kind.encode(), i2osp(deal, 2)
    )


def lock(key: int) -> bytes:
    """h_j = x_j U, the lock of a key."""
    curve = prover()
    return made(curve.mul(U(on=curve), key), on=curve)


def joint(locks: Iterable[bytes]) -> bytes:
    """The joint lock: the sum of all parties' locks. It may be the identity, with a chance of 1/q.

    Raises EncodingError for a malformed lock.
    """
    curve = engine()
    total = curve.identity
    for point in locks:
        total = curve.add(total, decode_point(point))
    return made(total, on=curve)


@lru_cache(maxsize=4096)
def _face(curve: Engine, number: int, traits: tuple[str, ...]) -> Point:
    total = curve.mul(A(0, on=curve), number)
    for trait in traits:
        total = curve.add(total, B(trait, on=curve))
    return total


def card(number: int, traits: Collection[str]) -> bytes:
    """The point of a card: M = k A_0 + the sum of B_t over its traits, for its number k = 1, 2, ...

    Raises ValueError for another number, a trait named twice, or a name that is none.
    """
    if number < 1 or len(set(traits)) != len(traits):
        raise ValueError("a card has a number from 1 on, and each trait once")
    curve = engine()
    return made(_face(curve, number, tuple(sorted(traits))), on=curve)


def open_pack(cards: Sequence[bytes], joint_lock: bytes) -> tuple[Pair, ...]:
    """The pack in canonical order, before anybody has mixed it: D_i = (U, M_i + h)."""
    curve = engine()
    h, base = decode_point(joint_lock, allow_identity=True), made(U(), on=curve)
    return tuple(
        Pair(base, made(curve.add(decode_point(point, allow_identity=True), h), on=curve)) for point in cards
    )


def share(key: int, a: bytes) -> bytes:
    """D = x_j a, which takes the lock of a key off the card whose pair has this `a`."""
    curve = prover()
    return made(curve.mul(decode_point(a, on=curve), key), on=curve)


def less(c: bytes, shares: Iterable[bytes]) -> bytes:
    """c less these shares: under no further lock it is the card's point M. It may be the identity.

    Raises EncodingError for a malformed point.
    """
    curve = engine()
    total = decode_point(c, allow_identity=True)
    for point in shares:
        total = curve.add(total, curve.neg(decode_point(point)))
    return made(total, on=curve)


def joined(points: Iterable[bytes]) -> bytes:
    """Points as one byte string, as messages hold them."""
    return b"".join(points)


def parted(data: bytes, count: int) -> tuple[bytes, ...]:
    """The points of a byte string that must hold `count` of them; EncodingError for another length.

    The points are not decoded; whoever makes equations of them does that.
    """
    if len(data) != POINT_BYTES * count:
        raise EncodingError(f"the list has {len(data)} bytes where {count} points belong")
    return tuple(data[at : at + POINT_BYTES] for at in range(0, len(data), POINT_BYTES))


def pack_bytes(pack: Iterable[Pair]) -> bytes:
    """A pack as one byte string: K_0.a, K_0.c, K_1.a, ..."""
    return joined(point for pair in pack for point in pair)


def pack_of(data: bytes, count: int) -> tuple[Pair, ...]:
    """The pack of `count` cards in a byte string; EncodingError for another length."""
    points = parted(data, 2 * count)
    return tuple(map(Pair, points[::2], points[1::2]))

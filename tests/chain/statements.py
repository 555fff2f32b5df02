"""Statements for the contracts: seals of any size, as a chef makes them, and published match decks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from chain.points import ys
from chain.verifiers import SHUFFLE_POINTS, Verdict, Verifiers
from crypto import meal
from crypto.engines import ORDER
from crypto.group import POINT_BYTES, card_point
from crypto.transcript import tuple_hash
from tests.paths import VECTORS

COURSES = 3


def _masks(name: str) -> Iterator[int]:
    for i in count():
        digest = tuple_hash("tests/mask", name.encode(), i.to_bytes(4, "big"))
        yield int.from_bytes(digest, "big") % ORDER


def points_of(proof: bytes, size: int) -> list[bytes]:
    return [proof[at : at + POINT_BYTES] for at in range(0, POINT_BYTES * size, POINT_BYTES)]


@dataclass(frozen=True)
class Sealed:
    """A seal with what a contract wants of it, and with any part of it replaced."""

    ctx: bytes
    hand: Sequence[bytes]
    courses: int
    seal: bytes
    proof: bytes

    @property
    def ys(self) -> bytes:
        return ys([*self.hand, self.seal, *points_of(self.proof, 3 + self.courses)])

    def asked(self, verifiers: Verifiers, **changed: Any) -> Verdict:
        given = {**vars(self), "y": self.ys} | changed
        return verifiers.seal(**given)


def published(number: int = 0) -> Sealed:
    vector = json.loads((VECTORS / "meal.json").read_text())[number]
    hand = [bytes.fromhex(point) for point in vector["input"]["points"]]
    ctx, seal, proof = (bytes.fromhex(vector["output"][name]) for name in ("ctx", "seal", "proof"))
    return Sealed(ctx, hand, vector["input"]["courses"], seal, proof)


def sealed(cards: int) -> Sealed:
    """A seal of three courses with one card in them, out of so many in hand."""
    masks = _masks(f"seal of {cards}")
    vectors = [(1000 + j, 0, 0, 0, 0, 0, 0) for j in range(cards)]
    blindings = [next(masks) for _ in range(cards)]
    hand = [card_point(vector, blinding) for vector, blinding in zip(vectors, blindings, strict=True)]
    ctx = tuple_hash("tests/context")
    boxes = [1 if j == 0 else 0 for j in range(cards)]
    made = meal.prove(ctx, hand, vectors, blindings, boxes, COURSES, masks)
    return Sealed(ctx, hand, COURSES, made.seal, made.proof)


@dataclass(frozen=True)
class Shuffled:
    """A match deck with its proof."""

    ctx: bytes
    before: Sequence[bytes]
    after: Sequence[bytes]
    proof: bytes

    @property
    def ys(self) -> bytes:
        return ys([*self.before, *self.after, *points_of(self.proof, SHUFFLE_POINTS)])

    def asked(self, verifiers: Verifiers, **changed: Any) -> Verdict:
        given = {**vars(self), "y": self.ys} | changed
        return verifiers.deck(**given)


def match_deck() -> Shuffled:
    vector = json.loads((VECTORS / "shuffle.json").read_text())[0]
    given = vector["input"] | vector["output"]
    before, after = ([bytes.fromhex(point) for point in given[name]] for name in ("cards", "positions"))
    return Shuffled(bytes.fromhex(given["ctx"]), before, after, bytes.fromhex(given["proof"]))

"""Chefs who prove match decks and meals, with what the rooms have and nothing else: also in a browser."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from crypto import certificate, meal, shuffle
from crypto.encoding import canonical
from crypto.fairness import Chain
from crypto.group import ORDER
from crypto.secret import Masks, MatchSecret

CARDS = 40
COURSES = 3
HAND = 24
"""Cards in hand in a tenth round: six, and two more in each of nine rounds."""
DISH = [(9, 1, -1, 0, -1, -1, 0), (1, 0, 1, 0, 0, 0, 0), (2, 0, 0, 0, 1, 0, 0), (3, 0, 0, 0, 0, 1, 0)]
"""Vectors of a recipe for a starch, an oil and a protein, and of an ingredient of each."""


@dataclass(frozen=True, slots=True)
class DeckShown:
    """A match deck and its proof, as validation gets them."""

    context: bytes
    cards: tuple[bytes, ...]
    positions: tuple[bytes, ...]
    proof: bytes


@dataclass(frozen=True, slots=True)
class MealShown:
    """A sealed meal and its proof, as validation gets them."""

    context: bytes
    hand: tuple[bytes, ...]
    courses: int
    seal: bytes
    proof: bytes


class BenchmarkChef:
    """A chef at one table, with 40 shuffled cards. The same `seed` gives the same chef."""

    def __init__(self, seed: int) -> None:
        dice = Random(seed)
        self._w, self._game, self._key = dice.randbytes(32), dice.randbytes(16), dice.randbytes(32)
        self._secret = MatchSecret(self._w)
        self._vectors = [DISH[i % len(DISH)] for i in range(CARDS)]
        self.cards = certificate.card_points(self._secret.certificate_seed, self._vectors)

    @cached_property
    def _anchor(self) -> bytes:
        return Chain(self._w + self._w).anchor

    @cached_property
    def _blindings(self) -> list[int]:
        return [self._secret.position_blinding(i) for i in range(CARDS)]

    @cached_property
    def positions(self) -> tuple[bytes, ...]:
        """The commitments of the match deck from which `meal` proves."""
        return shuffle.positions(self.cards, self._secret.permutation, self._blindings)

    def deck(self) -> Callable[[], DeckShown]:
        """Return work that proves a new match deck of the certified cards."""
        order = self._secret.permutation
        t = [secrets.randbelow(ORDER) for _ in range(CARDS)]
        positions = shuffle.positions(self.cards, order, t)
        context = shuffle.context(self._game, 0, self._key, bytes(64), self._anchor, self._anchor)
        masks = Masks(self._w, context, canonical(list(order)), secrets.token_bytes(32))

        def work() -> DeckShown:
            proof = shuffle.prove(context, self.cards, positions, order, t, masks)
            return DeckShown(context, self.cards, positions, proof)

        return work

    def meal(self, cards: int = HAND) -> Callable[[], MealShown]:
        """Return work that proves a meal from the first `cards` positions, with up to three dishes."""
        order, hand = self._secret.permutation, range(cards)
        boxes = _dishes([order[i] % len(DISH) for i in hand])
        points = self.positions[:cards]
        vectors = [self._vectors[order[i]] for i in hand]
        seed = self._secret.certificate_seed
        r = [(certificate.blinding(seed, order[i]) + self._blindings[i]) % ORDER for i in hand]
        context = meal.context(self._game, cards, 0, self._key, bytes(64), bytes(64), COURSES, hand)
        masks = Masks(self._w, context, canonical(boxes), secrets.token_bytes(32))

        def work() -> MealShown:
            sealed = meal.prove(context, points, vectors, r, boxes, COURSES, masks)
            return MealShown(context, points, COURSES, sealed.seal, sealed.proof)

        return work


def _dishes(kinds: Sequence[int]) -> list[int]:
    """The box of every card in hand: the course of its dish, or 0. A dish takes one card of each kind."""
    boxes = [0] * len(kinds)
    of_kind = [[i for i, kind in enumerate(kinds) if kind == wanted] for wanted in range(len(DISH))]
    for course, dish in enumerate(list(zip(*of_kind, strict=False))[:COURSES], 1):
        for i in dish:
            boxes[i] = course
    return boxes


@cache
def chef(seed: int) -> BenchmarkChef:
    """The chef of that seed, made once in each process."""
    return BenchmarkChef(seed)

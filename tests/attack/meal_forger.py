"""Forgers of sealed meals: each needs one message to be its own choice after the challenge.

A forger knows the openings of its hand. What its seal B commits to is `Forged.slots` and `blinding`, and
`Forged.is_a_legal_meal` judges that from the openings, so that every forgery proves something false.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crypto import meal
from crypto.group import ORDER, card_point, encode_scalar
from crypto.transcript import Transcript
from tests.attack.algebra import Vector, axis, blind, com, scalars, solved, total
from tests.crypto.crypto_kit import RICE, SALT, TOAST, TUNA, meal_context, vector

ANY = com([], 1)
"""The stand-in for a message until the forger knows better."""
BIG_TOAST = vector(1103, True, -2)
"""A recipe that costs two starch."""
BALANCED, TWICE, SHORT = "balanced", "a card twice", "a cost short by one"
HAND = (RICE, TOAST, BIG_TOAST, SALT, TUNA)


@dataclass(frozen=True)
class Kitchen:
    """A hand with its openings."""

    ctx: bytes
    courses: int
    vectors: Sequence[Vector]
    blindings: Sequence[int]
    hand: Sequence[bytes]

    def accepted(self, seal: bytes, proof: bytes) -> bool:
        """Tell whether the verifier, such as it is now, takes the seal."""
        try:
            meal.verify(self.ctx, self.hand, self.courses, seal, proof)
        except meal.ProofError:
            return False
        return True


def kitchen(courses: int = 3, **place: object) -> Kitchen:
    """The hand of all forgers here, and its place."""
    r = scalars(random.Random(courses), len(HAND))
    points = [card_point(a, blinding) for a, blinding in zip(HAND, r, strict=True)]
    return Kitchen(meal_context(courses, len(HAND), **place), courses, HAND, r, points)


@dataclass(frozen=True)
class Forged:
    """A seal, its proof, and what the seal commits to."""

    own: Kitchen
    seal: bytes
    proof: bytes
    slots: Sequence[int]
    blinding: int

    def accepted(self) -> bool:
        """Tell whether the verifier, such as it is now, takes it."""
        return self.own.accepted(self.seal, self.proof)

    def is_a_legal_meal(self) -> bool:
        """Tell whether the seal's own content is one: bits, each card in one place, every course balanced."""
        own, width = self.own, self.own.courses + 1
        assert com(self.slots, self.blinding) == self.seal
        for a, r, point in zip(own.vectors, own.blindings, own.hand, strict=True):
            assert card_point(a, r) == point
        if any(bit % ORDER not in (0, 1) for bit in self.slots):
            return False
        rows = [self.slots[width * j : width * (j + 1)] for j in range(len(own.hand))]
        recipes = self.slots[width * len(rows) :]
        served = [
            [sum(row[c] * a[k] for row, a in zip(rows, own.vectors, strict=True)) % ORDER for k in range(7)]
            for c in range(1, width)
        ]
        legal = [[sums[0], g, 0, 0, 0, 0, 0] for sums, g in zip(served, recipes, strict=True)]
        return served == legal and all(sum(row) == 1 for row in rows)


def choices(kind: str, courses: int, at: int = 1) -> list[list[int]]:
    """b_{j,c} of the hand for c >= 1: everything stays in hand but for what course `at` gets."""
    weights = {BALANCED: {0: 1, 1: 1}, TWICE: {0: 2, 2: 1}, SHORT: {0: 1, 2: 1}}[kind]
    return [[weights.get(j, 0) * (c == at) for c in range(1, courses + 1)] for j in range(len(HAND))]


def slots(rows: Sequence[Vector], rest: int, per_course: Vector) -> list[int]:
    """All slots: box 0 of each row, the row, then the values of the courses."""
    return [*(value for row in rows for value in (rest - sum(row), *row)), *per_course]


class Forger:
    """A prover who bends one thing; every other value is the honest one."""

    def __init__(
        self,
        own: Kitchen,
        rows: list[list[int]],
        rng: random.Random,
        free: str = "",
        seal: str = "",
        solve: bool = True,
    ) -> None:
        """`rows` is what it proves; `free` is chosen last; `seal` is what B holds where A is free.

        Without `solve` it sends what it had said before: one that hopes that nobody looks at that equation.
        """
        self.own, self.free, self.rng, self.solve = own, free, rng, solve
        C, m = own.courses, len(own.hand)
        self.rows, self.recipes = rows, [sum(row[c] * a[1] for row, a in self._cards(rows)) for c in range(C)]
        self.a, self.e = [scalars(rng, C) for _ in range(m)], scalars(rng, C)
        self.r_B, self.r_A, self.r_Q, self.r_S, self.any = scalars(rng, 5)
        self.t, self.u = scalars(rng, C), scalars(rng, C)
        self.bits = slots(rows, 1, self.recipes)
        other = choices(seal, C) if seal else rows
        recipes = [sum(row[c] * a[1] for row, a in self._cards(other)) for c in range(C)]
        self.sealed = slots(other, 1, recipes)
        self.masked = slots(self.a, 0, self.e)

    def _cards(self, rows: list[list[int]]) -> list[tuple[list[int], Vector]]:
        return list(zip(rows, self.own.vectors, strict=True))

    def run(self) -> Forged:
        """B and the first messages, the challenge, the answers, then what was left to choose."""
        own, mask = self.own, self.masked
        # Where B is free, A may hold anything else than the masks: B will make up for it.
        held = [value + self.any for value in mask] if self.free == "B" else mask
        sent = {
            "B": com(self.sealed, self.r_B),
            "A": com(held, self.r_A),
            "Q": com([m * (1 - 2 * b) for m, b in zip(mask, self.bits, strict=True)], self.r_Q),
            "S": com([-m * m for m in mask], self.r_S),
            **{f"W{c + 1}": self._balance(c) for c in range(own.courses)},
        }
        hand = list(own.hand)
        if self.free in sent:
            sent[self.free] = ANY
        elif self.free:
            hand[int(self.free)] = ANY
        talk = Transcript("meal", own.ctx)
        talk.absorb("hand", *hand)
        talk.absorb("meal", *sent.values())
        return self._answer(sent, talk.challenge("x"))

    def _balance(self, c: int) -> bytes:
        """W_c = sum_j a_{j,c} K_j - t_c A_0 - e_c A_1 - u_c H."""
        masks = zip((row[c] for row in self.a), self.own.hand, strict=True)
        base = [(-self.t[c], axis(0)), (-self.e[c], axis(1)), (-self.u[c], blind())]
        return total(*masks, *base)

    def _answer(self, sent: dict[str, bytes], x: int) -> Forged:
        own, C = self.own, range(self.own.courses)
        f = [[x * b + a for b, a in zip(*pair, strict=True)] for pair in zip(self.rows, self.a, strict=True)]
        f_g = [x * g + e for g, e in zip(self.recipes, self.e, strict=True)]
        z_A, z_Q = x * self.r_B + self.r_A, x * self.r_Q + self.r_S
        numbers = [sum(row[c] * a[0] for row, a in self._cards(self.rows)) for c in C]
        sums = [sum(row[c] * r for row, r in zip(self.rows, own.blindings, strict=True)) for c in C]
        n = [x * value + t for value, t in zip(numbers, self.t, strict=True)]
        k = [x * value + u for value, u in zip(sums, self.u, strict=True)]
        all_f = slots(f, x, f_g)
        changed, opened = own, (self.sealed, self.r_B)
        match self.free if self.solve else "":
            case "A":
                sent["A"] = solved([(x, sent["B"]), (-1, com(all_f, z_A))], 1)
            case "B":
                sent["B"] = solved([(1, sent["A"]), (-1, com(all_f, z_A))], x)
                shift = self.any * pow(x, -1, ORDER)
                opened = [bit - shift for bit in self.bits], self.r_B
            case "Q":
                sent["Q"] = solved([(1, sent["S"]), (-1, com([v * (x - v) for v in all_f], z_Q))], x)
            case "S":
                sent["S"] = solved([(x, sent["Q"]), (-1, com([v * (x - v) for v in all_f], z_Q))], 1)
            case name if name.startswith("W"):
                c = int(name[1:]) - 1
                base = [(-n[c], axis(0)), (-f_g[c], axis(1)), (-k[c], blind())]
                sent[name] = total(*zip((row[c] for row in f), own.hand, strict=True), *base)
            case at if at:
                changed = self._choose_card(int(at), x * pow(f[int(at)][0], -1, ORDER))
        n_and_k = [value for pair in zip(n, k, strict=True) for value in pair]
        values = [*(value for row in f for value in row), *f_g, z_A, z_Q, *n_and_k]
        seal, *points = sent.values()
        proof = b"".join([*points, *map(encode_scalar, values)])
        return Forged(changed, seal, proof, *opened)

    def _choose_card(self, j: int, share: int) -> Kitchen:
        """K_j that makes M3 of course 1 right, where card j is served alone: f K_j' = f K_j - x nets_j."""
        own = self.own
        number, recipe, *nets = own.vectors[j]
        vectors, hand = list(own.vectors), list(own.hand)
        vectors[j] = [number, recipe, *(net - share * net for net in nets)]
        hand[j] = card_point(vectors[j], own.blindings[j])
        return replace(own, vectors=vectors, hand=hand)

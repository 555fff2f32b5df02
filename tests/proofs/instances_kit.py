"""Small statements with proofs of random numbers, once as bytes for `crypto` and once as Coq's terms.

Nothing here has to be true: an equation has its coefficients for any numbers. Points have names, which are
integers on Coq's side. A Coq point is the list of the names that it is the sum of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from crypto import linear, meal, mix, shuffle
from crypto.group import (
    ORDER,
    VECTOR,
    A,
    B,
    G,
    H,
    Point,
    U,
    commit,
    decode_point,
    encode_point,
    encode_scalar,
    engine,
    gen,
)
from crypto.lock import Pair
from crypto.transcript import Transcript
from crypto.verifier import Equation

TRAITS = ("red", "green", "blue", "gold")
_CTX = b"any context"
_BLIND, _LOCK, _CARD, _TRAIT, _SLOT, _OTHER = 0, 1, 10, 100, 1000, 10_000
GENERATORS = f"""
Definition gen (g : generator) : seq Z :=
  match g with
  | H => [:: {_BLIND}%Z]
  | U => [:: {_LOCK}%Z]
  | A k => [:: {_CARD}%Z + Z.of_nat k]%Z
  | B t => [:: {_TRAIT}%Z + Z.of_nat t]%Z
  | G i => [:: {_SLOT}%Z + Z.of_nat i]%Z
  end.
"""
"""The names of the generators, for Coq; `Instance.point` has them for Python."""

Coefficients = dict[bytes, int]
"""What an equation says: the coefficient mod q of each point, by the point's 48 bytes, where it is not 0."""


@dataclass
class Instance:
    """One statement and proof: what Python makes of it, and how Coq is asked for the same."""

    module: str
    """The module of proofs/Equations.v."""
    chance: Random
    others: list[bytes] = field(default_factory=list)
    """The points that are no generators."""
    python: list[tuple[str, Coefficients]] = field(default_factory=list)
    """The Python's equations in order, with the names that their definitions have in Coq."""
    coq: str = ""
    """The term that Coq evaluates; {M} stands for the module."""

    def scalar(self) -> int:
        """A random scalar that is not 0; small, since Coq takes its time to read and to print numbers."""
        return self.chance.randrange(1, 2**24)

    def scalars(self, count: int) -> list[int]:
        """Random scalars that are not 0."""
        return [self.scalar() for _ in range(count)]

    def points(self, count: int) -> list[bytes]:
        """Random points; `names` knows them."""
        new = [commit([1], self.scalar()) for _ in range(count)]
        self.others += new
        return new

    def point(self, name: int) -> Point:
        """The point of a name."""
        if name >= _OTHER:
            return decode_point(self.others[name - _OTHER])
        if name >= _SLOT:
            return G(name - _SLOT)
        if name >= _TRAIT:
            return B(TRAITS[name - _TRAIT])
        if name >= _CARD:
            entry = name - _CARD
            return A(entry) if entry < len(VECTOR) else gen(f"card/{entry}")  # that one is a mutant's
        return {_BLIND: H(), _LOCK: U()}[name]

    def name(self, point: bytes) -> str:
        """Coq's point for one of `points`, or for U."""
        number = _LOCK if point == encode_point(U()) else _OTHER + self.others.index(point)
        return f"[:: {number}%Z]"

    def names(self, points: Iterable[bytes]) -> str:
        """Coq's function from an index to a point."""
        return f"(nth [::] [:: {'; '.join(map(self.name, points))}])"

    def said(self, equations: Iterable[Iterable[tuple[int, Sequence[int]]]]) -> list[Coefficients]:
        """What equations say that Coq has printed."""
        return [
            _coefficients((scalar, self._sum(names)) for scalar, names in equation) for equation in equations
        ]

    def _sum(self, names: Iterable[int]) -> Point:
        total = engine().identity
        for name in names:
            total = engine().add(total, self.point(name))
        return total

    def take(self, names: Sequence[str], equations: Sequence[Equation]) -> None:
        """Keep equations of the Python under the names of their definitions in Coq."""
        self.python += zip(names, map(_coefficients, equations), strict=True)


def _coefficients(terms: Iterable[tuple[int, Point]]) -> Coefficients:
    found: Coefficients = {}
    for scalar, point in terms:
        data = encode_point(point)
        found[data] = (found.get(data, 0) + scalar) % ORDER
    found.pop(encode_point(engine().identity), None)
    return {data: scalar for data, scalar in found.items() if scalar}


def _number(value: int) -> str:
    return f"{value}%Z"


def _numbers(values: Iterable[int]) -> str:
    """Coq's function from an index to a scalar."""
    return f"(nth 0%Z [:: {'; '.join(map(_number, values))}])"


def _indices(values: Iterable[int]) -> str:
    return f"[:: {'; '.join(f'{value}%nat' for value in values)}]"


def _proof(points: Iterable[bytes], scalars: Iterable[int]) -> bytes:
    return b"".join((*points, *map(encode_scalar, scalars)))


def _challenged(challenges: dict[str, int], equations: Callable[[], list[Equation]]) -> list[Equation]:
    """The equations under given challenges, each by its name in the transcript."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "challenge", lambda _, name: challenges[name])
        return equations()


def linear_instance(chance: Random, shares: int, cards: int, others: Sequence[int]) -> Instance:
    """A linear proof: `others` are the indices of the traits outside S. No cards, no claim."""
    it = Instance("Linear", chance)
    w, e, s_x, s_n, *s_t = it.scalars(4 + len(others))
    [h], a, D = it.points(1), it.points(shares), it.points(shares)
    a_p, c_p, T = it.points(cards), it.points(cards), it.points(3)
    lacking = [trait for t, trait in enumerate(TRAITS) if t not in others]
    claim = linear.Claim([*map(Pair, a_p, c_p)], TRAITS, lacking) if cards else None
    statement = linear.Statement(h, [*zip(a, D, strict=True)], claim)
    used = [T[i] for i, there in enumerate((True, shares > 0, cards > 0)) if there]
    proof = _proof(used, [s_x, s_n, *s_t] if cards else [s_x])
    found = _challenged({"w": w, "e": e}, lambda: linear.equations(_CTX, statement, proof))
    it.take(statement.names, found)
    # The pairs of (L2) are numbered from 1: index 0 is never read.
    claimed = f"(Some ({{M}}.Claim {cards} {it.names(a_p)} {it.names(c_p)} {_indices(others)}))"
    it.coq = (
        f"{{M}}.equations (R := Z_comRingType) gen flatten {_number(w)} {_number(e)}"
        f" ({{M}}.Statement {it.name(h)} {shares} {it.names([h, *a])} {it.names([h, *D])}"
        f" {claimed if cards else 'None'})"
        f" ({{M}}.Proof (R := Z_comRingType) {' '.join(map(it.name, T))}"
        f" {_number(s_x)} {_number(s_n)} {_by_trait(others, s_t)})"
    )
    return it


def _by_trait(others: Sequence[int], values: Sequence[int]) -> str:
    """Coq's function from a trait's number to its scalar."""
    by_trait = dict(zip(others, values, strict=True))
    return _numbers(by_trait.get(t, 0) for t in range(len(TRAITS)))


def meal_instance(chance: Random, m: int, courses: int) -> Instance:
    """A meal proof for m cards in hand, the opening of its seal, and that of a card."""
    it = Instance("Meal", chance)
    x, z_A, z_Q, blinding = it.scalars(4)
    rows = [it.scalars(courses) for _ in range(m)]
    f_g, n, k, recipes = (it.scalars(courses) for _ in range(4))
    vector = it.scalars(len(VECTOR))
    boxes = [chance.randrange(courses + 1) for _ in range(m)]
    K, W, [seal, *firsts] = it.points(m), it.points(courses), it.points(4)
    sums = [value for pair in zip(n, k, strict=True) for value in pair]
    proof = _proof([*firsts, *W], [*(f for row in rows for f in row), *f_g, z_A, z_Q, *sums])
    it.take(
        ["M1", "M2", *["M3"] * courses],
        _challenged({"x": x}, lambda: meal.equations(_CTX, K, courses, seal, proof)),
    )
    it.take(["opening_of_seal"], meal.opening_of_seal(seal, boxes, recipes, courses, blinding))
    it.take(["opening_of_card"], meal.opening_of_card(seal, vector, blinding))
    row_lists = "; ".join(_numbers(row) for row in rows)
    it.coq = (
        f"let s := {{M}}.Statement {m} {it.names(K)} {courses} in"
        f" {{M}}.equations (R := Z_comRingType) gen {_number(x)} s"
        f" ({{M}}.Proof (R := Z_comRingType) {' '.join(map(it.name, (seal, *firsts)))} {it.names(W)}"
        f" (nth (fun=> 0%Z) [:: {row_lists}]) {_numbers(f_g)} {_number(z_A)} {_number(z_Q)}"
        f" {_numbers(n)} {_numbers(k)})"
        f" ++ [:: {{M}}.opening_of_seal (R := Z_comRingType) gen s {it.name(seal)}"
        f" (nth 0%nat {_indices(boxes)}) {_numbers(recipes)} {_number(blinding)};"
        f" {{M}}.opening_of_card (R := Z_comRingType) gen {it.name(seal)} {_numbers(vector)}"
        f" {_number(blinding)}]"
    )
    return it


def shuffle_instance(chance: Random, module: str, n: int) -> Instance:
    """A proof of the permutation of n cards.

    `module` says whose statement it is: Shuffle has one half, Mix has two. Permutation has the two of a mix,
    which Coq gets as they are.
    """
    it = Instance(module, chance)
    halves = 1 if module == "Shuffle" else 2
    y, lam, z, x, z_f, z_t, z_u, z_s = it.scalars(8)
    f, u, inner = it.scalars(n), it.scalars(n), it.scalars(n - 2)
    before, after = ([it.points(n) for _ in range(halves)] for _ in range(2))
    c1, c2, c3, c_d, c_delta, c_Delta, h = it.points(7)
    E = it.points(halves)
    proof = _proof([c1, c2, c3, *E, c_d, c_delta, c_Delta], [*f, z_f, z_t, *u, z_u, *inner, z_s])

    def equations() -> list[Equation]:
        if halves == 1:
            return shuffle.equations(_CTX, before[0], after[0], proof)
        old, new = ([*map(Pair, *points)] for points in (before, after))
        return mix.equations(_CTX, h, old, new, proof)

    it.take(
        ["S1", *["S2"] * halves, "S3", "S4"],
        _challenged({"y": y, "lambda": lam, "z": z, "x": x}, equations),
    )
    D, K = ([*map(it.names, points)] for points in (before, after))
    if module == "Shuffle":
        statement = f"{{M}}.statement gen {n} {D[0]} {K[0]}"
    elif module == "Mix":
        statement = (
            f"{{M}}.statement gen {n} {it.name(h)} ({{M}}.Pack {' '.join(D)}) ({{M}}.Pack {' '.join(K)})"
        )
    else:
        bases = [it.name(encode_point(U())), it.name(h)]
        made = [f"{{M}}.Half {' '.join(half)}" for half in zip(D, K, bases, strict=True)]
        statement = f"{{M}}.Statement {n} 2 (nth ({made[0]}) [:: {'; '.join(made)}])"
    argument = "{M}" if module == "Permutation" else "Permutation"
    # The inner b~ are numbered from 1 to n - 2: index 0 is never read.
    it.coq = (
        f"{argument}.equations (R := Z_comRingType) gen {' '.join(map(_number, (y, lam, z, x)))}"
        f" ({statement})"
        f" ({argument}.Proof (R := Z_comRingType) {' '.join(map(it.name, (c1, c2, c3)))} {it.names(E)}"
        f" {' '.join(map(it.name, (c_d, c_delta, c_Delta)))} {_numbers(f)} {_number(z_f)} {_number(z_t)}"
        f" {_numbers(u)} {_number(z_u)} {_numbers([0, *inner])} {_number(z_s)})"
    )
    return it

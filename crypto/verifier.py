"""Many equations, one multi-scalar product (protocol section 8, "Verification as one sum").

Shuffle proofs, meal proofs and openings all become equations between points. One weighted sum checks
them all at once. A sum that fails is halved until the bad proofs are found, by the quick binary search
of Law and Matt ("Finding Invalid Signatures in Pairing-Based Batches", 2007). The weights stay the same,
so only one half needs a product; the other half's result is the difference.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence

from crypto.group import Engine, Point, engine
from crypto.transcript import ProofError

__all__ = ["Equation", "ProofError", "Sum", "check", "require"]

Equation = list[tuple[int, Point]]
"""Terms (scalar, point) whose sum of scalar * point must be the identity; points of the checking engine."""

_WEIGHT_BITS = 128

_Terms = dict[int, tuple[int, Point]]
"""A sum that is not computed yet: the scalar (not reduced) and the point, by the `id` of the point's object.

Each generator is one object, and so is each decoded point while `crypto.group` caches it. Two objects
for one point only cost one more term.
"""


def _weights() -> Iterator[int]:
    """Independent random weights of 128 bits. The first is 1, since only the ratios matter."""
    yield 1
    while True:
        yield secrets.randbits(_WEIGHT_BITS)


def _add(terms: _Terms, more: Iterable[tuple[int, Point]], weight: int = 1) -> None:
    """Add weight * more to `terms`."""
    for scalar, point in more:
        key = id(point)
        held = terms.get(key)
        terms[key] = (weight * scalar if held is None else held[0] + weight * scalar, point)


class Sum:
    """One weighted sum of proofs that are added one by one. It keeps terms, not whole equations."""

    def __init__(self, on: Engine | None = None) -> None:
        """The points are values of the engine `on`, by default `engine()`."""
        self._curve = on or engine()
        self._weights = _weights()
        self._parts: list[_Terms] = []
        self._total: _Terms = {}
        self.held = 0
        """The number of terms of all proofs, counted for each proof separately: a measure of memory."""

    @property
    def terms(self) -> int:
        """The number of different points, which is the length of the product."""
        return len(self._total)

    def add(self, proof: Iterable[Equation]) -> None:
        """Add a proof, given as its equations; ValueError if there are none."""
        part: _Terms = {}
        for equation in proof:
            _add(part, equation, next(self._weights))
        if not part:
            raise ValueError("a proof without equations shows nothing")
        self._parts.append(part)
        self.held += len(part)
        _add(self._total, part.values())

    def check(self) -> list[bool]:
        """Tell for each proof, in the order they were added, whether all its equations hold (see `check`)."""
        if not self._parts:
            return []
        return self._search(self._parts, self._product(self._total))

    def _product(self, terms: _Terms) -> Point:
        return self._curve.msm(
            [point for _, point in terms.values()], [scalar for scalar, _ in terms.values()]
        )

    def _search(self, parts: Sequence[_Terms], total: Point) -> list[bool]:
        """Tell for each part whether its sum is the identity; `total` is the sum of all parts."""
        curve = self._curve
        if curve.equal(total, curve.identity):
            return [True] * len(parts)
        if len(parts) == 1:
            return [False]
        middle = len(parts) // 2
        half: _Terms = {}
        for part in parts[:middle]:
            _add(half, part.values())
        first = self._product(half)
        second = curve.add(total, curve.neg(first))
        return self._search(parts[:middle], first) + self._search(parts[middle:], second)


def check(*proofs: Sequence[Equation], on: Engine | None = None) -> list[bool]:
    """Tell for each proof, given as its equations, whether all of them hold.

    All proofs share one weighted sum. Only if it fails does a search by halving find the bad proofs. One
    bad proof among n takes about log2 n further products, each half as large as the one before; n
    products are the most for any number of bad proofs.

    A good proof never gives False. A bad proof gives True with probability at most 2^-128 in each sum that
    it is part of, and it is part of at most log2 n + 2 sums. The points are values of `on`, by default
    `engine()`. Raises ValueError for a proof without equations.
    """
    whole = Sum(on)
    for proof in proofs:
        whole.add(proof)
    return whole.check()


def require(equations: Sequence[Equation], names: Sequence[str], section: int | str) -> None:
    """Raise ProofError unless all equations of one proof hold; the text names those that fail.

    `names` has one name per equation; `section` is the section of the protocol.
    """
    if check(equations) == [True]:
        return
    broken = [name for name, equation in zip(names, equations, strict=True) if not check([equation])[0]]
    raise ProofError(f"{' and '.join(broken)} of the proof fails (protocol {section})")

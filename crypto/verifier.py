"""Many equations, one multi-scalar product (protocol section 8, "Verification as one sum").

Whatever is group arithmetic comes here as equations: shuffle proofs, meal proofs, openings. A sum that
holds shows all of them at once. One that fails is cut in two until the bad ones are found, by the quick
binary search of Law and Matt ("Finding Invalid Signatures in Pairing-Based Batches", 2007): the weights
stay as they are, so only one half of a part must be multiplied out, and the other half is the difference.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence

from crypto.group import Engine, Point, engine
from crypto.transcript import ProofError

__all__ = ["Equation", "ProofError", "Sum", "check", "require"]

Equation = list[tuple[int, Point]]
"""Terms (scalar, point) whose sum must be the identity; points are values of the checking engine."""

_WEIGHT_BITS = 128

_Terms = dict[int, tuple[int, Point]]
"""A sum not multiplied out: scalar (not reduced) and point, by the point's identity as an object.

The generators, and decoded points as long as they are remembered (`crypto.group`), are one object
each. Two objects for one point only cost a term more.
"""


def _weights() -> Iterator[int]:
    """Independent weights of 128 bits from the system; the first may be 1, for only ratios matter."""
    yield 1
    while True:
        yield secrets.randbits(_WEIGHT_BITS)


def _add(terms: _Terms, more: Iterable[tuple[int, Point]], weight: int = 1) -> None:
    """Add weight * more."""
    for scalar, point in more:
        key = id(point)
        held = terms.get(key)
        terms[key] = (weight * scalar if held is None else held[0] + weight * scalar, point)


class Sum:
    """One weighted sum of proofs that come one by one; what was added is kept as terms, not as equations."""

    def __init__(self, on: Engine | None = None) -> None:
        """Of points of the engine `on`, by default of `engine()`."""
        self._curve = on or engine()
        self._weights = _weights()
        self._parts: list[_Terms] = []
        self._total: _Terms = {}
        self.held = 0
        """Terms of all proofs, each by itself: what the memory goes to."""

    @property
    def terms(self) -> int:
        """Different points in it: the length of its product."""
        return len(self._total)

    def add(self, proof: Iterable[Equation]) -> None:
        """Add a proof, given as its equations; ValueError where there are none."""
        part: _Terms = {}
        for equation in proof:
            _add(part, equation, next(self._weights))
        if not part:
            raise ValueError("a proof without equations shows nothing")
        self._parts.append(part)
        self.held += len(part)
        _add(self._total, part.values())

    def check(self) -> list[bool]:
        """For each proof, in the order in which they came, whether all its equations hold (see `check`)."""
        if not self._parts:
            return []
        return self._search(self._parts, self._product(self._total))

    def _product(self, terms: _Terms) -> Point:
        return self._curve.msm(
            [point for _, point in terms.values()], [scalar for scalar, _ in terms.values()]
        )

    def _search(self, parts: Sequence[_Terms], total: Point) -> list[bool]:
        """For each part, whether it is the identity; `total` is what all of them come to."""
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
    """For each proof, given as its equations, whether all of them hold.

    All share one weighted sum; only when it fails are the bad proofs searched for, by halving: one
    among n takes about log2 n further products, each half as large as the one before, and however many
    are bad, n products are the most. A false answer for a good proof is impossible; a true one for a bad
    proof has probability 2^-128 at most in each of the sums that it is part of, log2 n + 2 at most. The
    points are values of `on`, by default of `engine()`. Raises ValueError for a proof without equations.
    """
    whole = Sum(on)
    for proof in proofs:
        whole.add(proof)
    return whole.check()


def require(equations: Sequence[Equation], names: Sequence[str], section: int) -> None:
    """Raise ProofError unless all equations of one proof hold, naming those that do not."""
    if check(equations) == [True]:
        return
    broken = [name for name, equation in zip(names, equations, strict=True) if not check([equation])[0]]
    raise ProofError(f"{' and '.join(broken)} of the proof fails (protocol {section})")

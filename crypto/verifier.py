"""Many equations, one multi-scalar product (protocol section 8, "Verification as one sum")."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from crypto.group import Point, engine
from crypto.transcript import ProofError

__all__ = ["Equation", "ProofError", "check", "require"]

Equation = list[tuple[int, Point]]
"""Terms (scalar, point) whose sum must be the identity; points are values of the checking engine."""

_WEIGHT_BITS = 128


def _vanishes(equations: Sequence[tuple[int, Equation]]) -> bool:
    """Whether the sum of weight * equation is the identity: one product, equal points merged first."""
    curve = engine()
    # Generators and decoded points are remembered by the room, so equal points are one object. Two
    # objects for one point would only cost a term more.
    points: dict[int, Point] = {}
    scalars: dict[int, int] = {}
    for weight, equation in equations:
        for scalar, point in equation:
            key = id(point)
            points[key] = point
            scalars[key] = scalars.get(key, 0) + weight * scalar
    return curve.equal(curve.msm(list(points.values()), list(scalars.values())), curve.identity)


def _weighted(equations: Sequence[Equation]) -> list[tuple[int, Equation]]:
    # Independent weights of 128 bits from the system; the first may be 1, for only ratios matter.
    return [
        (secrets.randbits(_WEIGHT_BITS) if index else 1, equation) for index, equation in enumerate(equations)
    ]


def check(*proofs: Sequence[Equation]) -> list[bool]:
    """For each proof, given as its equations, whether all of them hold.

    All share one weighted sum; only when it fails is each proof summed by itself, so that a bad proof
    harms no other. A false answer for a good proof is impossible, a true one for a bad proof has
    probability 2^-128. Raises ValueError for a proof without equations.
    """
    if not all(proofs):
        raise ValueError("a proof without equations shows nothing")
    if len(proofs) > 1 and _vanishes(_weighted([e for proof in proofs for e in proof])):
        return [True] * len(proofs)
    return [_vanishes(_weighted(proof)) for proof in proofs]


def require(equations: Sequence[Equation], names: Sequence[str], section: int) -> None:
    """Raise ProofError unless all equations of one proof hold, naming those that do not."""
    if check(equations) == [True]:
        return
    broken = [name for name, equation in zip(names, equations, strict=True) if not _vanishes([(1, equation)])]
    raise ProofError(f"{' and '.join(broken)} of the proof fails (protocol {section})")

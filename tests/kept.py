"""Results that the tests keep, since in a test all parties of a match hash and check the same bytes.

The player, the house, a spectator and a verifier run in one process here, and each would compute the same
things again. What is kept here follows from its arguments alone. The real function computes each result
once in a process. Houses that a test starts as processes keep nothing, and neither do the tests that try
mutants (`pytest -p no:tests.kept`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

import crypto.fairness
import crypto.meal
import crypto.shuffle
import crypto.transcript
import referee.message
import referee.record
from crypto.edwards import Pycryptodome

HASHING = (
    crypto.transcript,
    crypto.fairness,
    crypto.meal,
    crypto.shuffle,
    referee.message,
    referee.record,
)
"""The modules that hash most: chains, transcripts, statements, messages and entries."""
_HASHES = 1 << 15  # the chains of about thirty players
_SIGNATURES = 1 << 12


class _Same:
    """A point as a key, equal to itself alone, since pycryptodome's points have no hash."""

    def __init__(self, point: Any) -> None:
        self.point = point

    def __hash__(self) -> int:
        return id(self.point)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.point is other.point


def pytest_sessionstart() -> None:
    """From now on, keep TupleHash's results, and what signing and checking compute with Ed25519."""
    tuple_hash = lru_cache(_HASHES)(crypto.transcript.tuple_hash)
    for module in HASHING:
        module.tuple_hash = tuple_hash  # type: ignore[attr-defined]
    Pycryptodome.sign = lru_cache(_SIGNATURES)(Pycryptodome.sign)  # type: ignore[method-assign]
    Pycryptodome.difference = by_point(Pycryptodome.difference)  # type: ignore[method-assign]


def by_point(difference: Callable[..., bytes]) -> Callable[..., bytes]:
    """Return `Edwards.difference` so that it keeps its results. Its last argument is a point."""

    @lru_cache(_SIGNATURES)
    def kept(library: Any, s: int, k: int, key: _Same) -> bytes:
        return difference(library, s, k, key.point)

    @wraps(difference)
    def of(library: Any, s: int, k: int, point: Any) -> bytes:
        return kept(library, s, k, _Same(point))

    return of

"""What drivers tell of a load, put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heard:
    """The sum of what all drivers saw in one phase."""

    seconds: float
    matches: int
    """The number of matches that were played."""
    pace: float
    moved: int
    """Moves that were accepted before the end of the phase."""
    answered: Sequence[float]
    """Milliseconds from each move's planned moment to its receipt."""
    seen: Sequence[float]
    """Milliseconds from each move's planned moment until every follower had its entry."""
    refused: Sequence[float]
    """Milliseconds that each refusal took, from its request."""
    retry_after: Sequence[float]
    """Seconds, as refusals named them."""
    reads_refused: int
    faults: Counter[str]
    cpu: float
    """Processor seconds of the drivers."""

    @property
    def throughput(self) -> float:
        """Moves a second."""
        return self.moved / self.seconds

    @property
    def planned(self) -> float:
        """Moves a second that were planned; 0 for as many as there can be."""
        return self.matches / self.pace if self.pace else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below or at which this share of the values lies; raises ValueError for no values."""
    if not values:
        raise ValueError("no values")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

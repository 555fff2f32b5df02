"""Coalitions that try to steer draws: what they hold, what they may choose, how often they get their wish.

The draws are those of `crypto.fairness`, the code that the referee runs. A `Rules` with a line changed is a
mutant: a protocol that lacks one of its safeguards, on which the same attack must succeed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from crypto.fairness import Stream, common_stream, draw, own_stream, seed
from crypto.group import H, encode_point, engine
from crypto.shuffle import match_deck_digest
from crypto.transcript import tuple_hash

DECK, HAND, DRAWN, DEALS = 40, 6, 2, 4
PACK = range(52)
QUEEN = 36
"""The index in the pack of the card that everybody wants somewhere else."""
CONFIDENCE = 0.999

Links = Sequence[bytes]


class Party:
    """A hash chain of a few links: all of it that a short match uses."""

    def __init__(self, rng: Random) -> None:
        links = [rng.randbytes(64)]
        for _ in range(DEALS):
            links.append(tuple_hash("chain", links[-1]))
        self._links = links[::-1]

    @property
    def anchor(self) -> bytes:
        """v_0."""
        return self._links[0]

    def link(self, k: int) -> bytes:
        """v_k."""
        return self._links[k]


def _own(z: bytes, k: int, house: bytes, links: Links, seat: int) -> Stream:
    return own_stream(z, k, house, links[1 - seat], seat)


@dataclass(frozen=True)
class Rules:
    """The rules by which draws come about; by default those of the protocol (section 7)."""

    seed: Callable[[bytes, bytes, Links, Links], bytes] = seed
    """The seed from the game id, the house anchor, the seats' commitments and their first links."""
    own: Callable[[bytes, int, bytes, Links, int], Stream] = _own
    """A seat's stream: of z, deal, house link, all seats' links (empty where silent), seat."""
    common: Callable[[bytes, int, bytes, Links], Stream] = common_stream


PROTOCOL = Rules()


@cache
def blinded(count: int) -> tuple[bytes, ...]:
    """Points that could all be one card under other blindings: what a chef may publish as K_0."""
    curve, points = engine(), []
    point = H()
    for _ in range(count):
        point = curve.add(point, H())
        points.append(encode_point(point))
    return tuple(points)


@dataclass(frozen=True)
class Deck:
    """A chef's commitment e_i, and where in it the card lies that it wants."""

    digest: bytes
    wanted: int


def decks(rng: Random, anchor: bytes, count: int) -> Iterator[Deck]:
    """Make so many match decks that a chef could enter, with the wanted card anywhere in them."""
    certificate, rest = rng.randbytes(64), list(blinded(DECK))
    for point in blinded(count):
        order = [point, *rest[1:]]
        rng.shuffle(order)
        yield Deck(match_deck_digest(certificate, order, anchor), rng.randrange(DECK))


def hand(rules: Rules, z: bytes, house: bytes, links: Links, seat: int = 0) -> tuple[int, ...]:
    """A seat's first hand."""
    return draw(rules.own(z, 1, house, links, seat), range(DECK), HAND)


def drawn(
    rules: Rules, z: bytes, k: int, house: bytes, links: Links, pool: Sequence[int], seat: int = 0
) -> tuple[int, ...]:
    """Return what a seat draws before a later round."""
    return draw(rules.own(z, k, house, links, seat), pool, DRAWN)


def queen(rules: Rules, z: bytes, k: int, house: bytes, links: Links) -> int:
    """The seat that is dealt the queen, of as many as there are links."""
    order = draw(rules.common(z, k, house, links), PACK, len(PACK))
    return order.index(QUEEN) * len(links) // len(PACK)


# Statistics: exact, for a binomial count


def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def at_least(count: int, tries: int, p: float) -> float:
    """The chance of `count` or more successes in `tries`, each of probability `p`."""
    if not 0 < p < 1:
        return float(count == 0 or p == 1)
    terms = (
        math.exp(_log_choose(tries, k) + k * math.log(p) + (tries - k) * math.log1p(-p))
        for k in range(count, tries + 1)
    )
    return min(1.0, math.fsum(terms))


def interval(count: int, tries: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Clopper and Pearson's exact interval for the probability behind a count."""
    tail = (1 - confidence) / 2

    def edge(too_low: Callable[[float], bool]) -> float:
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if too_low(middle) else (low, middle)
        return low

    lower = 0.0 if count == 0 else edge(lambda p: at_least(count, tries, p) < tail)
    upper = 1.0 if count == tries else edge(lambda p: 1 - at_least(count + 1, tries, p) > tail)
    return lower, upper


@dataclass(frozen=True)
class Rate:
    """The frequency with which a wish came true, beside its probability without steering."""

    count: int
    tries: int
    chance: float

    @property
    def within(self) -> tuple[float, float]:
        """The interval of `CONFIDENCE` for the rate behind the count."""
        return interval(self.count, self.tries)

    @property
    def steered(self) -> bool:
        """True if this can't be chance: the interval lies above it."""
        return self.within[0] > self.chance

    @property
    def by_chance(self) -> bool:
        """True if the interval holds what chance gives."""
        low, high = self.within
        return low <= self.chance <= high

    def __str__(self) -> str:
        low, high = self.within
        rate, chance = self.count / self.tries, self.chance
        return f"{rate:.1%} where chance gives {chance:.1%} (99.9 % interval {low:.1%} to {high:.1%})"


def measured(chance: float, tries: int, succeeds: Callable[[Random], bool], name: str) -> Rate:
    """A wish, tried so often, each time in another match."""
    count = sum(succeeds(Random(f"{name} {i}")) for i in range(tries))
    return Rate(count, tries, chance)

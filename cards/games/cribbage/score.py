"""The points that cards score in cribbage, item by item (docs/rules/cribbage.md, sections 7 and 8).

The same for whole arrays of hands, and much faster, is in `bulk`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from cards.games import french

RANK: dict[str, int] = {code: (french.rank(code) + 1) % 13 + 1 for code in french.PACK}
"""The rank of each card, from the ace, 1, to the king, 13."""
VALUE: dict[str, int] = {code: min(rank, 10) for code, rank in RANK.items()}
"""The points that each card counts."""
SUIT: dict[str, str] = {code: french.suit(code) for code in french.PACK}
LOW: dict[str, tuple[int, int]] = {code: (RANK[code], french.place(code)) for code in french.PACK}
"""The order of cards in cribbage: by rank, the ace lowest; equal ones by suit."""

MOST = 31
"""The highest running count (6)."""
JACK = 11


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One thing that scores, by its name."""

    name: str
    points: int


FIFTEEN = ScoreItem("fifteen", 2)
THIRTY_ONE = ScoreItem("thirty-one", 2)
GO = ScoreItem("go", 1)
LAST = ScoreItem("last card", 1)
HEELS = ScoreItem("his heels", 2)
NOBS = ScoreItem("his nobs", 1)
PAIRS = {2: ScoreItem("pair", 2), 3: ScoreItem("pair royal", 6), 4: ScoreItem("double pair royal", 12)}
FLUSHES = {4: ScoreItem("flush", 4), 5: ScoreItem("flush", 5)}
TIMES = {1: "run", 2: "double run", 3: "triple run", 4: "quadruple run"}
LENGTHS = {3: "three", 4: "four", 5: "five", 6: "six", 7: "seven"}
RUNS = {length: ScoreItem(f"run of {name}", length) for length, name in LENGTHS.items()}


@lru_cache(maxsize=1 << 16)
def pegged(ranks: tuple[int, ...]) -> tuple[ScoreItem, ...]:
    """List what the newest card of a count pegs; `ranks` are the count's so far, the newest last.

    The point for a go or the last card is not among them. Runs and pairs look at this count alone.

    >>> [item.name for item in pegged((4, 5, 6))], pegged((13, 11))
    (['fifteen', 'run of three'], ())
    """
    found = []
    count = sum([rank if rank < 10 else 10 for rank in ranks])
    if count in (15, MOST):
        found.append(FIFTEEN if count == 15 else THIRTY_ONE)
    newest, equal = ranks[-1], 1
    while equal < min(len(ranks), 4) and ranks[-1 - equal] == newest:
        equal += 1
    if equal > 1:
        return (*found, PAIRS[equal])
    for length in range(len(ranks), 2, -1):
        last = ranks[-length:]
        if len({*last}) == length and max(last) - min(last) == length - 1:
            return (*found, RUNS[length])
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Show:
    """The points that a hand or the crib scores with the starter; the items are in the order of counting."""

    items: tuple[ScoreItem, ...]
    fifteens: int
    runs: int
    pairs: int
    flush: int
    nobs: int

    @property
    def total(self) -> int:
        """The points in all: 0 to 29."""
        return self.fifteens + self.runs + self.pairs + self.flush + self.nobs

    def told(self) -> str:
        """The items as they are counted aloud.

        >>> show(["9S", "6D", "5H", "4C"], "4H").told()
        'fifteen 2, fifteen 4, fifteen 6, double run makes 14'
        """
        return told(self.items)


def told(items: Sequence[ScoreItem]) -> str:
    """Items as they are counted aloud, each with the total so far."""
    said, makes = [], 0
    for item in items:
        makes += item.points
        said.append(f"{item.name} {'' if item == FIFTEEN else 'makes '}{makes}")
    if not said:
        return "nothing"
    if len(said) == 1 and items[0] != FIFTEEN:
        return f"{items[0].name} for {makes}"
    return ", ".join(said)


@cache
def ranks_show(ranks: tuple[int, ...]) -> Show:
    """Score five cards by their ranks alone; `ranks` ascend."""
    counts = Counter(ranks)
    ways = [1, *[0] * 15]  # by sum: how many choices of the cards add up to it
    for rank in ranks:
        value = rank if rank < 10 else 10
        for count in range(15 - value, -1, -1):
            ways[count + value] += ways[count]
    fifteens = ways[15]
    run = _run(counts)
    times = 1
    for rank in run:
        times *= counts[rank]
    items = [FIFTEEN] * fifteens
    runs = len(run) * times
    if run:
        name = TIMES[times] if times > 1 else RUNS[len(run)].name
        of = f" of {LENGTHS[len(run)]}" if times > 1 and len(run) > 3 else ""
        within = sum(PAIRS[counts[rank]].points for rank in run if counts[rank] > 1)
        items.append(ScoreItem(name + of, runs + within))
    items += [PAIRS[n] for rank, n in sorted(counts.items()) if n > 1 and rank not in run]
    pairs = sum(PAIRS[n].points for n in counts.values() if n > 1)
    return Show(tuple(items), 2 * fifteens, runs, pairs, 0, 0)


def _run(counts: Counter[int]) -> list[int]:
    """The ranks of the longest run of three or more: of five cards there is one at most."""
    longest: list[int] = []
    for low in counts:
        run = [low]
        while run[-1] + 1 in counts:
            run.append(run[-1] + 1)
        longest = max(longest, run, key=len)
    return longest if len(longest) > 2 else []


def show(hand: Sequence[str], starter: str, *, crib: bool = False) -> Show:
    """Score the four cards of a hand, or of the crib, with the starter.

    >>> show(["JH", "5S", "5D", "5C"], "5H").total
    29
    """
    one, two, three, four = hand
    ranks = [RANK[one], RANK[two], RANK[three], RANK[four], RANK[starter]]
    ranks.sort()
    by_rank = ranks_show(tuple(ranks))
    suit = SUIT[starter]
    flush = 0
    if SUIT[one] == SUIT[two] == SUIT[three] == SUIT[four]:
        flush = 5 if SUIT[one] == suit else 0 if crib else 4
    nobs = f"J{suit}" in hand
    if not flush and not nobs:
        return by_rank
    items = by_rank.items
    if flush:
        items = (*items, FLUSHES[flush])
    if nobs:
        items = (*items, NOBS)
    return Show(items, by_rank.fifteens, by_rank.runs, by_rank.pairs, flush, int(nobs))

"""Finds hands among many cards: all of them one by one, or some of every kind without listing the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations

from cards.games.big_c.hands import (
    JOKER_STRENGTH,
    SIZES,
    STRENGTH,
    Combination,
    Kind,
    combination_from,
    combination_of,
    compare,
)
from cards.games.contract import Position

Found = tuple[Position, ...]
"""Positions, ascending."""
Pick = Callable[[Sequence[Position], int], Sequence[Position]]
"""Takes so many of some positions, which are listed with the lowest card first."""
Held = Mapping[Position, str]
"""Cards by position."""
MOST_JOKERS = {Kind.PAIR: 1, Kind.TRIPLE: 2}
"""The most Jokers in a hand of these kinds; other kinds have limits of their own (5)."""


def lowest(group: Sequence[Position], count: int) -> Sequence[Position]:
    """The lowest cards."""
    return group[:count]


def highest(group: Sequence[Position], count: int) -> Sequence[Position]:
    """The highest cards."""
    return group[-count:]


def every(held: Held, under: Combination | None, size: int | None) -> Iterator[tuple[Found, Combination]]:
    """All hands of some cards that may be played on `under` (None: leading), small ones first.

    `size` is that of the hand under it. There may be very many: ask for as few as you need.
    """
    strengths = {position: STRENGTH[code] for position, code in held.items()}
    falling = sorted(held, key=lambda p: (-strengths[p], p))
    for count in SIZES if size is None else (size,):
        for chosen in combinations(falling, count):
            hand = combination_from([strengths[p] for p in chosen])
            if hand is not None and (under is None or compare(hand, under).legal):
                yield tuple(sorted(chosen)), hand


class Shelf:
    """Cards by rank and suit; each group has the lowest first, and groups come in the order of the cards."""

    def __init__(self, held: Held) -> None:
        strengths = {position: STRENGTH[code] for position, code in held.items()}
        self.naturals = [p for p in held if strengths[p] != JOKER_STRENGTH]
        self.jokers = [p for p in held if strengths[p] == JOKER_STRENGTH]
        self.ranks: dict[int, list[Position]] = {}
        self.suits: dict[int, list[Position]] = {}
        for position in self.naturals:
            self.ranks.setdefault(strengths[position] >> 2, []).append(position)
            self.suits.setdefault(strengths[position] & 3, []).append(position)
        for group in (*self.ranks.values(), *self.suits.values()):
            group.sort(key=lambda p: (strengths[p], p))

    def made(self, kind: Kind, pick: Pick) -> Iterator[Found]:
        """Find at most one hand for each rank, pair of ranks, suit or row of ranks that can make this kind.

        Jokers fill what is lacking, and no more. The cards found may make a hand of a higher kind.
        """
        match kind:
            case Kind.SINGLE | Kind.PAIR | Kind.TRIPLE:
                for rank in self.ranks:
                    yield from self._filled(((rank, int(kind)),), pick, MOST_JOKERS.get(kind, 0))
            case Kind.FOUR_KIND | Kind.FIVE_KIND:
                count = 4 if kind is Kind.FOUR_KIND else 5
                for rank in self.ranks:
                    yield from self._filled(((rank, count),), pick, 4)
            case Kind.TWO_PAIR | Kind.FULL_HOUSE:
                first = 2 if kind is Kind.TWO_PAIR else 3
                for rank in self.ranks:
                    for other in self.ranks:
                        if rank != other and (first == 3 or rank > other):
                            yield from self._filled(((rank, first), (other, 2)), pick, 2)
            case Kind.FLUSH:
                for suit in self.suits.values():
                    yield from self._topped(suit, pick)
            case Kind.STRAIGHT:
                yield from self._rows(self.ranks, pick)
            case Kind.STRAIGHT_FLUSH:
                for suit in self.suits.values():
                    held = {r: [p for p in group if p in suit] for r, group in self.ranks.items()}
                    yield from self._rows({rank: group for rank, group in held.items() if group}, pick)
                for natural in self.naturals if len(self.jokers) >= 4 else ():
                    yield tuple(sorted((natural, *self.jokers[:4])))

    def _filled(self, wanted: Sequence[tuple[int, int]], pick: Pick, most: int) -> Iterator[Found]:
        """Groups of one rank each: so many of it, Jokers where it has too few, other cards up to five."""
        taken: list[Position] = []
        jokers = 0
        for rank, count in wanted:
            group = self.ranks[rank]
            taken += pick(group, count) if len(group) >= count else group
            jokers += max(0, count - len(group))
        if jokers > min(most, len(self.jokers)):
            return
        taken += self.jokers[:jokers]
        size = sum(count for _, count in wanted)
        if size in (4, 5) and len(taken) < 5:
            ranks = {rank for rank, _ in wanted}
            rest = [p for rank, group in self.ranks.items() if rank not in ranks for p in group]
            if not rest:
                return
            taken += pick(rest, 1)
        yield tuple(sorted(taken))

    def _topped(self, group: Sequence[Position], pick: Pick) -> Iterator[Found]:
        """Five of the group, with up to two Jokers where it has too few."""
        lacking = max(0, 5 - len(group))
        if lacking <= min(2, len(self.jokers)):
            yield tuple(sorted((*pick(group, 5 - lacking), *self.jokers[:lacking])))

    def _rows(self, ranks: Mapping[int, Sequence[Position]], pick: Pick) -> Iterator[Found]:
        """Five ranks in a row, with up to two Jokers where one is lacking.

        A row that lacks its lowest rank holds no more cards than one that begins at the next.
        """
        for low in dict.fromkeys(min(rank, 8) for rank in ranks):
            row = [ranks[rank] for rank in range(low, low + 5) if rank in ranks]
            lacking = 5 - len(row)
            if lacking <= min(2, len(self.jokers)):
                found = [p for group in row for p in pick(group, 1)]
                yield tuple(sorted((*found, *self.jokers[:lacking])))


KINDS: Mapping[int, tuple[Kind, ...]] = {
    1: (Kind.SINGLE,),
    2: (Kind.PAIR,),
    3: (Kind.TRIPLE,),
    5: tuple(kind for kind in Kind if kind >= Kind.TWO_PAIR),
}
"""The kinds of hands with so many cards."""


def some(
    held: Held, under: Combination | None, kinds: Collection[Kind], pick: Pick
) -> Iterator[tuple[Found, Combination]]:
    """Hands that may be played on `under`, looked for kind by kind, the same cards at most once."""
    shelf = Shelf(held)
    seen: set[Found] = set()
    for kind in kinds:
        if under is not None and kind < under.kind:
            continue
        for chosen in shelf.made(kind, pick):
            if chosen in seen:
                continue
            seen.add(chosen)
            hand = combination_of(held[p] for p in chosen)
            if hand is not None and (under is None or compare(hand, under).legal):
                yield chosen, hand

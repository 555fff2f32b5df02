"""Decks against each other: every pair of them, many matches of bots, on all cores.

Chance is seeded by the pair and the number of the match, so a league has the same result on any number of
cores. Two successive matches of a pair share a seed and exchange seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt
from multiprocessing import get_context
from random import Random

from bots import bots_for
from bots.simulate import play
from cards.catalog.cards import Card
from cards.games import find
from cards.games.chef import Tally

CHUNK = 20
"""Matches that a core plays before it reports: an even number."""

Told = Callable[[int], None]
"""A callback that is given the number of matches just played."""
DeckCards = tuple[Card, ...]
"""The 40 cards of a deck, in any order."""
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class WinShare:
    """Matches won of so many; several winners share a match."""

    won: float
    of: int

    @property
    def value(self) -> float:
        """The share as a fraction of 1."""
        return self.won / self.of

    def interval(self, z: float = 1.96) -> tuple[float, float]:
        """Wilson's score interval (JASA 1927), by default of 95 %."""
        n, share = self.of, self.value
        middle = share + z * z / (2 * n)
        spread = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        low, high = (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)
        return max(low, 0.0), min(high, 1.0)  # rounding may go beyond these by a hair

    def __add__(self, other: WinShare) -> WinShare:
        return WinShare(self.won + other.won, self.of + other.of)


_Chunk = tuple[Pair, WinShare, Tally]


@dataclass(slots=True)
class League:
    """The results of a league."""

    decks: tuple[str, ...]
    pairs: dict[Pair, WinShare] = field(default_factory=dict)
    """The share that the first deck of each pair won against the second, in the order of `decks`."""
    tallies: dict[Pair, Tally] = field(default_factory=dict)

    def against(self, deck: str, other: str) -> WinShare:
        """Return the share that one deck won against another."""
        if (deck, other) in self.pairs:
            return self.pairs[deck, other]
        share = self.pairs[other, deck]
        return WinShare(share.of - share.won, share.of)

    def field(self, deck: str, others: Sequence[str] | None = None) -> WinShare:
        """Return the share that a deck won against all others that it met, or against some."""
        met = {other for pair in self.pairs if deck in pair for other in pair} - {deck}
        return sum(
            (self.against(deck, other) for other in others or self.decks if other in met),
            start=WinShare(0, 0),
        )

    def tally(self, decks: Sequence[str] | None = None) -> Tally:
        """The counts of all matches, or of those in which only some of the decks played."""
        chosen = set(decks or self.decks)
        return sum((t for pair, t in self.tallies.items() if chosen.issuperset(pair)), start=Tally())


def _chunk(
    bot: str, pair: Pair, decks: tuple[DeckCards, DeckCards], first: int, matches: int, seed: int
) -> _Chunk:
    """Some matches of a pair, from the number `first` on: what its first deck won, and the counts."""
    mode, player = find("chef"), bots_for("chef")[bot]
    won, tally = 0.0, Tally()
    for i in range(first, first + matches):
        seat = i % 2
        rng = Random(f"{seed}/{pair[0]}/{pair[1]}/{i // 2}")
        played = play(
            mode,
            [player, player],
            rng,
            decks=decks if seat == 0 else decks[::-1],
            watch=lambda before, *_: tally.opened(before),
            accounts=True,
        )
        tally.add(played.accounts)
        winners = played.outcome.winners
        won += 1 / len(winners) if seat in winners else 0
    return pair, WinShare(won, matches), tally


def run(
    decks: Mapping[str, DeckCards],
    bot: str,
    matches: int,
    seed: int = 0,
    cores: int = 1,
    told: Told = lambda done: None,
    pairs: Sequence[Pair] | None = None,
) -> League:
    """Play `matches` (an even number) between every two of the decks, by one bot on both seats.

    With `pairs`, only these pairs play. ValueError for fewer than two decks, an odd number of matches, or a
    deck that is not of 40 cards; KeyError for an unknown bot or deck.
    """
    if len(decks) < 2 or matches < 2 or matches % 2:
        raise ValueError("a league needs two decks, and an even number of matches")
    bots_for("chef")[bot]
    league = League(tuple(decks))
    work = [
        (bot, pair, (decks[pair[0]], decks[pair[1]]), first, min(CHUNK, matches - first), seed)
        for pair in (combinations(decks, 2) if pairs is None else pairs)
        for first in range(0, matches, CHUNK)
    ]
    for pair, share, tally in _played(work, cores):
        league.pairs[pair] = league.pairs.get(pair, WinShare(0, 0)) + share
        league.tallies[pair] = league.tallies.get(pair, Tally()) + tally
        told(share.of)
    return league


def _played(
    work: Sequence[tuple[str, Pair, tuple[DeckCards, DeckCards], int, int, int]], cores: int
) -> Iterator[_Chunk]:
    if cores == 1:
        yield from (_chunk(*piece) for piece in work)
        return
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(_chunk, *piece) for piece in work]):
            yield future.result()

"""Simulated statistics of a deck, from many deals: sample hands, and the yum to expect of them.

A deal is the deck shuffled by a seed, so equal decks, seeds and numbers of deals give equal figures
everywhere. The cards by round are as in `cards.decks.odds`: nobody redraws, nothing is discarded. Figures are
estimates, and every mean has its standard error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from random import Random

from cards.catalog.cards import Card
from cards.decks.odds import CardCounts, drawn
from cards.games.chef.search import Best, Meter, best

DealtDeck = tuple[Card, ...]
"""A deck's cards in the order in which they are drawn."""

MOST_STEPS = 300_000
"""Steps of search after which no more deals are made: about a second of work."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over deals, and its standard error: the standard deviation by the root of their number."""

    mean: float
    error: float


def mean(values: Sequence[float]) -> Mean:
    """The mean of independent values. Of a single value the error is unknown, and given as 0."""
    n = len(values)
    middle = sum(values) / n
    if n < 2:
        return Mean(middle, 0.0)
    return Mean(middle, sqrt(sum((value - middle) ** 2 for value in values) / (n - 1) / n))


def deals(deck: CardCounts, count: int, seed: str) -> Iterator[DealtDeck]:
    """Some deals of a deck. A longer series with the same seed begins with the same deals."""
    cards = listed(deck)
    return (tuple(cards[i] for i in order) for order in orders(len(cards), count, seed))


def listed(deck: CardCounts) -> DealtDeck:
    """A deck's cards by number, copies side by side."""
    return tuple(card for card, n in sorted(deck.items(), key=lambda pair: pair[0].number) for _ in range(n))


def orders(size: int, count: int, seed: str) -> Iterator[list[int]]:
    """Some random orders of a deck with `size` cards; every order has equal odds."""
    rng = Random(f"deals {seed}")
    for _ in range(count):
        order = [*range(size)]
        rng.shuffle(order)
        yield order


def drawn_by_round(deal: DealtDeck, rounds: int) -> list[DealtDeck]:
    """The cards drawn in each round: the opening hand, then two cards a round while there are any."""
    ends = [0, *(drawn(len(deal), round) for round in range(1, rounds + 1))]
    return [deal[start:end] for start, end in pairwise(ends)]


def bests(deal: DealtDeck, rounds: int, meter: Meter | None = None) -> list[Best | None]:
    """The best dish of the cards drawn by each round; None while none can be served."""
    hand: Counter[Card] = Counter()
    found: list[Best | None] = []
    newest: Best | None = None
    for cards in drawn_by_round(deal, rounds):
        hand.update(cards)
        # A hand only grows, so a dish that could be served still can.
        newest = best(hand, newest.yum if newest else 0, meter=meter) or newest
        found.append(newest)
    return found


@dataclass(frozen=True, slots=True)
class Expected:
    """The best yum by a round over many deals; a deal counts as 0 where no dish can be served."""

    deals: int
    yum: Mean
    quartiles: tuple[int, int, int]
    served: Mean
    """The share of deals with a dish."""


def expected(deck: CardCounts, rounds: int, count: int, seed: str) -> list[Expected]:
    """The best yum to expect by each round, from `count` deals, or from fewer if these take `MOST_STEPS`."""
    meter = Meter()
    table: list[list[int]] = []
    for deal in deals(deck, count, seed):
        table.append([dish.yum if dish else 0 for dish in bests(deal, rounds, meter)])
        if meter.steps > MOST_STEPS:
            break
    return [_expected([row[i] for row in table]) for i in range(rounds)]


def _expected(yums: list[int]) -> Expected:
    yums.sort()
    low, middle, high = (yums[(len(yums) - 1) * k // 4] for k in (1, 2, 3))
    return Expected(len(yums), mean(yums), (low, middle, high), mean([float(yum > 0) for yum in yums]))

"""A search for the deck that wins most: climbs through all legal decks, screened by halving.

A climb has one deck. In each step it makes neighbours of it by exchanging cards. They play the same matches
against a field of decks; the better half plays on with twice as many, until one is left. That one and the
climb's own deck then play a duel: the same fresh matches, many more. The climb goes on from the neighbour if
it wins clearly more of them, so luck alone seldom makes a climb go down. Chance is seeded by the search, the
climb and the step, so a search that was interrupted goes on as if it had not been, on any number of cores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random

from bots import bots_for
from bots.league import DeckCards, Told, WinShare
from bots.simulate import play
from cards.catalog.cards import CATEGORIES, Card
from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks.deck_lists import ADVISED_RECIPES
from cards.games import find

NEIGHBOURS = 15
"""Decks that a step of a climb tries beside its own."""

FIRST = 8
"""Matches that each of them plays before the first half of them is left."""

DUEL = 128
"""Matches that the best of them and the climb's own deck play at the end of a step."""

CLEARLY = 10
"""Matches that a neighbour must win more than the climb's own deck: about one and a half standard errors."""

SAME = 2 / 3
"""The share of exchanges that keep the number of recipes."""


@dataclass(frozen=True, slots=True)
class Climb:
    """How far a climb has come."""

    deck: DeckCards
    steps: int = 0
    matches: int = 0
    """Matches that its steps played."""


def begin(pool: Sequence[Card], field: Sequence[DeckCards], seed: int, number: int) -> Climb:
    """The climb of a number, from 0: every second one begins with a deck of the field, in turn.

    The others begin with random cards of one to three categories, of which `pool` has all that may be used.
    """
    if number % 2 and field:
        return Climb(field[number // 2 % len(field)])
    rng = Random(f"{seed}/{number}/begin")
    chosen = frozenset(rng.sample(range(len(CATEGORIES)), rng.randint(1, 3)))
    copies = rng.sample([*pool] * MOST_COPIES, len(pool) * MOST_COPIES)
    within = [card for card in copies if _within(card, chosen)]
    recipes = [card for card in within if card.is_recipe]
    others = [card for card in within if not card.is_recipe]
    spare = [
        card for card in copies if not _within(card, chosen)
    ]  # where a set has too few of the categories
    deck = recipes[:ADVISED_RECIPES] + others + recipes[ADVISED_RECIPES:] + spare
    return Climb(_sorted(deck[:DECK_SIZE]))


def _within(card: Card, chosen: frozenset[int]) -> bool:
    return all(i in chosen for units in (card.provides, card.costs) for i, n in enumerate(units) if n)


def _sorted(deck: Sequence[Card]) -> DeckCards:
    return tuple(sorted(deck, key=lambda card: card.number))


def neighbour(deck: DeckCards, pool: Sequence[Card], rng: Random) -> DeckCards:
    """The deck with one to three cards exchanged for others of the pool or for more copies of its own."""
    changed = [*deck]
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        place = rng.randrange(len(changed))
        kind = changed[place].is_recipe if rng.random() < SAME else None
        held = Counter(changed)
        source = changed if rng.random() < 1 / 3 else pool
        fits = [
            card
            for card in source
            if card != changed[place] and held[card] < MOST_COPIES and kind in (None, card.is_recipe)
        ]
        if fits:
            changed[place] = rng.choice(fits)
    return _sorted(changed)


Played = Callable[[Sequence[DeckCards], int, int], list[float]]
"""Takes decks, the first match and the number of matches; returns what each deck won."""


def step(climb: Climb, pool: Sequence[Card], rng: Random, played: Played) -> Climb:
    """The climb after a step, which tries `NEIGHBOURS` decks and keeps its own unless one is better."""
    decks = [neighbour(climb.deck, pool, rng) for _ in range(NEIGHBOURS)]
    won = [0.0] * len(decks)
    left = [*range(len(decks))]
    first, count, matches = 0, FIRST, 0
    while len(left) > 1:
        for i, more in zip(left, played([decks[i] for i in left], first, count), strict=True):
            won[i] += more
        matches += len(left) * count
        left = sorted(sorted(left, key=lambda i: (-won[i], i))[: len(left) // 2])
        first, count = first + count, first + count
    best = decks[left[0]]
    mine, other = played([climb.deck, best], first, DUEL)
    matches += 2 * DUEL
    return Climb(best if other >= mine + CLEARLY else climb.deck, climb.steps + 1, climb.matches + matches)


def _won(bot: str, deck: DeckCards, field: Sequence[DeckCards], first: int, count: int, seed: str) -> float:
    """What a deck won in some matches against the decks of a field, which take turns by two matches."""
    mode, player = find("chef"), bots_for("chef")[bot]
    won = 0.0
    for i in range(first, first + count):
        seat, other = i % 2, field[i // 2 % len(field)]
        rng = Random(f"{seed}/{i // 2}")
        decks = (deck, other) if seat == 0 else (other, deck)
        winners = play(mode, [player, player], rng, decks=decks).outcome.winners
        won += 1 / len(winners) if seat in winners else 0
    return won


class DeckSearch:
    """Climbs against a field, on several cores. Use it as a context manager."""

    def __init__(
        self, pool: Sequence[Card], field: Sequence[DeckCards], bot: str, seed: int, cores: int = 1
    ) -> None:
        """ValueError for an empty field; KeyError for an unknown bot."""
        if not field:
            raise ValueError("a search needs a field of decks")
        bots_for("chef")[bot]
        self._pool = pool
        self._field = field
        self._bot = bot
        self._seed = seed
        self._cores = cores
        self._workers: Executor | None = None

    def __enter__(self) -> DeckSearch:
        if self._cores > 1:
            self._workers = ProcessPoolExecutor(self._cores, mp_context=get_context("spawn"))
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.shutdown(cancel_futures=True)

    def begin(self, number: int) -> Climb:
        """The climb of a number, before its first step."""
        return begin(self._pool, self._field, self._seed, number)

    def step(self, climb: Climb, number: int) -> Climb:
        """The climb of a number after one step more."""
        seed = f"{self._seed}/{number}/{climb.steps}"
        rng = Random(f"{seed}/neighbours")

        def played(decks: Sequence[DeckCards], first: int, count: int) -> list[float]:
            return self._all(decks, first, count, seed)

        return step(climb, self._pool, rng, played)

    def judged(self, deck: DeckCards, matches: int, told: Told = lambda done: None) -> tuple[WinShare, ...]:
        """What a deck wins against each deck of the field, in so many matches each, on seeds of their own."""
        shares = []
        for number, other in enumerate(self._field):
            seed = f"{self._seed}/judged/{number}"
            if self._workers is None:
                won = _won(self._bot, deck, [other], 0, matches, seed)
            else:
                half = matches // 4 * 2
                pieces = [(0, half), (half, matches - half)]
                parts = [
                    self._workers.submit(_won, self._bot, deck, [other], first, count, seed)
                    for first, count in pieces
                ]
                won = sum(part.result() for part in parts)
            shares.append(WinShare(won, matches))
            told(matches)
        return tuple(shares)

    def _all(self, decks: Sequence[DeckCards], first: int, count: int, seed: str) -> list[float]:
        pieces = [(self._bot, deck, self._field, first, count, seed) for deck in decks]
        if self._workers is None:
            return [_won(*piece) for piece in pieces]
        return [future.result() for future in [self._workers.submit(_won, *piece) for piece in pieces]]


def counts(deck: DeckCards) -> Mapping[int, int]:
    """The copies of each card of a deck, by number."""
    return dict(sorted(Counter(card.number for card in deck).items()))

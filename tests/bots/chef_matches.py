"""Counts of matches of Pancake between bots, for the tests of the bots' strength."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

from bots import Bot
from bots.league import WinShare
from bots.simulate import play
from cards.catalog.card_sets import load
from cards.catalog.cards import FOLDER, Card
from cards.decks.deck_lists import DeckList
from cards.decks.plain_text import read_deck
from cards.games import find

CHEF = find("chef")


def starter(slug: str) -> tuple[Card, ...]:
    catalog = load()
    return DeckList(catalog.starters[slug].counts).cards(catalog)


def tuned(path: Path) -> tuple[Card, ...]:
    catalog = load()
    known = [{"number": card.number, "slug": card.slug, "name": card.name} for card in catalog.cards.values()]
    counts = read_deck(path.read_text(encoding="utf-8"), known)
    return DeckList({catalog.by_slug(slug).number: n for slug, n in counts.items()}).cards(catalog)


STARTERS = {slug: starter(slug) for slug in load().starters}
FIELD = {path.stem: tuned(path) for path in sorted((FOLDER.parent / "decks" / "field").glob("*.txt"))}
"""The tuned decks of data/decks/field, whose many sorts of dish tell a good player from a plain one."""
PAIRS = list(combinations(FIELD.values(), 2))


def wins(mine: Bot, other: Bot, matches: int, seed: int) -> WinShare:
    """The share of matches that `mine` wins, a draw being half a win.

    Pairs of tuned decks take turns; of four matches, two have the decks exchanged and two the seats,
    so that neither deck nor seat favours a bot. A multiple of 112 makes it even.
    """
    won = 0.0
    for i in range(matches):
        seat = i // 2 % 2
        bots = [mine, other] if seat == 0 else [other, mine]
        decks = PAIRS[i // 4 % len(PAIRS)]
        played = play(CHEF, bots, Random(f"{seed}/{i // 4}/{i % 4}"), decks=decks if i % 2 else decks[::-1])
        winners = played.outcome.winners
        won += 1 / len(winners) if seat in winners else 0
    return WinShare(won, matches)

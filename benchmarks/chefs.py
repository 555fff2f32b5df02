"""The provers' side: chefs who prove match decks and meals, in a process of their own.

A process remembers the points that it decodes or makes. Another process therefore makes every proof that is
verified here, so that the verifier decodes its points for the first time, as a house does.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any, TypeVar

from benchmarks.provers import CARDS, COURSES, DISH, HAND, BenchmarkChef, DeckShown, MealShown, chef

__all__ = [
    "CARDS",
    "COURSES",
    "DISH",
    "HAND",
    "BenchmarkChef",
    "DeckShown",
    "MealShown",
    "chef",
    "decks",
    "elsewhere",
    "meals",
]

Made = TypeVar("Made")


def decks(seeds: Sequence[int]) -> list[DeckShown]:
    """A fresh proof of a fresh match deck by each of these chefs."""
    return [chef(seed).deck()() for seed in seeds]


def meals(orders: Sequence[tuple[int, int]]) -> list[MealShown]:
    """A fresh proof of a meal for each (chef, cards in hand)."""
    return [chef(seed).meal(cards)() for seed, cards in orders]


@cache
def _elsewhere() -> ProcessPoolExecutor:
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    atexit.register(pool.shutdown, cancel_futures=True)
    return pool


def elsewhere(make: Callable[..., Made], *given: Any) -> Made:
    """Call `make` in the other process and return its result. That process is idle again afterwards."""
    return _elsewhere().submit(make, *given).result()

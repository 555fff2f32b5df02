"""The memory of listeners, and a player beside slow clients."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from benchmarks.load import processes
from benchmarks.load.crowd import CrowdOrder, crowd
from benchmarks.load.driver import STARTERS, addresses, calls
from benchmarks.load.findings import LoadFinding, PartResults
from benchmarks.load.served import RunningServer, house
from benchmarks.load.sizes import Sizes
from benchmarks.turns.table import Call, DrivenMatch, register, sit_down
from benchmarks.turns.wsgi import expect

GAMES = 5
"""Games that are listened to."""
SHARE = 10
"""Addresses at least from which listeners come: a house gives one of them a quarter of its places at most."""
CALM = 3.0
"""Seconds after which memory is looked at, once all listeners are there."""


def listener_memory(sizes: Sizes) -> PartResults:
    """Measure the memory of a house's process with very many listeners, less that without."""
    options = ["--listeners", str(sizes.listeners + 20)]
    with house(sizes.folder / "listeners", options) as at, calls(at.url) as call:
        sizes.tick("listeners", 0.0)
        watched = [_watched(call, sizes.seed + number) for number in range(GAMES)]
        paths = [f"/games/{game}/events?after=-1" for game in watched]
        each = max(1, min(25, sizes.listeners // SHARE))
        for sources in (addresses(20, 2), addresses(sizes.listeners, each)):
            # The first few have the process load what it loads once.
            before = processes.private_kib(at.answering)
            with crowd(CrowdOrder(at.url, paths, sources)) as (apart, _):
                time.sleep(CALM)
                state, after = apart.state(), processes.private_kib(at.answering)
            sizes.tick("listeners", 0.5)
            time.sleep(CALM / 3)
    if state["open"] < sizes.listeners:
        return PartResults(
            wrong=[f"listener_kib: {state['open']} of {sizes.listeners} admitted: {state['refused']}"]
        )
    parts = {"listeners": float(state["open"]), "before KiB": float(before), "after KiB": float(after)}
    what = "Private memory of the process that answers, for each listener of a game's events."
    return PartResults(
        [LoadFinding("listener_kib", (after - before) / state["open"], "KiB", 64, what, parts)]
    )


def _watched(call: Call, seed: int) -> str:
    """Begin a game that everybody may watch; returns its id."""
    visitors = [register(call, starter) for starter in STARTERS]
    return sit_down(call, visitors, "flip", Random(seed), options={"target": 100}, public=True).id


def slow_clients(sizes: Sizes) -> PartResults:
    """Measure seals beside half-open connections from one address and from many, while a chef seals."""
    alone, many = sizes.slow
    with house(sizes.folder / "slow") as at, calls(at.url) as call:
        sizes.tick("half-open connections", 0.0)
        match = _chefs(call, sizes.seed)
        messages = [match.message(number) for number in match.due()]
        orders = [
            CrowdOrder(at.url, (), ["127.0.0.2"] * alone),
            CrowdOrder(at.url, (), addresses(many, 1)),
        ]
        with crowd(orders[0]) as (one, _), crowd(orders[1]) as (others, _):
            time.sleep(CALM)
            sizes.tick("half-open connections", 0.5)
            took = [_post(at, match, message) for message in messages]
            states = [one.state(), others.state()]
    parts = {"first seal ms": took[0], "second seal ms": took[-1]}
    for state, name in zip(states, ("one address", "many addresses"), strict=True):
        parts |= {f"open from {name}": float(state["open"]), f"closed from {name}": float(state["closed"])}
    what = f"The slower of two seals, while {alone:,} connections of one address and {many:,} of others hang."
    return PartResults([LoadFinding("slow_ms", max(took), "ms", 1_000, what, parts)])


def _chefs(call: Call, seed: int) -> DrivenMatch:
    visitors = [register(call, starter) for starter in STARTERS]
    match = sit_down(call, visitors, "chef", Random(seed), lambda _: time.sleep(0.02))
    match.until("seal")
    return match


def _post(at: RunningServer, match: DrivenMatch, message: Any) -> float:
    """Send a message over a new connection; returns the milliseconds until its receipt."""
    began = time.monotonic()
    with calls(at.url) as call:
        expect(call(match.post(message)), 201, "a seal")
    return (time.monotonic() - began) * 1000

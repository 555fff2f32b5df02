"""Tables of Pancake with something to serve."""

from __future__ import annotations

from cards.games.contract import Move
from tests.referee.table import Table

KEEP = {"choice": "keep"}


def used(choice: Move) -> int:
    """Count the cards that a meal uses."""
    return sum((dish["recipe"] is not None) + len(dish["ingredients"]) for dish in choice["dishes"])


def hearty(table: Table, seat: int) -> Move:
    """Keep the hand; serve as many cards as fifty tries find."""
    game = table.views[seat]
    assert game.asking is not None
    if game.asking.kind == "move":
        return KEEP
    legal = game.rules.legal(game.state, seat)
    return max((legal.sample(table.rng) for _ in range(50)), key=used)


def round_two() -> Table:
    """A match whose chefs both have something to serve, at the seals of round 2."""
    for seed in range(100):
        table = Table.chef(seed)
        table.choose = hearty
        table.until("seal")
        table.answer(0, 1)
        table.until("seal")
        if all(used(hearty(table, seat)) >= 2 for seat in (0, 1)):
            return table
    raise AssertionError("nobody can cook")

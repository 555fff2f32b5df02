"""Pancakes (flip), by docs/rules/flip.md.

`griddle` has the Stacks, `table` the moves, `score` the points, `told` the account, `rules` the mode.
"""

from cards.games.flip.rules import Flip

__all__ = ["Flip"]

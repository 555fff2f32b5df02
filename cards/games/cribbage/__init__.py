"""Cribbage, by docs/rules/cribbage.md.

`score` and `bulk` say what cards are worth, `table` what may be done, `tally` how points are pegged,
`rules` is the mode.
"""

from cards.games.cribbage.rules import Cribbage

__all__ = ["Cribbage"]

"""Big C, by docs/rules/big-c.md.

`hands` says what cards make, `seek` finds hands, `table` has the moves, `rules` the mode.
"""

from cards.games.big_c.rules import BigC

__all__ = ["BigC"]

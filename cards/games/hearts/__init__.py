"""Chinese Hearts, by docs/rules/hearts.md: `table` the moves, `score` the points, `rules` the mode."""

from cards.games.hearts.rules import Hearts

__all__ = ["Hearts"]

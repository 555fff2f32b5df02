"""`cloche decks` with all its commands, each of which adds itself to the group when it is imported."""

from cloche import deck_checks, deck_history, deck_sharing, deck_stats
from cloche.decks import decks

__all__ = ["deck_checks", "deck_history", "deck_sharing", "deck_stats", "decks"]

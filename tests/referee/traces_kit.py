"""Tables of the referee after a number of steps."""

from __future__ import annotations

from typing import Any

from referee import Entry, Game, Trusting, apply
from tests.referee.forger import rewritten
from tests.referee.published_kit import entries, games
from vectors.example import HOUSE_PRIVATE_KEY

CHEF, HEARTS = entries("record_chef"), entries("record_hearts")
KEEP = {"choice": "keep"}


def after(count: int, record: str = "record_chef") -> Game:
    """The game after so many entries of a published record."""
    game = games(record)[count]
    assert game is not None
    return game


def then(game: Game, entry: Entry, **changes: Any) -> Game:
    """The game after one more entry of the published record, put behind the newest."""
    head, changes = (game.seq, game.digest), {"at": max(game.at, entry.at), **changes}
    return apply(game, rewritten(entry, head, HOUSE_PRIVATE_KEY, **changes), Trusting())

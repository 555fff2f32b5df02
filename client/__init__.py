"""The house over HTTP, and a player's vault as a file.

- `http.Api` has a method for every endpoint. `cards`, `collection`, `decks`, `market` and `webhooks` are its
  parts by subject; `calls` sends requests, and tries again while nobody answers; `answers` reads refusals.
- `transport` is the seam to the network, and `wire` fulfils it with httpx.
- `streams` listens to events. `match` has a bot play a whole match.
- `vault` opens a player's file, which `disk` locks and replaces.

Code that needs neither network nor files is in `player/`: sessions, following a record, the vault's format.
This room never opens a database, and knows no mode.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from client.http import Api
    from client.match import MatchDriver, play_by_bot
    from client.vault import FILE, Vault, home
    from player.house import ApiProblem, Unreachable
    from player.seat import OwnSeat, SealedChoice
    from player.session import Session

__all__ = [
    "FILE",
    "Api",
    "ApiProblem",
    "MatchDriver",
    "OwnSeat",
    "SealedChoice",
    "Session",
    "Unreachable",
    "Vault",
    "home",
    "play_by_bot",
]

_MODULES = {
    "client.http": ("Api",),
    "client.match": ("MatchDriver", "play_by_bot"),
    "client.vault": ("FILE", "Vault", "home"),
    "player.house": ("ApiProblem", "Unreachable"),
    "player.seat": ("OwnSeat", "SealedChoice"),
    "player.session": ("Session",),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for. A command that only opens a vault does not wait for an HTTP library."""
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

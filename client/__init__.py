"""The house over HTTP, and a player's vault as a file.

- `http.Api` has a method for every endpoint. `cards`, `collection`, `decks`, `market` and `webhooks` are its
  parts by subject; `calls` sends requests, and tries again while nobody answers; `answers` reads refusals.
- `streams` listens to events. `match` has a bot play a whole match.
- `vault` opens a player's file, which `disk` locks and replaces.

Code that needs neither network nor files is in `player/`: sessions, following a record, the vault's format.
This room never opens a database, and knows no mode.
"""

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

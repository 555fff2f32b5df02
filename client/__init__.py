"""The player's side: keys and match secrets, messages, a house over HTTP, bots.

`vault` keeps a player's secrets in one encrypted file. `seat` builds every
message from the game and those secrets, `play` says which one is due; both are
pure. `follow` folds the record that a house sends and believes nothing else,
`session` sits at one game so, `match` has a bot play it. `bots` choose; `http` speaks to the
house, `streams` listens to it.
Nothing here opens a database or knows a mode, but for the bots of that mode.
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

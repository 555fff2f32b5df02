"""The player's side: keys and match secrets, messages, a house over HTTP, bots.

`vault` keeps a player's secrets in one encrypted file. `seat` builds every
message from the game and those secrets, `play` says which one is due; both are
pure. `follow` folds the record that a house sends and believes nothing else,
`match` plays a whole game so. `bots` choose; `http` speaks to the house.
Nothing here opens a database or knows a mode, but for the bots of that mode.
"""

from client.bots import Bot, bots_for, default_bot
from client.http import Api, ApiProblem, Unreachable
from client.match import Match, play_by_bot
from client.seat import Kept, Seat
from client.vault import FILE, Vault, home

__all__ = [
    "FILE",
    "Api",
    "ApiProblem",
    "Bot",
    "Kept",
    "Match",
    "Seat",
    "Unreachable",
    "Vault",
    "bots_for",
    "default_bot",
    "home",
    "play_by_bot",
]

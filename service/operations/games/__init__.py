"""Games: begin one, accept what players send, resolve what is due.

Each verb locks the game's row, lets the referee judge, appends entries, commits, and only then tells others.
If a verb runs twice, the second run finds nothing to do.

`begin` opens games, `turns` accepts messages, `resolving` closes steps; `saving` stores what they have
written, `deadlines` says when the house must act next, `ending` books the end. `rows` reads.
"""

from service.operations.games.begin import BotPlan, PlayerPlan, SeatPlan, begin, bot_key
from service.operations.games.deadlines import BOT_PATIENCE_MS, GRACE_MS, bots_asked
from service.operations.games.ending import stop
from service.operations.games.resolving import resolve
from service.operations.games.rows import (
    current,
    fold_of,
    header_of,
    live_game,
    note_of,
    require_not_stopped,
    row_of,
    seat_of,
    seats_of,
    standing,
    waiting_of,
)
from service.operations.games.turns import Accepted, submit

__all__ = [
    "BOT_PATIENCE_MS",
    "GRACE_MS",
    "Accepted",
    "BotPlan",
    "PlayerPlan",
    "SeatPlan",
    "begin",
    "bot_key",
    "bots_asked",
    "current",
    "fold_of",
    "header_of",
    "live_game",
    "note_of",
    "require_not_stopped",
    "resolve",
    "row_of",
    "seat_of",
    "seats_of",
    "standing",
    "stop",
    "submit",
    "waiting_of",
]

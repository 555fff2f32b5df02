"""Tournaments: create and enter them, play their rounds, put results right, pay the prizes.

`terms` checks and opens a tournament, `entering` has the list of players, `directing` what its director does.
`rounds` does what is due: it is the workers' part. `playing` begins the games of a round and reads their
results, `books` moves coins, `rows` reads and locks.

The database is the truth: everything that is due follows from the rows, and each step is a transaction of its
own. So a worker that dies leaves nothing half done, and the next look goes on. Locks are taken in one order:
the tournament, its matches, the players by id, their accounts by id, the end of the ledger.
"""

from service.operations.tournaments.directing import cancel, drop, restore, rule, start
from service.operations.tournaments.entering import enter, leave_all, withdraw
from service.operations.tournaments.rounds import advance, due
from service.operations.tournaments.rows import (
    ListedEntry,
    ListedMatch,
    ListedTournament,
    entry_of,
    find,
    listed,
    matches,
    newest,
    own_entry,
    standings,
)
from service.operations.tournaments.terms import (
    HOUSE_NEEDS,
    LATEST_START,
    LONGEST_NAME,
    LONGEST_PAUSE,
    MOST_OPEN,
    MOST_PLACES,
    MOST_PRIZES,
    MOST_ROUNDS,
    Terms,
    create,
)

__all__ = [
    "HOUSE_NEEDS",
    "LATEST_START",
    "LONGEST_NAME",
    "LONGEST_PAUSE",
    "MOST_OPEN",
    "MOST_PLACES",
    "MOST_PRIZES",
    "MOST_ROUNDS",
    "ListedEntry",
    "ListedMatch",
    "ListedTournament",
    "Terms",
    "advance",
    "cancel",
    "create",
    "drop",
    "due",
    "enter",
    "entry_of",
    "find",
    "leave_all",
    "listed",
    "matches",
    "newest",
    "own_entry",
    "restore",
    "rule",
    "standings",
    "start",
    "withdraw",
]

"""The running games that this process knows: who sits where, the fold, and the newest entries as text.

All of it is a cache of the database, so that a turn need not read what the process has just written. It is
bounded, and the loss of any part of it costs only a look. A writer to a game compares `seq` and `head`
under the lock of its row first, so an outdated fold is never written on.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee import Game
from service.tails import Event

MOST_GAMES = 512
"""The games that are kept. The one that nobody has asked for longest goes first."""
MOST_ENTRIES = 64
"""The entries of a game that are kept."""
MOST_BYTES = 65_536
"""The length of their JSON together."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """The sitter at a seat: a player, or one of the house's bots."""

    seat: int
    player_id: str | None
    """The player; None for a bot."""
    bot: str | None
    """The name of the bot; None for a player."""


@dataclass(frozen=True, slots=True)
class LiveGame:
    """The knowledge of this process about a game, as of entry `seq`."""

    id: str
    seats: tuple[Sitter, ...]
    private: bool
    spectators: bool
    seq: int
    """The seq of the newest entry that this process knows of."""
    fold: Game
    """The game as of its own `seq`, which may be an older one."""
    ended: bool = False
    stopped: bool = False
    """True if the game has ended without a result."""
    entries: tuple[Event, ...] = ()
    """The newest entries up to `seq`, as streams give them; perhaps none."""

    def seat_of(self, player_id: str | None) -> int | None:
        """The number of a player's seat; None for a player who has none, and for nobody."""
        if player_id is None:
            return None
        return next((sitter.seat for sitter in self.seats if sitter.player_id == player_id), None)

    def after(self, seq: int) -> Sequence[Event] | None:
        """All entries after `seq`, in order; None if some of them are not kept."""
        missing = self.seq - seq
        if missing <= 0:
            return ()
        return self.entries[-missing:] if missing <= len(self.entries) else None


@dataclass(frozen=True, slots=True)
class Growth:
    """The entries that a transaction has added to a game's record."""

    game_id: str
    seq: int
    """The seq of the newest entry."""
    entries: tuple[Event, ...]
    """The new entries up to `seq`, as streams give them; none where they are too long to be told."""
    ended: bool
    before: LiveGame | None = None
    """The game without them, where this process wrote them."""
    fold: Game | None = None
    """The game with them, where this process wrote them."""


def _grown(game: LiveGame, growth: Growth) -> LiveGame:
    new = growth.seq - game.seq
    follows = new <= len(growth.entries)
    entries = (*game.entries, *growth.entries[-new:]) if follows else growth.entries
    ended = game.ended or growth.ended
    fold = growth.fold or game.fold
    return replace(game, seq=growth.seq, ended=ended, fold=fold, entries=_bounded(entries))


def _bounded(entries: tuple[Event, ...]) -> tuple[Event, ...]:
    entries, size, kept = entries[-MOST_ENTRIES:], 0, 0
    for entry in reversed(entries):
        size += len(entry.data)
        if size > MOST_BYTES:
            break
        kept += 1
    return entries[len(entries) - kept :]


class LiveGames:
    """The games that a process knows, by id. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._unheard = 0
        """Counts what happened to games that are not kept, and what was forgotten."""

    def get(self, game_id: str) -> LiveGame | None:
        """A game, if it is known."""
        with self._lock:
            found = self._games.get(game_id)
            if found is not None:
                self._games.move_to_end(game_id)
            return found

    def ticket(self) -> int:
        """Return what a caller takes before it reads a game from the database, for `put`."""
        return self._unheard

    def put(self, game: LiveGame, ticket: int) -> None:
        """Keep a game that was read from the database, unless it may have grown since `ticket` was taken."""
        with self._lock:
            known = self._games.get(game.id)
            if self._unheard == ticket and (known is None or known.seq <= game.seq):
                self._keep(game)

    def grow(self, growth: Growth) -> None:
        """Add what was committed. News that is known already is ignored, whatever the order of the calls."""
        with self._lock:
            known = self._games.get(growth.game_id)
            gap = known is None or growth.seq - len(growth.entries) > known.seq
            game = growth.before if gap and growth.before is not None else known
            if game is None:
                self._unheard += 1
            elif known is None or growth.seq > known.seq:
                self._keep(_grown(game, growth))

    def fill(self, game_id: str, entries: Sequence[Event]) -> None:
        """Keep entries that were read from the database, if they are the newest of a game that is known."""
        with self._lock:
            known = self._games.get(game_id)
            if known is not None and entries and entries[-1].id == known.seq:
                filled = _bounded(tuple(entries))
                if len(filled) > len(known.entries):
                    self._games[game_id] = replace(known, entries=filled)

    def forget(self, game_id: str) -> None:
        """Forget a game: what is known of it may be outdated."""
        with self._lock:
            self._unheard += 1
            self._games.pop(game_id, None)

    def clear(self) -> None:
        """Forget all games."""
        with self._lock:
            self._unheard += 1
            self._games.clear()

    def _keep(self, game: LiveGame) -> None:
        self._games[game.id] = game
        self._games.move_to_end(game.id)
        if len(self._games) > MOST_GAMES:
            self._unheard += 1
            self._games.popitem(last=False)

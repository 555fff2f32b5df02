"""Streams of events: all committed events, in order and without a gap, as long as a client listens."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager

from sqlmodel import Session

from service import notices
from service.notices import Signal
from service.operations import feed, tokens, watching
from service.operations.games import standing
from service.problems import Problem, conflict
from service.runtime import Runtime
from service.stopping import stopping
from service.tails import BATCH, Event, Mark

RECHECK = 20.0
"""Seconds between two checks whether a listener may still listen."""
LOOK_UP = 1.0
"""Seconds after which a thread that listens checks whether the house closes."""

Allowed = Callable[[Session], object]
"""Raises `Problem` once the listener may no longer listen."""
ReadEvents = Callable[[Signal, int, Mark], Sequence[Event]]
"""Returns the events after an id that were committed when the mark was taken."""


class TopicFollower:
    """The events of a topic after an id, for one listener: all committed ones, in order and without a gap.

    It ends after an event named `last`, after the newest event if `over` is set, and when the listener may no
    longer listen.
    """

    def __init__(
        self,
        house: Runtime,
        topic: str,
        after: int,
        look: ReadEvents,
        allowed: Allowed,
        *,
        last: str | None = None,
        over: bool = False,
        shared: bool = False,
    ) -> None:
        """`shared` says that `look` reads the signal's tail, which all listeners of the topic share."""
        self.topic = topic
        self.ended = False
        self._house, self._after, self._look, self._allowed = house, after, look, allowed
        self._last, self._over, self._shared = last, over, shared
        # Listeners that came together are checked apart, so that no crowd of checks holds up a turn.
        self._checked = time.monotonic() - random.random() * RECHECK
        self._looked: Mark | None = None

    def signal(self) -> AbstractContextManager[Signal]:
        """The signal to wait for. It must be held as long as the events are asked for."""
        return self._house.notices.signal(self.topic)

    def next(self, signal: Signal) -> Sequence[Event]:
        """The events that have come since; () if there are none. It may read from the database."""
        if self._unchecked <= 0:
            if not _still(self._house, self._allowed):
                self.ended = True
                return ()
            self._checked = time.monotonic()
        mark = signal.mark(self._house.relook)
        return self._take(() if mark == self._looked else self._look(signal, self._after, mark), mark)

    def kept(self, signal: Signal) -> Sequence[Event] | None:
        """Return what `next` would, where that needs no database; else None."""
        if self._unchecked <= 0:
            return None
        mark = signal.mark(self._house.relook)
        if mark == self._looked:
            return ()
        found = signal.tail.kept(self._after, mark) if self._shared else None
        return None if found is None else self._take(found, mark)

    def current(self, signal: Signal) -> bool:
        """True if there was no signal since the last look, so that it makes sense to wait for one."""
        return self._looked is not None and signal.mark(self._house.relook) == self._looked

    @property
    def _unchecked(self) -> float:
        """Seconds until the listener's right to listen is checked again."""
        return self._checked + RECHECK - time.monotonic()

    @property
    def rest(self) -> float:
        """Seconds after which `next` is to be called, even without a signal."""
        return max(0.0, min(self._unchecked, self._house.relook))

    def _take(self, found: Sequence[Event], mark: Mark) -> Sequence[Event]:
        if found:
            self._after = found[-1].id
            self.ended = found[-1].name == self._last
        else:
            self._looked = mark
            self.ended = self._over
        return found


def follow(follower: TopicFollower) -> Generator[Sequence[Event], None, None]:
    """A listener's events as they come, in a thread that waits.

    Without events it yields () about every second. It also ends when the house closes.
    """
    with follower.signal() as signal:
        while not stopping.is_set():
            mark = signal.mark(notices.RELOOK)
            found = follower.next(signal)
            if found or not follower.ended:
                yield found
            if follower.ended:
                return
            if not found:
                signal.wait(mark, min(LOOK_UP, follower.rest))


def _still(house: Runtime, allowed: Allowed) -> bool:
    try:
        with house.notices.reading, house.read() as session:
            allowed(session)
    except Problem:
        return False
    return True


def bearer(house: Runtime, token: str | None) -> Allowed:
    """A check for `follow`: the token still speaks for a player."""

    def allowed(session: Session) -> str | None:
        return None if token is None else tokens.bearer(session, token, house.now()).id

    return allowed


def ended(house: Runtime, game_id: str, player_id: str | None, after: int) -> tuple[bool, bool]:
    """Tell whether a game is over, and whether its entry `after` is also its last.

    Raises `Problem` as `watching.known` does, and 409 for an entry that the game does not have yet.
    """
    game = watching.known(house, game_id, player_id)
    newest, over = game.seq, game.ended
    if after > newest:  # another process may have just written it, perhaps as the last
        with house.read() as session:
            at = standing(session, game_id)
        newest, over = at.seq, at.ended
    if after > newest:
        raise conflict("unknown_event", f"The newest entry of this game is {newest}.", seq=newest)
    return over, over and after == newest


def of_game(
    house: Runtime, game_id: str, player_id: str | None, after: int, token: str | None, over: bool
) -> TopicFollower:
    """The entries of a game's record after seq `after`; `over` says that no more entries can come.

    Everybody who may see a game sees the same record, so all listeners share the entries that one has read.
    """

    def read(last: int) -> Sequence[Event]:
        with house.notices.reading:
            return watching.entries_after(house, game_id, last, BATCH)

    def allowed(session: Session) -> None:
        bearer(house, token)(session)
        watching.visible(session, game_id, player_id)

    def look(signal: Signal, last: int, mark: Mark) -> Sequence[Event]:
        return signal.tail.after(last, mark, read)

    topic = notices.of_game(game_id)
    return TopicFollower(house, topic, after, look, allowed, last="result", over=over, shared=True)


def of_player(house: Runtime, player_id: str, after: int | None, token: str | None) -> TopicFollower:
    """The events of a player's feed after number `after`, or from the oldest on (see `feed.after`)."""
    first = after

    def look(_signal: Signal, last: int, _mark: Mark) -> Sequence[Event]:
        with house.notices.reading, house.read() as session:
            return feed.after(session, player_id, first if last < 0 else last)

    def allowed(session: Session) -> None:
        bearer(house, token)(session)

    return TopicFollower(house, notices.of_player(player_id), -1 if first is None else first, look, allowed)

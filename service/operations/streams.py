"""Streams of events: all committed events, in order and without a gap, as long as a client listens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from sqlmodel import Session, col, select

from service import notices
from service.models import GameEntry
from service.notices import Signal
from service.operations import feed, tokens, watching
from service.operations.watching import LOOK_UP
from service.problems import Problem, conflict
from service.runtime import Runtime
from service.stopping import stopping
from service.tails import BATCH, Event, Mark, one_line

RECHECK = 20.0
"""Seconds between two checks whether a listener may still listen."""

Allowed = Callable[[Session], object]
"""Raises `Problem` once the listener may no longer listen."""
ReadEvents = Callable[[Signal, int, Mark], Sequence[Event]]
"""Returns the events after an id that were committed when the mark was taken."""


def follow(
    house: Runtime,
    topic: str,
    after: int,
    look: ReadEvents,
    allowed: Allowed,
    *,
    last: str | None = None,
    over: bool = False,
) -> Iterator[Sequence[Event]]:
    """The events of a topic after id `after`, as they come. Without events it yields () about every second.

    It ends after an event named `last`, after the newest event if `over` is set, when the listener may no
    longer listen, and when the house closes.
    """
    checked, looked = time.monotonic(), None
    with house.notices.signal(topic) as signal:
        while not stopping.is_set():
            if time.monotonic() - checked > RECHECK:
                if not _still(house, allowed):
                    return
                checked = time.monotonic()
            mark = signal.mark(house.relook)
            found = () if mark == looked else look(signal, after, mark)
            if not found:
                if over:
                    return
                looked = mark
                yield ()
                signal.wait(mark, min(LOOK_UP, house.relook))
                continue
            yield found
            after = found[-1].id
            if found[-1].name == last:
                return


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


def ended(session: Session, game_id: str, player_id: str | None, after: int) -> tuple[bool, bool]:
    """Tell whether a game is over, and whether its entry `after` is also its last.

    Raises `Problem` as `watching.visible` does, and 409 for an entry that the game does not have yet.
    """
    row, _ = watching.visible(session, game_id, player_id)
    if after > row.seq:
        raise conflict("unknown_event", f"The newest entry of this game is {row.seq}.", seq=row.seq)
    over = row.ended_at is not None
    return over, over and after == row.seq


def of_game(
    house: Runtime, game_id: str, player_id: str | None, after: int, token: str | None, over: bool
) -> Iterator[Sequence[Event]]:
    """The entries of a game's record after seq `after`; `over` says that no more entries can come.

    Everybody who may see a game sees the same record, so all listeners share the entries that one has read.
    """

    def read(last: int) -> Sequence[Event]:
        statement = (
            select(GameEntry)
            .where(GameEntry.game_id == game_id, GameEntry.seq > last)
            .order_by(col(GameEntry.seq))
            .limit(BATCH)
        )
        with house.notices.reading, house.read() as session:
            rows = list(session.exec(statement))
        return [Event(row.seq, row.kind, one_line(row.entry)) for row in rows]

    def allowed(session: Session) -> None:
        bearer(house, token)(session)
        watching.visible(session, game_id, player_id)

    def look(signal: Signal, last: int, mark: Mark) -> Sequence[Event]:
        return signal.tail.after(last, mark, read)

    return follow(house, notices.of_game(game_id), after, look, allowed, last="result", over=over)


def of_player(
    house: Runtime, player_id: str, after: int | None, token: str | None
) -> Iterator[Sequence[Event]]:
    """The events of a player's feed after number `after`, or from the oldest on (see `feed.after`)."""
    first = after

    def look(_signal: Signal, last: int, _mark: Mark) -> Sequence[Event]:
        with house.notices.reading, house.read() as session:
            return feed.after(session, player_id, first if last < 0 else last)

    def allowed(session: Session) -> None:
        bearer(house, token)(session)

    return follow(house, notices.of_player(player_id), -1 if first is None else first, look, allowed)

"""The entries of a game as its stream brings them, for those who wait for the next one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from client.streams import ReceivedEvent
from player.house import ApiProblem


class Following:
    """A thread that listens to one game. It ends with the stream, and with the process."""

    def __init__(self, listen: Callable[[int], Iterator[ReceivedEvent]], after: int) -> None:
        """`listen` opens the stream of the entries after a number, as `Api.events` does."""
        self._news = threading.Condition()
        self._entries: list[dict[str, Any]] = []
        self._after = after
        """The number of the entry before the first that is kept."""
        self._fault: Exception | None = None
        self.ended = False
        """True if nothing more will come this way."""
        threading.Thread(target=self._run, args=(listen, after), name="following", daemon=True).start()

    def entries(self, after: int, wait: float) -> list[dict[str, Any]] | None:
        """The entries after a number, waiting up to `wait` seconds for the first.

        None where the stream can't tell: it begins later, was refused, or has ended. Raises `Unreachable`.
        """
        with self._news:
            if after < self._after:
                return None
            self._news.wait_for(lambda: self._newest > after or self.ended, wait)
            del self._entries[: after - self._after]
            self._after = after
            if not self._entries and self._fault is not None:
                raise self._fault
            return None if self.ended and not self._entries else list(self._entries)

    @property
    def _newest(self) -> int:
        return self._after + len(self._entries)

    def _run(self, listen: Callable[[int], Iterator[ReceivedEvent]], after: int) -> None:
        fault = None
        try:
            for event in listen(after):
                with self._news:
                    if event.id > self._newest + 1:
                        break  # something is missing
                    if event.id > self._newest:
                        self._entries.append(event.data)
                        self._news.notify_all()
        except ApiProblem:
            pass  # a poll meets the same problem, if it matters there
        except Exception as error:  # for the thread that waits, which knows what to do
            fault = error
        with self._news:
            self._fault, self.ended = fault, True
            self._news.notify_all()

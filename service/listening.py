"""News between processes, by PostgreSQL's LISTEN and NOTIFY: one connection a process, beside the pool.

A transaction with news sends a notice, and PostgreSQL delivers it at the commit. Notices are lost while the
connection is away; that does no harm, since every waiter looks again after a while.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import structlog

from service.db import Database
from service.notices import Notices
from service.stopping import stopping

CHANNEL = "cloche"
_LOOK_UP = 1.0
"""Seconds after which the thread checks whether it has to end."""
_IDLE = 15.0
"""Seconds of silence after which the thread tests the connection."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
"""Seconds between two attempts to connect."""

log = structlog.get_logger(__name__)


class Listening:
    """A thread that hears what others tell of their commits, and always connects again.

    It calls `hear` with each notice, and `lost` whenever notices may have been lost.
    """

    def __init__(
        self, database: Database, notices: Notices, hear: Callable[[str], None], lost: Callable[[], None]
    ) -> None:
        self._database = database
        self._notices = notices
        self._hear, self._lost = hear, lost
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listening", daemon=True)

    def start(self) -> None:
        """Begin. Call it once."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and its connection. An attempt to connect that is under way ends by itself."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2 * _LOOK_UP)

    @property
    def _ended(self) -> bool:
        return self._stop.is_set() or stopping.is_set()

    def _run(self) -> None:
        pause = _FIRST_PAUSE
        while not self._ended:
            try:
                with closing(self._database.connect_alone()) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    pause = _FIRST_PAUSE
                    self._heard(True)
                    self._listen(connection)
            except Exception as fault:  # whatever the driver raises: waiters look by themselves meanwhile
                log.warning("listening_lost", error=type(fault).__name__)
            self._heard(False)
            if not self._ended:
                self._stop.wait(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)

    def _heard(self, heard: bool) -> None:
        # Notices may have been lost in between, and waiters must learn how often to look from now on.
        self._notices.hears_others = heard
        self._lost()
        self._notices.give_all()

    def _listen(self, connection: Any) -> None:
        spoke = time.monotonic()
        while not self._ended:
            for notice in connection.notifies(timeout=_LOOK_UP):
                spoke = time.monotonic()
                self._hear(notice.payload)
            if time.monotonic() - spoke > _IDLE:
                connection.execute("SELECT 1")
                spoke = time.monotonic()

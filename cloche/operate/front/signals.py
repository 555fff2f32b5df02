"""Waiting for news on the event loop: a signal for each topic, given when a thread gives its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

from service.notices import Notices

READERS = 4
"""Threads that read events for streams."""

Result = TypeVar("Result")


class LoopSignal:
    """The signal of one topic, for those who wait on the event loop."""

    def __init__(self) -> None:
        self.reading = asyncio.Lock()
        """Held by the one who reads the topic's events for all listeners."""
        self._sleepers: set[asyncio.Future[None]] = set()

    async def wait(self, seconds: float, gone: asyncio.Future[None]) -> None:
        """Return when the signal is given, after `seconds`, or when the client is gone."""
        loop = asyncio.get_running_loop()
        sleeper = loop.create_future()
        timer = loop.call_later(seconds, _wake, sleeper)

        def leave(_: asyncio.Future[None]) -> None:
            _wake(sleeper)

        gone.add_done_callback(leave)
        self._sleepers.add(sleeper)
        try:
            await sleeper
        finally:
            self._sleepers.discard(sleeper)
            timer.cancel()
            gone.remove_done_callback(leave)

    def give(self) -> None:
        """Wake all who wait for it."""
        for sleeper in self._sleepers:
            _wake(sleeper)


def _wake(sleeper: asyncio.Future[None]) -> None:
    if not sleeper.done():
        sleeper.set_result(None)


class LoopSignals:
    """The signals of a process. It is used on the event loop alone."""

    def __init__(self, notices: Notices) -> None:
        self._loop = asyncio.get_running_loop()
        self._signals: WeakValueDictionary[str, LoopSignal] = WeakValueDictionary()
        self._readers = ThreadPoolExecutor(READERS, "reader")
        notices.on_signal = self._heard

    def of(self, topic: str) -> LoopSignal:
        """The signal of a topic. It exists as long as somebody holds it."""
        signal = self._signals.get(topic)
        if signal is None:
            signal = self._signals[topic] = LoopSignal()
        return signal

    def give_all(self) -> None:
        """Wake everybody."""
        for signal in list(self._signals.values()):
            signal.give()

    async def read(self, call: Callable[[], Result]) -> Result:
        """Call a function that reads, in a thread."""
        return await self._loop.run_in_executor(self._readers, call)

    def close(self) -> None:
        """Begin no further reading."""
        self._readers.shutdown(wait=False, cancel_futures=True)

    def _heard(self, topic: str) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._give, topic)

    def _give(self, topic: str) -> None:
        signal = self._signals.get(topic)
        if signal is not None:
            signal.give()

"""Requests that wait for news, and who waits: their own thread, or a server with an event loop.

Under a plain WSGI server a request that waits holds its thread. `cloche serve` has a server that waits
without one. It puts a `Handover` into the WSGI environment of each request. A view that has to wait leaves a
`Wait` in it and ends with `Later`; the server waits, and then sends the same request through the application
again. A view that streams leaves an `EventStream`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import cast

from flask import request
from sqlmodel import Session

from service.notices import Signal
from service.operations.streams import TopicFollower
from service.problems import Problem
from service.runtime import Runtime
from service.stopping import stopping
from service.tails import Event, Mark
from service.web.context import house, perhaps_me

KEY = "cloche.handover"
"""The name of the `Handover` in a WSGI environment."""
LOOK_UP = 1.0
"""Seconds after which a thread that waits checks whether the house closes."""
HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent, so that no proxy closes the connection."""
RETRY_MS = 2_000
"""Milliseconds after which a client of a stream should reconnect."""

News = Callable[[Session], bool]
"""Tells whether a request has something to answer."""


class Later(Exception):
    """The request waits without a thread (`Handover.wait`); it has no answer yet."""


class Wait:
    """A request that waits for news of a topic. It has a place among those that wait, until it is closed."""

    def __init__(self, here: Runtime, topic: str, seconds: float, owner: str) -> None:
        self._house, self._owner = here, owner
        self._held = ExitStack()
        self._placed = False
        self._looked: Mark | None = None
        self.topic = topic
        self.until = time.monotonic() + seconds
        """The latest time of its answer, by the monotonic clock."""
        self.signal: Signal = self._held.enter_context(here.notices.signal(topic))
        self.mark = self.signal.mark(here.relook)

    def over(self, news: News) -> bool:
        """Tell whether the request is to be answered now: there is news, its time is up, or the house closes.

        Raises `Problem` 503 where it would have to wait and all places for that are taken.
        """
        if stopping.is_set():
            return True
        self.mark = self.signal.mark(self._house.relook)
        if self.mark != self._looked:
            with self._house.notices.reading, self._house.read() as session:
                if news(session):
                    return True
            self._looked = self.mark
        if time.monotonic() >= self.until:
            return True
        self._take_place()
        return False

    def _take_place(self) -> None:
        places = self._house.notices.waiting
        if self._placed:
            return
        if not places.take(self._owner):
            raise Problem(
                503,
                "too_many_waiting",
                "All places for requests that wait are taken. Ask without `wait`, or try again later.",
                headers={"Retry-After": "3"},
            )
        self._placed = True
        self._held.callback(places.give_back, self._owner)

    @property
    def changed(self) -> bool:
        """True if a signal was given since the last look."""
        return self.signal.mark(self._house.relook) != self.mark

    @property
    def rest(self) -> float:
        """Seconds after which it must look again, even without a signal."""
        return max(0.0, min(self.until - time.monotonic(), self._house.relook))

    def sleep(self) -> None:
        """Hold this thread until there may be news."""
        self.signal.wait(self.mark, min(LOOK_UP, self.rest))

    def close(self) -> None:
        """Give the place and the signal back."""
        self._held.close()


@dataclass
class EventStream:
    """A stream of events, for a server to send after the head of the answer."""

    follower: TopicFollower
    close: Callable[[], None]
    """Frees its place. To be called once, at the end."""


@dataclass
class Handover:
    """The work that a request leaves to its server.

    The server makes one for each request and closes it at the end.
    """

    began: float
    """The time when the request arrived, by `time.perf_counter`."""
    request_id: str | None = None
    wait: Wait | None = None
    later: bool = False
    """True if the request is to be sent through the application again, after `wait`."""
    stream: EventStream | None = None

    def close(self) -> None:
        """Free what the request holds."""
        if self.wait is not None:
            self.wait.close()
        if self.stream is not None:
            self.stream.close()


def handover() -> Handover | None:
    """The work that the server of this request takes over; None for a plain WSGI server."""
    return cast("Handover | None", request.environ.get(KEY))


def owner() -> str:
    """Tell whose share of the places this request takes: the player's, or the address's."""
    player = perhaps_me()
    return f"address {request.remote_addr}" if player is None else player.id


def wait_for_news(topic: str, seconds: float, news: News) -> None:
    """Return once `news` is true, after `seconds`, or when the house closes.

    `news` is asked at once, and after each signal of the topic. Raises `Problem` 503 where all places to wait
    are taken, and `Later` where the server waits instead of this thread.
    """
    given = handover()
    if given is None:
        with closing(Wait(house(), topic, seconds, owner())) as wait:
            while not wait.over(news):
                wait.sleep()
        return
    if given.wait is None:
        given.wait = Wait(house(), topic, seconds, owner())
    if not given.wait.over(news):
        given.later = True
        raise Later


def opening() -> bytes:
    """The first bytes of a stream."""
    return b"retry: %d\n\n" % RETRY_MS


def frames(events: Sequence[Event]) -> bytes:
    """Events in the format of Server-Sent Events."""
    return b"".join(map(frame, events))


def frame(event: Event) -> bytes:
    """An event in the format of Server-Sent Events."""
    return f"id: {event.id}\nevent: {event.name}\ndata: {event.data}\n\n".encode()

"""Connections: how many there may be, and how long a client may take for each part of a request.

A connection that asks nothing is worth little: when there is no room for a new one, the oldest of those that
are idle or half open makes way. So does one whose body is still awaited, if it is another address that wants
the room. One whose request is being answered never does. Requests that wait for news, and streams, have
places of their own (`service.notices`) and are not counted here.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, Protocol

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from cloche.operate.front import refusals
from cloche.operate.front.refusals import Reason
from service.addresses import household
from service.stopping import stopping

STATE = "cloche.connection"
"""The name of the connection in the state of an ASGI scope."""
HEAD = 10.0
"""Seconds in which the head of a request must arrive, from its first byte or the start of the connection."""
KEPT = 30
"""Seconds for which a connection without a request is kept."""
SEND = 30.0
"""Seconds in which a client must take something of what is sent."""
LAST = 3.0
"""Seconds for which a process that ends still hears clients that have connected and asked nothing yet."""
LONGEST_LINE = 4_000
"""Characters of a path with its query."""
LONGEST_HEADER = 8_190
"""Bytes of a header's name and value."""
MOST_HEADERS = 100
LONGEST_HEAD = 32_768
"""Bytes of all headers."""
PAUSE = 5
"""Seconds for which a client is asked to pause whose connection is refused."""


class ConnectionState(StrEnum):
    """The state of a connection."""

    OPENING = "opening"
    """The head of a request is awaited."""
    RECEIVING = "receiving"
    """The body of a request is awaited."""
    ANSWERING = "answering"
    """A request is answered."""
    KEPT = "kept"
    """It is idle after an answer."""
    WAITING = "waiting"
    """A request waits for news without a thread."""
    LISTENING = "listening"
    """It carries a stream of events."""


_IDLE = (ConnectionState.OPENING, ConnectionState.KEPT)
"""The kinds that make way for a new connection of the same address, the first of these first."""
_UNASKED = (ConnectionState.OPENING, ConnectionState.RECEIVING, ConnectionState.KEPT)
"""The kinds that make way for a new connection of any address."""
_PARKED = (ConnectionState.WAITING, ConnectionState.LISTENING)
"""The kinds that have a place of their own."""


class Client(Protocol):
    """A client as the crowd sees it, whatever stage its connection is at."""

    kind: ConnectionState
    address: str
    until: float | None
    transport: asyncio.Transport

    def expire(self) -> None:
        """Close the connection: the client was too slow."""

    def make_way(self) -> None:
        """Close the connection at once, for a new one."""


class Connection(HttpToolsProtocol):
    """A connection to a client, with deadlines."""

    def __init__(self, crowd: Crowd, **uvicorn: Any) -> None:
        # An ASGI scope has a copy of this state: so the application finds the connection of a request.
        super().__init__(**(uvicorn | {"app_state": {STATE: self}}))
        self._crowd = crowd
        self._gone: asyncio.Future[None] | None = None
        self._in_head, self._head, self._lost = True, 0, False
        self._in_body = False
        self._reason = refusals.UNREADABLE
        self._unsent: int | None = None
        self._ending = False
        self.kind = ConnectionState.OPENING
        self.spoke = False
        """True if a part of a head has arrived."""
        self.address = "unknown"
        self.until: float | None = None
        """The time by which it must have gone on, by the loop's clock.

        It is None where nothing is awaited from the client.
        """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the client, or refuse it."""
        super().connection_made(transport)
        self.address = household(self.client[0]) if self.client else "unknown"
        self.until = self.loop.time() + HEAD
        if not self._crowd.admit(self):
            self.refuse(refusals.crowded("too_many_connections", refusals.CONNECTIONS, PAUSE))

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client, and tell those who wait for its end."""
        self._lost = True
        self._crowd.forget(self)
        super().connection_lost(exc)
        if self._gone is not None and not self._gone.done():
            self._gone.set_result(None)
        self.app_state = {}  # else the two would hold each other

    def gone(self) -> asyncio.Future[None]:
        """A future that is done when the client is gone."""
        if self._gone is None:
            self._gone = self.loop.create_future()
            if self._lost:
                self._gone.set_result(None)
        return self._gone

    def become(self, kind: ConnectionState) -> None:
        """Note what the connection does from now on, without a deadline."""
        self.kind, self.until = kind, None

    def data_received(self, data: bytes) -> None:
        """Read what has arrived."""
        if self.transport.is_closing():
            return
        if self.kind in _IDLE:
            if not self.spoke and not self._ending:
                self.until = self.loop.time() + HEAD
            self.spoke = True
            self._head += len(data)
        super().data_received(data)
        if self.kind is ConnectionState.OPENING and self._head > LONGEST_HEAD:
            self.refuse(refusals.LONG_HEADERS)

    def on_message_begin(self) -> None:
        """Begin to read a request."""
        super().on_message_begin()
        self._in_head = True

    def on_url(self, url: bytes) -> None:
        """Take a part of the path. An exception makes `send_400_response` answer."""
        super().on_url(url)
        if len(self.url) > LONGEST_LINE:
            self._fail(refusals.LONG_PATH)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. A trailer after the body counts for nothing: a proxy may not have checked it."""
        if not self._in_head:
            return
        super().on_header(name, value)
        if len(name) + len(value) > LONGEST_HEADER or len(self.headers) > MOST_HEADERS:
            self._fail(refusals.LONG_HEADERS)

    def _fail(self, reason: Reason) -> None:
        self._reason = reason
        raise ValueError(reason.code)

    def on_headers_complete(self) -> None:
        """Begin to wait for the body: the head is there."""
        self._in_head, self._in_body = False, True
        super().on_headers_complete()
        # From the signal to the end of the loop requests are still taken. Each is the last of its connection.
        if self._ending or stopping.is_set():
            self.cycle.keep_alive = False
        self.become(ConnectionState.RECEIVING)
        self.spoke, self._head = False, 0

    def on_message_complete(self) -> None:
        """Note that the whole request is there."""
        super().on_message_complete()
        self._in_body = False
        if self.kind is ConnectionState.RECEIVING:
            self.become(ConnectionState.ANSWERING)

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is there already."""
        again = bool(self.pipeline)
        super().on_response_complete()
        if again:
            self.become(ConnectionState.RECEIVING if self._in_body else ConnectionState.ANSWERING)
        else:
            self.kind, self.until = ConnectionState.KEPT, self.loop.time() + KEPT

    def send_400_response(self, msg: str) -> None:
        """Refuse what can't be read as HTTP, as a problem document that repeats nothing of it."""
        self.refuse(self._reason)

    def shutdown(self) -> None:
        """Begin to end, as the process does.

        A client that has just connected is still heard: it was not refused.
        """
        if self.kind is ConnectionState.OPENING:
            self._ending = True
            self.until = min(self.until or math.inf, self.loop.time() + LAST)
        else:
            super().shutdown()

    def refuse(self, reason: Reason) -> None:
        """Answer with a refusal, and close the connection."""
        if not self.transport.is_closing():
            self.transport.write(refusals.refuse(reason).raw())
            self.transport.close()

    def expire(self) -> None:
        """Close the connection: the client was too slow."""
        unsent = self.transport.get_write_buffer_size()
        if unsent and (self._unsent is None or unsent < self._unsent):
            self._unsent, self.until = unsent, self.loop.time() + SEND  # it takes something
        elif unsent:
            self.transport.abort()
        elif self.kind in _IDLE and self.spoke:
            self.refuse(refusals.SLOW)
        else:
            self.transport.close()

    def make_way(self) -> None:
        """Close the connection at once, for a new one."""
        self.transport.abort()

    def pause_writing(self) -> None:
        """Begin to count the time that the client takes to read."""
        super().pause_writing()
        self._unsent, self.until = self.transport.get_write_buffer_size(), self.loop.time() + SEND

    def resume_writing(self) -> None:
        """Note that the client has read."""
        super().resume_writing()
        self._unsent = None
        self.until = self.loop.time() + KEPT if self.kind in _IDLE else None


class Crowd:
    """All connections of a process."""

    def __init__(self, most: int, share: int | None) -> None:
        """`most` in all, and `share` from one address; None where a proxy connects for all."""
        self.most, self.share = most, share
        self._all: dict[Client, None] = {}
        self._by_address: dict[str, dict[Client, None]] = {}

    def admit(self, new: Client) -> bool:
        """Make room for a connection; False if there is none."""
        same = self._by_address.setdefault(new.address, {})
        same[new] = None
        self._all[new] = None
        return (self.share is None or _room(same, self.share, new, _IDLE)) and _room(
            self._all, self.most, new, _UNASKED
        )

    def forget(self, old: Client) -> None:
        """Take a connection off the list."""
        self._all.pop(old, None)
        same = self._by_address.get(old.address, {})
        same.pop(old, None)
        if not same:
            self._by_address.pop(old.address, None)

    def expire(self, now: float) -> None:
        """Close the connections whose time is up."""
        for connection in list(self._all):
            if connection.until is not None and connection.until <= now:
                connection.expire()

    def kinds(self) -> Counter[ConnectionState]:
        """Count the connections of each kind."""
        return Counter(connection.kind for connection in self._all)


def _room(among: Iterable[Client], most: int, new: Client, kinds: Iterable[ConnectionState]) -> bool:
    """Keep connections within a number, if need be by closing one of these kinds."""
    everybody = list(among)
    if len(everybody) <= most:
        return True
    counted = [each for each in everybody if each.kind not in _PARKED and not each.transport.is_closing()]
    if len(counted) <= most:
        return True
    found = (each for kind in kinds for each in counted if each.kind is kind and each is not new)
    victim = next(found, None)
    if victim is None:
        return False
    victim.make_way()
    return True

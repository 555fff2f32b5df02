"""The bridge from requests on the event loop to the application in threads, and back to wait or to stream."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from cloche.operate.front import refusals, requests
from cloche.operate.front.connections import STATE, Connection, ConnectionState
from cloche.operate.front.lanes import Crowded, Lane, Lanes
from cloche.operate.front.refusals import Reason
from cloche.operate.front.requests import Gone, Unfit, WsgiAnswer
from cloche.operate.front.signals import LoopSignals
from service.notices import Signal
from service.stopping import stopping
from service.tails import Event
from service.web import cors, waiting
from service.web.waiting import EventStream, Handover, Wait

Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Wsgi = Callable[..., Iterable[bytes]]

MOVES, PLAY, REST = "moves", "play", "rest"
_QUEUES = {MOVES: 1024, PLAY: 1024, REST: 256}
"""The most requests that wait for a thread, by lane."""

log = logging.getLogger(__name__)


def lanes(threads: int) -> Lanes:
    """The lanes of a process: a quarter of its threads is kept for moves, and a quarter for other play."""
    kept = {MOVES: max(1, threads // 4), PLAY: threads // 4, REST: 0}
    return Lanes(threads, *(Lane(name, kept[name], _QUEUES[name]) for name in (MOVES, PLAY, REST)))


class Bridge:
    """The ASGI application that answers by a WSGI application in threads."""

    def __init__(
        self,
        application: Wsgi,
        threads: Lanes,
        signals: LoopSignals,
        *,
        body_limit: int,
        proxies: int,
        share: int,
        origins: frozenset[str],
    ):
        self._application, self._lanes, self._signals = application, threads, signals
        self._body_limit, self._proxies = body_limit, proxies
        self._moves, self._play, self._rest = threads.lanes
        self._origins = origins
        self._share, self._in_hand = share, Counter[str]()

    async def __call__(self, scope: dict[str, Any], receive: requests.Receive, send: Send) -> None:
        """Answer one request."""
        connection: Connection = scope["state"].pop(STATE)
        handover = Handover(time.perf_counter())
        try:
            await self._answer(scope, receive, send, connection, handover)
        except Gone:
            connection.transport.close()
        except Unfit as unfit:
            await self._refuse(send, unfit.reason, scope, handover)
            if unfit.more:
                await requests.drain(receive)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except Crowded as crowded:
            reason = refusals.crowded("crowded", refusals.CROWDED, crowded.seconds)
            await self._refuse(send, reason, scope, handover, last=True)
        finally:
            handover.close()

    async def _answer(
        self,
        scope: dict[str, Any],
        receive: requests.Receive,
        send: Send,
        connection: Connection,
        handover: Handover,
    ) -> None:
        owner = requests.address_of(scope, self._proxies)
        with self._counted(owner):
            body = await requests.read_body(scope["headers"], receive, self._body_limit)
        given, lane = requests.environ(scope, body), self._lane(scope)
        while True:
            handover.later = False
            with self._counted(owner):
                answer = await self._lanes.run(lane, owner, partial(self._call, given, handover, body))
            if not handover.later or handover.wait is None:
                break
            connection.become(ConnectionState.WAITING)
            await self._wait(handover.wait, connection)
            connection.become(ConnectionState.ANSWERING)
        if handover.stream is None:
            await _send(send, answer, answer.body)
        else:
            await _send(send, answer, None)
            if scope["method"] != "HEAD":
                connection.become(ConnectionState.LISTENING)
                await self._stream(handover.stream, send, connection)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    @contextmanager
    def _counted(self, owner: str) -> Iterator[None]:
        """Count a request of an address while it is in hand. Raises `Crowded` where it has too many."""
        if self._in_hand[owner] >= self._share:
            raise Crowded(self._lanes.pause())
        self._in_hand[owner] += 1
        try:
            yield
        finally:
            self._in_hand[owner] -= 1
            if not self._in_hand[owner]:
                del self._in_hand[owner]

    def _lane(self, scope: Mapping[str, Any]) -> Lane:
        if requests.is_move(scope):
            return self._moves
        return self._play if requests.is_play(scope) else self._rest

    def _call(self, given: dict[str, Any], handover: Handover, body: bytes) -> WsgiAnswer:
        """Call the application in a thread. It changes its environment, so each call gets a new one."""
        fresh = given | {waiting.KEY: handover, "wsgi.input": BytesIO(body)}
        try:
            return requests.call(self._application, fresh)
        except Exception:
            log.exception("the application failed")
            refusal = refusals.refuse(refusals.BROKEN, handover.request_id)
            named = [(name.encode(), value.encode()) for name, value in refusal.headers.items()]
            return WsgiAnswer(refusal.status, named, refusal.body)

    async def _wait(self, wait: Wait, connection: Connection) -> None:
        """Return when there may be news, or the request is to be answered all the same. Raises `Gone`."""
        signal = self._signals.of(wait.topic)
        while not wait.changed and not stopping.is_set() and wait.rest > 0:
            await signal.wait(wait.rest, connection.gone())
            if connection.gone().done():
                raise Gone

    async def _stream(self, stream: EventStream, send: Send, connection: Connection) -> None:
        """Send events as they come, until they end, the client is gone, or the house closes."""
        follower, gone = stream.follower, connection.gone()
        on_loop = self._signals.of(follower.topic)
        await _part(send, waiting.opening())
        spoke = time.monotonic()
        with follower.signal() as signal:
            while not stopping.is_set() and not gone.done():
                try:
                    found = await self._next(stream, signal)
                except (DBAPIError, PoolTimeoutError) as error:
                    # The client reconnects with the id of its newest event.
                    log.error("stream_cut", extra={"error": type(error).__name__})
                    return
                if found:
                    await _part(send, waiting.frames(found))
                    spoke = time.monotonic()
                if follower.ended:
                    return
                if found:
                    continue
                left = spoke + waiting.HEARTBEAT - time.monotonic()
                if left <= 0:
                    await _part(send, b":\n\n")
                    spoke = time.monotonic()
                    continue
                # A stream that is told to stop while it reads is not woken again.
                if follower.current(signal) and not stopping.is_set():
                    await on_loop.wait(min(left, follower.rest), gone)

    async def _next(self, stream: EventStream, signal: Signal) -> Sequence[Event]:
        """The next events, from memory where they are there: one listener of a topic reads for all."""
        found = stream.follower.kept(signal)
        if found is not None:
            return found
        async with self._signals.of(stream.follower.topic).reading:
            found = stream.follower.kept(signal)
            if found is not None:
                return found
            return await self._signals.read(partial(stream.follower.next, signal))

    async def _refuse(
        self,
        send: Send,
        reason: Reason,
        scope: Mapping[str, Any],
        handover: Handover,
        *,
        last: bool = False,
    ) -> None:
        """Send a refusal. Unless it is `last`, the connection ends with it, after more of the answer."""
        refusal = refusals.refuse(reason, handover.request_id, scope["method"])
        origin = next((value for name, value in scope["headers"] if name == b"origin"), b"").decode("latin-1")
        headers = {**refusal.headers, **cors.headers(scope["path"], origin, self._origins)}
        if not last:
            headers |= refusals.CLOSED
        named = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": refusal.status, "headers": named})
        body = b"" if scope["method"] == "HEAD" else refusal.body
        await send({"type": "http.response.body", "body": body, "more_body": not last})


async def _send(send: Send, answer: WsgiAnswer, body: bytes | None) -> None:
    """Send an answer; without a body, the head of a stream.

    The connection ends with the stream, and the head says so. A stream ends when the process does: a client
    that asked again on the same connection would meet its end.
    """
    headers = [(name, value) for name, value in answer.headers if name.lower() != b"content-length"]
    if body is None:
        headers.append((b"Connection", b"close"))
    elif answer.status not in (204, 304):
        told = next((value for name, value in answer.headers if name.lower() == b"content-length"), None)
        headers.append((b"Content-Length", told or str(len(body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if body is not None:
        await send({"type": "http.response.body", "body": body, "more_body": False})


async def _part(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})

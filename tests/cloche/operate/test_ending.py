"""A process that is told to end answers whoever has connected, and ends all the same."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn

from cloche.operate.front import bridge, connections
from cloche.operate.front.connections import Connection, Crowd
from cloche.operate.front.lanes import Lanes
from cloche.operate.front.signals import LoopSignal, LoopSignals
from service.config import Settings
from service.operations.streams import TopicFollower
from service.runtime import Runtime
from service.tails import Event
from service.web import waiting
from tests.client.guests import Invite
from tests.cloche.operate.lines_kit import HALF, closed, connect, read
from tests.stack import Stack
from tests.waiting import PATIENCE, until

ASK = b"GET /api/v1/house HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
def house(open_stack: Callable[..., Stack]) -> Stack:
    return open_stack("embedded")


def opening(house: Stack) -> float:
    """How many connections have asked nothing yet, as the house counts them every second."""
    text = house.get("/metrics").text
    [found] = re.findall(r'^cloche_connections\{kind="opening"\} (\S+)$', text, re.M) or ["0"]
    return float(found)


def begin_to_end(house: Stack) -> None:
    """Tell the house to end; returns when nobody takes new connections any more."""
    assert house.serve is not None
    house.serve.popen.send_signal(signal.SIGTERM)

    def refused() -> bool:
        try:
            connect(house).close()
        except ConnectionRefusedError:
            return True
        except ConnectionResetError:
            return False  # the socket was closed while we connected: the next connection is refused
        return False

    until(refused, what="nobody listens")


def asked(line: socket.socket) -> bytes:
    """Ask on a connection, and read the head of the answer, which has no body."""
    line.sendall(ASK)
    head = b""
    while b"\r\n\r\n" not in head:
        part = line.recv(65_536)
        assert part, "it is closed"
        head += part
    return head


async def empty(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers every request with nothing."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


@contextmanager
def served(application: Callable[[], Any]) -> Iterator[tuple[tuple[str, int], asyncio.AbstractEventLoop]]:
    """A server in this process with the house's connections; gives its address and its event loop.

    `application` is called on that loop.
    """
    loops: list[asyncio.AbstractEventLoop] = []

    async def run(listener: socket.socket) -> None:
        made = cast(Any, partial(Connection, Crowd(10, None)))
        config = uvicorn.Config(application(), http=made, lifespan="off", log_config=None)
        servers.append(uvicorn.Server(config))
        loops.append(asyncio.get_running_loop())
        await servers[0].serve([listener])

    servers: list[uvicorn.Server] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=lambda: asyncio.run(run(listener)))
        thread.start()
        try:
            until(lambda: loops, what="the loop runs")
            yield listener.getsockname(), loops[0]
        finally:
            servers[0].should_exit = True
            thread.join(PATIENCE)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The switch of this process that says it has been told to end."""
    switch = threading.Event()
    for module in (bridge, connections):
        monkeypatch.setattr(module, "stopping", switch)
    return switch


def test_who_has_connected_is_answered_once_and_then_the_house_is_gone(house: Stack) -> None:
    assert house.serve is not None
    with connect(house) as silent, connect(house) as half:
        half.sendall(ASK[:10])
        until(lambda: opening(house) >= 2, what="both are taken from the queue")
        begin_to_end(house)
        silent.sendall(ASK)
        half.sendall(ASK[10:])
        for line in (silent, half):
            line.settimeout(30)
            answer = read(line)  # until the house closes the connection
            assert answer.status == 200
            assert answer.headers["connection"] == "close"
    assert house.serve.stop() == 0


def test_who_says_nothing_more_does_not_keep_the_house_open(house: Stack) -> None:
    assert house.serve is not None
    with connect(house) as silent, connect(house) as half, connect(house) as kept:
        half.sendall(HALF)
        kept.sendall(ASK)
        kept.settimeout(30)
        assert kept.recv(65_536)
        until(lambda: opening(house) >= 2, what="both are taken from the queue")
        begin_to_end(house)
        assert house.serve.stop() == 0
        assert all(closed(line) for line in (silent, half, kept))


def test_from_the_signal_on_every_answer_is_the_last_of_its_connection(told: threading.Event) -> None:
    """A client that asked again there would meet the end of the process."""
    with served(lambda: empty) as (address, _), socket.create_connection(address, PATIENCE) as line:
        assert b"connection: close" not in asked(line).lower()
        assert b"connection: close" not in asked(line).lower()
        told.set()
        assert b"connection: close" in asked(line).lower()
        assert line.recv(1) == b""


def test_a_stream_that_reads_when_all_are_woken_ends_too(
    told: threading.Event, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody wakes it again: it would wait for news until the process ends, and be cut."""
    runtime = Runtime.open(
        Settings(database=f"sqlite:///{tmp_path}/x", data=tmp_path, broker="memory://none")
    )
    reads, go, slept = threading.Event(), threading.Event(), list[bool]()
    wait = LoopSignal.wait

    def look(*_: object) -> Sequence[Event]:
        reads.set()
        assert go.wait(PATIENCE)
        return ()

    def noted(self: LoopSignal, *given: Any) -> Any:
        slept.append(told.is_set())
        return wait(self, *given)

    monkeypatch.setattr(LoopSignal, "wait", noted)
    signals, lanes = list[LoopSignals](), list[Lanes]()

    def wsgi(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
        follower = TopicFollower(runtime, "nothing", 0, look, lambda _: None)
        environ[waiting.KEY].stream = waiting.EventStream(follower, lambda: None)
        start("200 OK", [("Content-Type", "text/event-stream")])
        return []

    def application() -> bridge.Bridge:
        signals.append(LoopSignals(runtime.notices))
        lanes.append(bridge.lanes(4))
        given = {"body_limit": 1000, "proxies": 0, "share": 9, "origins": frozenset[str]()}
        return bridge.Bridge(wsgi, lanes[0], signals[0], **given)

    with served(application) as (address, loop), socket.create_connection(address, PATIENCE) as line:
        line.sendall(ASK)
        assert reads.wait(PATIENCE)
        told.set()
        woken = threading.Event()
        loop.call_soon_threadsafe(lambda: (signals[0].give_all(), woken.set()))
        assert woken.wait(PATIENCE)
        go.set()
        assert b"".join(iter(lambda: line.recv(65_536), b"")).endswith(b"0\r\n\r\n")
        assert True not in slept
        loop.call_soon_threadsafe(signals[0].close)
    lanes[0].close()
    runtime.close()


def test_a_stream_says_that_its_connection_ends_with_it(house: Stack, invite: Invite) -> None:
    """A listener that comes back does so on a new connection, which another process can take."""
    token = invite(house).vault.identity.token
    with connect(house) as line:
        line.settimeout(PATIENCE)
        head = f"GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
        line.sendall(head.encode())
        begun = line.recv(65_536).lower()
        assert b"content-type: text/event-stream" in begun
        assert b"connection: close" in begun

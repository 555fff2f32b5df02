"""How a driver takes refusals, streams and connections that break."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import BaseWSGIServer, make_server

from benchmarks.load.bare import matches
from benchmarks.load.connections import DriverConnection, StreamRefused
from benchmarks.load.driver import calls
from benchmarks.load.player import LoadPhase, PhaseTally, Playing
from benchmarks.turns.bound import create_bound
from benchmarks.turns.serving import prepare
from benchmarks.turns.wsgi import Request, WsgiApp
from tests.waiting import PATIENCE, until

MOVES = 3
PACE = 0.4


class Refusing:
    """An application that refuses the first messages, as a busy house does."""

    def __init__(self, app: WsgiApp, refusals: int) -> None:
        self._app, self.left = app, refusals

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        if environ["REQUEST_METHOD"] == "POST" and self.left:
            self.left -= 1
            start("503 Busy", [("Retry-After", "0.05"), ("Content-Length", "0")])
            return [b""]
        return self._app(environ, start)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[str, Refusing, Path]]:
    """The bound on a port, with one game."""
    file = tmp_path / "games.json"
    bound = prepare(f"sqlite:///{tmp_path / 'bound.sqlite3'}", 1, file)
    app = Refusing(create_bound(bound), 0)
    server: BaseWSGIServer = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}", app, file
    server.shutdown()
    thread.join()
    server.server_close()
    bound.close()


def play(url: str, file: Path, moves: int = MOVES, pace: float = PACE) -> tuple[Playing, PhaseTally]:
    """Play one phase of so many moves at the bound."""

    async def run() -> Playing:
        [match] = matches(file, 0, 1)
        playing = Playing(url, match, events=False)
        playing.follow()
        await playing.play(LoadPhase(time.monotonic() + 0.1, moves * pace, pace), 0.0)
        playing.stop()
        return playing

    playing = asyncio.run(run())
    return playing, playing.tally


def test_every_move_has_its_planned_moment(served: tuple[str, Refusing, Path]) -> None:
    url, _, file = served
    playing, tally = play(url, file)
    assert tally.moved <= len(playing.accepted) <= MOVES
    assert len(playing.accepted) == len(tally.answered) == len(tally.seen)
    assert not tally.faults
    assert [seq for _, seq in playing.accepted] == [*range(1, len(playing.accepted) + 1)]
    assert all(answered <= seen for answered, seen in zip(tally.answered, tally.seen, strict=True))


def test_a_refused_move_is_sent_again_and_counts_from_its_moment(
    served: tuple[str, Refusing, Path],
) -> None:
    url, app, file = served
    app.left = 2
    playing, tally = play(url, file, 1, PATIENCE)  # with time to repeat it on a slow machine
    assert app.left == 0
    assert len(tally.refused) == 2
    assert tally.retry_after == [0.05, 0.05]
    assert not tally.faults, "a refusal of a busy house is no fault"
    assert tally.answered[0] >= 100, "two pauses of 50 ms belong to the move's time"
    assert playing.accepted[0][1] == 1, "the same message was taken in the end"


def test_a_house_that_takes_nothing_ends_the_phase(served: tuple[str, Refusing, Path]) -> None:
    url, app, file = served
    app.left = 1_000_000

    def refused() -> tuple[Playing, PhaseTally] | None:
        """A phase that did not end on a slow machine before its first message went out."""
        found = play(url, file)
        return found if found[1].refused else None

    playing, tally = until(refused)
    assert (tally.moved, playing.accepted) == (0, [])


def test_a_busy_house_is_asked_again_while_a_driver_sits_down(served: tuple[str, Refusing, Path]) -> None:
    url, app, file = served
    [match] = matches(file, 0, 1)
    app.left = 3
    with calls(url) as call:
        answer = call(match.post(match.message(0)))
    assert (answer.status, app.left) == (201, 0)


EVENTS = (
    b'retry: 2000\n\nid: 3\nevent: move\ndata: {"seq": 3}\n\n:\n\nid: 4\nevent: turn\ndata: {"seq": 4}\n\n'
)


def stream(head: bytes, parts: list[bytes]) -> list[tuple[int, str, Any]]:
    """The events that a connection gives from a server that sends this."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 " + head + b"\r\n\r\n")
        for part in parts:
            writer.write(part)
            await writer.drain()
        writer.close()

    async def run() -> list[tuple[int, str, Any]]:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        connection, found = DriverConnection(f"http://127.0.0.1:{port}"), []
        try:
            async for event in connection.listen(Request("GET", "/events")):
                found.append(event)
        except ConnectionResetError:
            return found
        finally:
            connection.close()
            server.close()
        raise AssertionError("a stream that ends is a connection that is lost")

    return asyncio.run(run())


@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_events_are_read_however_they_are_cut(size: int) -> None:
    cut = [EVENTS[i : i + size] for i in range(0, len(EVENTS), size)]
    chunks = [b"%x\r\n%s\r\n" % (len(part), part) for part in cut]
    expected = [(3, "move", {"seq": 3}), (4, "turn", {"seq": 4})]
    assert stream(b"200 OK\r\nTransfer-Encoding: chunked", [*chunks, b"0\r\n\r\n"]) == expected
    assert stream(b"200 OK\r\nConnection: close", cut) == expected


def test_a_stream_that_is_refused_says_when_to_come_back() -> None:
    with pytest.raises(StreamRefused) as caught:
        stream(b"503 Busy\r\nRetry-After: 7\r\nContent-Length: 0", [])
    assert (caught.value.response.status, caught.value.response.retry_after) == (503, 7.0)

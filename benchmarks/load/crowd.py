"""A process with very many connections: `python -m benchmarks.load.crowd`.

It reads an order as one line of JSON, opens its connections and says how many are open. It says so again for
every further line, and ends with its input. Listeners read streams of events; half-open connections send the
beginning of a request and then nothing, and are opened anew whenever the house closes them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.load.connections import LOST, DriverConnection, StreamRefused
from benchmarks.load.driver import tell
from benchmarks.load.json_process import JsonProcess, json_process
from benchmarks.load.served import ROOT
from benchmarks.turns.wsgi import BASE, Request

AGAIN = 0.1
"""Seconds before a connection that was closed is opened anew."""
SETTLE = 20.0
"""Seconds within which every connection must be open or refused."""
BEGINNING = f"POST {BASE}/tokens HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\nContent-Le"
"""The beginning of a request, which is all that a half-open connection sends."""


@dataclass(frozen=True, slots=True)
class CrowdOrder:
    """The connections to open."""

    url: str
    paths: Sequence[str]
    """Streams to listen to, in turn; none for half-open connections."""
    sources: Sequence[str | None]
    """The addresses of this machine to connect from, one for each connection."""


@dataclass
class ClientCrowd:
    """The connections of an order, and how many are open."""

    order: CrowdOrder
    open: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Connections and streams that were not opened, by status or cause."""
    closed: int = 0
    """The number of times that the house has closed one."""

    async def listen(self, number: int) -> None:
        """Listen to a stream for ever. A listener that is not admitted is counted, and gives up."""
        path = self.order.paths[number % len(self.order.paths)]
        connection = DriverConnection(self.order.url, self.order.sources[number])
        began = False
        try:
            async for _ in connection.listen(Request("GET", path)):
                if not began:
                    began, self.open = True, self.open + 1
        except StreamRefused as refused:
            self.refused[str(refused.response.status)] += 1
        except (*LOST, OSError) as fault:
            self.refused[type(fault).__name__] += 1
        finally:
            self.open -= began
            self.closed += began
            connection.close()

    async def hang(self, number: int) -> None:
        """Keep a half-open connection, and open it anew whenever the house closes it."""
        connection = DriverConnection(self.order.url, self.order.sources[number])
        while True:
            try:
                reader, writer = await connection.open()
            except OSError as fault:
                self.refused[type(fault).__name__] += 1
                await asyncio.sleep(AGAIN)
                continue
            self.open += 1
            try:
                writer.write(BEGINNING.encode())
                while await reader.read(4096):
                    pass
            except OSError:
                pass
            finally:
                self.open -= 1
                self.closed += 1
                connection.close()
            await asyncio.sleep(AGAIN)

    def json(self) -> dict[str, Any]:
        """Return the counts as JSON."""
        return {"open": self.open, "closed": self.closed, "refused": dict(self.refused)}


async def _run(crowd: ClientCrowd) -> None:
    one: Callable[[int], Awaitable[None]] = crowd.listen if crowd.order.paths else crowd.hang
    total = len(crowd.order.sources)
    tasks = [asyncio.ensure_future(one(number)) for number in range(total)]
    loop = asyncio.get_running_loop()
    until = loop.time() + SETTLE
    while crowd.open + sum(crowd.refused.values()) + crowd.closed < total and loop.time() < until:
        await asyncio.sleep(0.05)
    tell(crowd.json())
    while await loop.run_in_executor(None, sys.stdin.readline):
        tell(crowd.json())
    for task in tasks:
        task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    """Read one order, and keep its connections open until the input ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if soft < hard else soft, hard))
    asyncio.run(_run(ClientCrowd(CrowdOrder(**json.loads(sys.stdin.readline())))))


@dataclass(frozen=True, slots=True)
class CrowdProcess:
    """A crowd in a process of its own."""

    process: JsonProcess

    def state(self) -> dict[str, Any]:
        """Return the present counts. Raises `ProcessEnded`."""
        self.process.tell(None)
        return self.process.hear()


@contextmanager
def crowd(order: CrowdOrder) -> Iterator[tuple[CrowdProcess, dict[str, Any]]]:
    """Start a crowd that stays to the end; yields it with its counts once it has tried every connection.

    Raises `ProcessEnded`.
    """
    command = [sys.executable, "-m", "benchmarks.load.crowd"]
    with json_process("A crowd of connections", command, ROOT) as process:
        process.tell(asdict(order))
        yield CrowdProcess(process), process.hear()


if __name__ == "__main__":
    main()

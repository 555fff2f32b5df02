"""Raw connections to a house, from any address of this machine."""

from __future__ import annotations

import json
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from tests.stack import Stack

HALF = b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\n"
"""The beginning of a request, without its end."""


@dataclass(frozen=True)
class Answered:
    """An answer as it came."""

    status: int
    headers: dict[str, str]
    """The headers, by names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


def connect(house: Stack, source: str = "127.0.0.1") -> socket.socket:
    """A new connection from an address of this machine."""
    address = urlsplit(house.url)
    return socket.create_connection((address.hostname or "", address.port or 0), 20, (source, 0))


def exchange(house: Stack, request: bytes, source: str = "127.0.0.1") -> Answered:
    """Send raw bytes on a new connection, and read until the house closes it."""
    with connect(house, source) as line:
        line.settimeout(60)
        line.sendall(request)
        return read(line)


def read(line: socket.socket) -> Answered:
    """Read an answer until the house closes the connection."""
    head, _, body = b"".join(iter(lambda: line.recv(65_536), b"")).partition(b"\r\n\r\n")
    status, *lines = head.decode().splitlines()
    headers = {name.lower(): value for name, value in (each.split(": ", 1) for each in lines)}
    return Answered(int(status.split()[1]), headers, body)


def closed(line: socket.socket) -> bool:
    """Tell whether the house has closed a connection, without waiting. What it has sent is read."""
    line.setblocking(False)
    try:
        while line.recv(65_536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    return True


@contextmanager
def many(make: Callable[[int], socket.socket], count: int) -> Iterator[list[socket.socket]]:
    """Open so many connections at once, and close them at the end."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, count + soft)), hard))
    lines: list[socket.socket] = []
    try:
        for number in range(count):
            lines.append(make(number))
        yield lines
    finally:
        for line in lines:
            line.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def half_open(house: Stack, source: str) -> socket.socket:
    """A connection that says the first half of a request and nothing more."""
    line = connect(house, source)
    line.sendall(HALF)
    return line

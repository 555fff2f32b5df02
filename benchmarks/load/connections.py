"""HTTP/1.1 connections over asyncio, which cost a driver as little processor time as possible."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from benchmarks.turns.wsgi import BASE, Request

LONGEST_LINE = 1 << 22
"""Bytes. A stream's event is one line, and the first entry of a game has the text of every card in play."""
PATIENCE = 60.0
"""Seconds that an answer may take, beside the wait of a long poll."""
LOST = (ConnectionError, asyncio.IncompleteReadError, TimeoutError)
"""The exceptions of a connection that is lost."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """The response to a request."""

    status: int
    headers: Mapping[str, str]
    """The headers, by lower-case name."""
    data: bytes

    @property
    def json(self) -> Any:
        """The body's JSON."""
        return json.loads(self.data)

    @property
    def retry_after(self) -> float | None:
        """The seconds after which to try again, where the answer names them."""
        text = self.headers.get("retry-after", "")
        return float(text) if text.replace(".", "", 1).isdigit() else None


class DriverConnection:
    """A connection, which opens when it is first needed, and again after it was lost."""

    def __init__(self, url: str, source: str | None = None) -> None:
        """Prepare a connection. `source` is the address of this machine from which it comes."""
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self._source = (source, 0) if source else None
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: Request, wait: float = 0.0) -> HttpResponse:
        """Send a request; returns its response. Raises one of `LOST` if the second try fails too."""
        fresh = self._streams is None
        try:
            async with asyncio.timeout(PATIENCE + wait):
                return await self._ask(request)
        except LOST:
            self.close()
            if fresh:
                raise
        async with asyncio.timeout(PATIENCE + wait):  # the connection had been kept for too long
            return await self._ask(request)

    async def _ask(self, request: Request) -> HttpResponse:
        reader, writer = await self.open()
        writer.write(_bytes(request, self.host))
        status, headers = await _head(reader)
        if headers.get("transfer-encoding") == "chunked":
            data = b"".join([part async for part in _chunks(reader)])
        else:
            data = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return HttpResponse(status, headers, data)

    async def listen(self, request: Request) -> AsyncIterator[tuple[int, str, Any]]:
        """Yield a stream's events: id, name, data. Raises `StreamRefused`, or one of `LOST` if it breaks."""
        reader, writer = await self.open()
        writer.write(_bytes(request, self.host))
        status, headers = await _head(reader)
        if status != 200:
            data = await reader.readexactly(int(headers.get("content-length", "0")))
            self.close()
            raise StreamRefused(HttpResponse(status, headers, data))
        chunked = headers.get("transfer-encoding") == "chunked"
        event: dict[str, str] = {}
        async for line in _lines(_chunks(reader) if chunked else _rest(reader)):
            name, _, value = line.partition(":")
            if line:
                event[name] = value.removeprefix(" ")
            elif "data" in event:
                yield int(event["id"]), event["event"], json.loads(event["data"])
                event = {}
        raise ConnectionResetError("the stream has ended")

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect, unless the connection is open; returns its streams."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(
                self.host, self.port, limit=LONGEST_LINE, local_addr=self._source
            )
        return self._streams

    def close(self) -> None:
        """Close the connection if it is open."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


class StreamRefused(Exception):
    """A stream that the house does not open."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__(f"refused with {response.status}")
        self.response = response


def _bytes(request: Request, host: str) -> bytes:
    body = b"" if request.body is None else json.dumps(request.body, separators=(",", ":")).encode()
    fields = [("Host", host), *request.headers()]
    if body:
        fields += [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return f"{request.method} {BASE}{request.path} HTTP/1.1\r\n{head}\r\n".encode() + body


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return int(first.split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def _chunks(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while size := int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readuntil(b"\r\n")


async def _rest(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    while data := await reader.read(65_536):
        yield data


async def _lines(parts: AsyncIterator[bytes]) -> AsyncIterator[str]:
    kept = b""
    async for part in parts:
        *lines, kept = (kept + part).split(b"\n")
        for line in lines:
            yield line.decode()

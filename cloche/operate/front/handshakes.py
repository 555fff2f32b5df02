"""Handshakes: where TLS begins, before a connection can ask anything.

A client that does not finish its handshake counts among the connections of its address and has as long as
for the head of a request. uvicorn's own TLS would count it nowhere, and wait a minute.

A browser to which somebody types an address without its scheme comes by plain http. It is sent on to https.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from typing import Any

from cloche.operate.front import refusals
from cloche.operate.front.connections import HEAD, Connection, ConnectionState, Crowd
from cloche.operate.front.refusals import Reason, RefusalAnswer
from service.addresses import household

HELLO = b"\x16"
"""The first byte of a client that speaks TLS."""
PLAIN = Reason(400, "bad_request", "This port speaks TLS: ask with https.")
_GET = re.compile(rb"GET (/[!-~]*) HTTP/1\.[01]\r\n")
_HOST = re.compile(rb"\r\nHost: *([A-Za-z0-9.:\[\]-]{1,255})\r\n", re.IGNORECASE)


def plain_answer(head: bytes) -> bytes:
    """The answer to a request that came without TLS: a visit is sent on to https, all else is refused."""
    asked, host = _GET.match(head), _HOST.search(head)
    if asked is None or host is None:
        return refusals.refuse(PLAIN).raw()
    address = f"https://{host[1].decode('ascii')}{asked[1].decode('ascii')}"
    return RefusalAnswer(308, {"Location": address, "Content-Length": "0"}, b"").raw()


def context(certificate: str) -> ssl.SSLContext:
    """Make a server's context (TLS 1.2 or newer) for a PEM file with its key and its certificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.set_alpn_protocols(["http/1.1"])
    made.load_cert_chain(certificate)
    return made


class Handshake(asyncio.Protocol):
    """A client until its handshake is done. Then a `Connection` takes its place."""

    transport: asyncio.Transport

    def __init__(self, crowd: Crowd, secured: ssl.SSLContext, **uvicorn: Any) -> None:
        self._crowd, self._context, self._uvicorn = crowd, secured, uvicorn
        self._early = b""
        self._task: asyncio.Task[None] | None = None
        self.kind = ConnectionState.OPENING
        self.address = "unknown"
        self.until: float | None = None
        """The time by which the first byte must be there. None: the handshake has a deadline of its own."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the client, or close the connection."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a handshake needs a transport in both directions")
        self.transport = transport
        peer = transport.get_extra_info("peername")
        self.address = household(str(peer[0])) if peer else "unknown"
        self.until = asyncio.get_running_loop().time() + HEAD
        if not self._crowd.admit(self):
            self._crowd.forget(self)
            transport.abort()  # nothing can be said before a handshake

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self._crowd.forget(self)

    def data_received(self, data: bytes) -> None:
        """Begin the handshake, and keep what comes with its end. Plain http has its answer at once."""
        if self._task is not None:
            self._early += data
        elif data.startswith(HELLO):
            self.transport.pause_reading()
            self.until = None
            self._task = asyncio.get_running_loop().create_task(self._shake_hands(data))
        elif not self.transport.is_closing():
            self.transport.write(plain_answer(data))
            self.transport.close()

    async def _shake_hands(self, hello: bytes) -> None:
        try:
            secure = await self._secure(hello)
        except (OSError, ssl.SSLError):  # not TLS, too slow, gone, or it does not trust us
            secure = None
        finally:
            self._crowd.forget(self)
        if secure is None or secure.is_closing():
            self.transport.abort()
            return
        connection = Connection(self._crowd, **self._uvicorn)
        secure.set_protocol(connection)
        connection.connection_made(secure)
        if self._early:
            connection.data_received(self._early)

    async def _secure(self, hello: bytes) -> asyncio.Transport | None:
        """Shake hands with a client whose first bytes have been read."""
        shaking = asyncio.ensure_future(
            asyncio.get_running_loop().start_tls(
                self.transport, self, self._context, server_side=True, ssl_handshake_timeout=HEAD
            )
        )
        # One turn of the loop sets the protocol of TLS, the next one connects it. It reads more after that.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        inner = self.transport.get_protocol()
        if isinstance(inner, asyncio.BufferedProtocol):
            memoryview(inner.get_buffer(len(hello)))[: len(hello)] = hello
            inner.buffer_updated(len(hello))
        return await shaking

    def expire(self) -> None:
        """Close the connection: the client was too slow."""
        self.transport.abort()

    def make_way(self) -> None:
        """Close the connection at once, for a new one."""
        self.transport.abort()

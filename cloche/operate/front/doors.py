"""Doors: where TLS begins, before a connection can ask anything.

A client that does not finish its handshake counts among the connections of its address and has as long as
for the head of a request. uvicorn's own TLS would count it nowhere, and wait a minute.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import Any

from cloche.operate.front.connections import HEAD, Connection, Crowd, Kind
from service.addresses import household


def context(certificate: str) -> ssl.SSLContext:
    """Make a server's context (TLS 1.2 or newer) for a PEM file with its key and its certificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.set_alpn_protocols(["http/1.1"])
    made.load_cert_chain(certificate)
    return made


class Door(asyncio.Protocol):
    """A client until its handshake is done. Then a `Connection` takes its place."""

    transport: asyncio.Transport

    def __init__(self, crowd: Crowd, secured: ssl.SSLContext, **uvicorn: Any) -> None:
        self._crowd, self._context, self._uvicorn = crowd, secured, uvicorn
        self._early = b""
        self._task: asyncio.Task[None] | None = None
        self.kind = Kind.OPENING
        self.address = "unknown"
        self.until: float | None = None
        """None: the handshake has a deadline of its own."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Admit the client and begin the handshake, or close the connection."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a door needs a transport in both directions")
        self.transport = transport
        peer = transport.get_extra_info("peername")
        self.address = household(str(peer[0])) if peer else "unknown"
        if self._crowd.admit(self):
            self._task = asyncio.get_running_loop().create_task(self._shake_hands())
        else:
            self._crowd.forget(self)
            transport.abort()  # nothing can be said before a handshake

    def data_received(self, data: bytes) -> None:
        """Keep what came together with the end of the handshake."""
        self._early += data

    async def _shake_hands(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            secure = await loop.start_tls(
                self.transport, self, self._context, server_side=True, ssl_handshake_timeout=HEAD
            )
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

    def expire(self) -> None:
        """Close the connection: the client was too slow."""
        self.transport.abort()

    def make_way(self) -> None:
        """Close the connection at once, for a new one."""
        self.transport.abort()

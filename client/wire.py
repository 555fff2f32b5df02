"""Requests over the network with httpx. No other module of this room knows that library."""

from __future__ import annotations

import os
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
from httpx_sse import EventSource

from client.transport import Answer, NoAnswer, OpenStream, SentEvent, Transport, Untrusted
from client.vault import home

CONNECT = 5.0
"""Seconds within which a connection must be there."""
USUAL = 15.0
"""Seconds within which a stream's answer must begin."""


AUTHORITIES = "authorities.pem"
"""The file of a player's folder with the certificates that `cloche certificate` has added."""


def trusted() -> ssl.SSLContext:
    """A context that trusts the public authorities, those of the file CLOCHE_CA, and the player's own.

    Raises `Untrusted` for a file that can't be read.
    """
    context = httpx.create_ssl_context()
    own = home() / AUTHORITIES
    named = [Path(os.environ["CLOCHE_CA"])] if os.environ.get("CLOCHE_CA") else []
    for file in (*named, *([own] if own.exists() else [])):
        try:
            context.load_verify_locations(file)
        except (OSError, ssl.SSLError) as error:
            raise Untrusted(f"{file} can't be read as certificates: {error.strerror or error}.") from None
    return context


class HttpWire(Transport):
    """A pool of connections; threads can share it."""

    def __init__(self, transport: httpx.BaseTransport | None = None) -> None:
        """`transport` carries the requests in place of the network. Over it nothing is streamed."""
        self._given = transport
        self._clients: dict[bool, httpx.Client] = {}
        self._lock = threading.Lock()
        self.streams = transport is None

    def _client(self, url: str) -> httpx.Client:
        """The client for `url`; it is made when it is needed first. Raises `Untrusted` as `trusted` does.

        Reading the authorities takes longer than a request to a house nearby, so only the client for TLS
        reads them. The client for plain HTTP trusts nobody.
        """
        tls = self.streams and httpx.URL(url).scheme == "https"
        with self._lock:
            if tls not in self._clients:
                trust = trusted() if tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                self._clients[tls] = httpx.Client(transport=self._given, verify=trust)
            return self._clients[tls]

    def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> Answer:
        timeout = httpx.Timeout(seconds, connect=CONNECT)
        try:
            response = self._client(url).request(method, url, headers=headers, content=body, timeout=timeout)
        except httpx.TransportError as error:
            raise _lost(url, error) from None
        return _answer(response, response.content)

    @contextmanager
    def stream(self, url: str, headers: Mapping[str, str], silence: float) -> Iterator[OpenStream]:
        timeout = httpx.Timeout(USUAL, connect=CONNECT, read=silence)
        asked = {"Accept": "text/event-stream", "Cache-Control": "no-store", **headers}
        try:
            with self._client(url).stream("GET", url, headers=asked, timeout=timeout) as response:
                # Only a refusal is read to its end here: a stream has none for a long time.
                content = b"" if response.is_success else response.read()
                yield OpenStream(_answer(response, content), _events(response))
        except httpx.TransportError as error:
            raise _lost(url, error) from None

    def close(self) -> None:
        with self._lock:
            for client in self._clients.values():
                client.close()


def _lost(url: str, error: httpx.TransportError) -> Exception:
    """What it means that a request failed: `Untrusted` where the certificate was refused, or `NoAnswer`."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            at = httpx.URL(url)
            origin = f"{at.scheme}://{at.netloc.decode()}"
            return Untrusted(
                f"{origin} shows a certificate that nobody vouches for here ({cause.verify_message})."
                f" If a friend has this house on your network, `cloche certificate {origin}` trusts it."
            )
        cause = cause.__cause__ or cause.__context__
    return NoAnswer(str(error))


def _answer(response: httpx.Response, content: bytes) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(str(response.url), response.status_code, headers, content, response.reason_phrase)


def _events(response: httpx.Response) -> Iterator[SentEvent]:
    for event in EventSource(response).iter_sse():
        yield SentEvent(event.id, event.event, event.data)

"""Requests of the house to addresses that others have named: checked, without redirects, bounded in time.

A name is resolved once, each of its addresses is checked, and the connection goes to one of these addresses.
So a name can't point elsewhere between the check and the connection (DNS rebinding). No redirect is followed,
so none can lead into the house's own network. The time of a request is bounded as a whole, and so is the size
of the response. Thus a server that sends a byte at a time, or a head without end, is cut off too.
"""

from __future__ import annotations

import contextlib
import io
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
LONGEST_URL = 500
_CONNECT = 5.0
"""Seconds for a connection to one address, at most; part of the time for the request."""
_HEAD = 64 * 1024
"""Bytes of a response beside its body: its head, interim heads before it, the frames of chunks."""
_CLOSED = tuple(
    ip_network(each)
    for each in (
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays to 6to4, given up by RFC 7526
        "64:ff9b::/96",  # NAT64 for the internet, which wraps an IPv4 address
        "64:ff9b:1::/48",  # NAT64 within a network
        "100:0:0:1::/64",  # a prefix for dummies
        "2001::/23",  # protocol assignments, among them Teredo
        "2002::/16",  # 6to4, which wraps an IPv4 address
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fec0::/10",  # addresses of a site, given up by RFC 3879
    )
)
"""Networks to which nothing is sent, whatever `is_global` of this Python says: versions differ in these.

Most stand in IANA's registries of special-purpose addresses (RFC 6890). Single addresses in some of them are
global, but no web server is there.
"""
_VISIBLE = re.compile(r"[!-~]+")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?")


class BadUrl(ValueError):
    """A URL to which no request is sent. The text says why."""


class Failed(Exception):
    """There is no usable response. `code` is for logs that others read; it holds no sent or received data."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Target:
    """The destination of a request."""

    secure: bool
    host: str
    """A name in lower-case ASCII, or an address without brackets."""
    port: int
    path: str
    """The path with its query."""

    @property
    def literal(self) -> Address | None:
        """The address, if the URL names one instead of a name."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def read_url(text: str) -> Target:
    """The destination that a URL names. Raises `BadUrl`."""
    if len(text) > LONGEST_URL or not _VISIBLE.fullmatch(text):
        raise BadUrl(f"must be at most {LONGEST_URL} visible ASCII characters")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise BadUrl("can't be read") from None
    if parts.scheme not in ("http", "https"):
        raise BadUrl("must begin with https://")
    if "@" in parts.netloc:
        raise BadUrl("must have no user name and no password")
    if parts.fragment or "#" in text:
        raise BadUrl("must have no fragment")
    host = (parts.hostname or "").lower()
    try:
        ip_address(host)
    except ValueError:
        last = host.removesuffix(".").rpartition(".")[2]  # resolvers take 127.1 and 0x7f000001 for addresses
        if len(host) > 253 or not _HOST.fullmatch(host) or _NUMBER.fullmatch(last):
            raise BadUrl("must name a host") from None
    if port == 0:
        raise BadUrl("must name a port from 1 to 65535")
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, host, port or (443 if secure else 80), path)


def is_public(address: Address) -> bool:
    """Tell whether an address is on the open internet, and wraps no other address."""
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if any(address in network for network in _CLOSED):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


@dataclass(frozen=True, slots=True)
class FetchedResponse:
    """The response to a request of the house."""

    status: int
    content_type: str
    body: bytes
    retry_after: int | None
    """Seconds to wait, if the response asks for a pause in seconds."""


def post(
    target: Target,
    body: bytes,
    headers: Mapping[str, str],
    *,
    may: Callable[[Address], bool],
    seconds: float,
    most: int = 0,
) -> FetchedResponse:
    """POST `body` and read at most `most` bytes of the response's body. Raises `Failed`.

    `may` says which addresses are allowed. If it refuses one of the host's addresses, no connection is made.
    """
    until = time.monotonic() + seconds
    addresses = _addresses(target, may)
    cut = threading.Event()
    try:
        with _connected(target, addresses, until, cut) as line:
            connection = HTTPConnection(target.host, target.port)
            connection.sock = line
            connection.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
            for name, value in {
                "Host": target.authority,
                **headers,
                "Content-Length": str(len(body)),
                "Connection": "close",
            }.items():
                connection.putheader(name, value)
            connection.endheaders(body)
            response = _read(line, most)
            if cut.is_set():  # a response that was cut off looks like one that ended
                raise Failed("timeout")
            return response
    except Failed:
        raise
    except (TimeoutError, OSError, HTTPException, ValueError) as fault:
        raise Failed("timeout" if cut.is_set() else _code(fault)) from None


class _Bounded(io.RawIOBase):
    """Reads at most so many bytes from a socket, and then fails."""

    def __init__(self, line: socket.socket, most: int) -> None:
        self._raw = line.makefile("rb", buffering=0)
        self._left = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        count = self._raw.readinto(buffer)
        self._left -= count or 0
        if self._left < 0:
            raise Failed("too_large")
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


def _read(line: socket.socket, most: int) -> FetchedResponse:
    response = HTTPResponse(line, method="POST")
    response.fp.close()
    response.fp = io.BufferedReader(_Bounded(line, most + _HEAD))
    response.begin()
    body = response.read(most + 1) if most else b""
    if len(body) > most:
        raise Failed("too_large")
    pause = response.getheader("Retry-After", "").strip()
    kind = response.getheader("Content-Type", "").partition(";")[0].strip().lower()
    return FetchedResponse(
        response.status, kind, body, int(pause) if re.fullmatch(r"\d{1,6}", pause) else None
    )


def _addresses(target: Target, may: Callable[[Address], bool]) -> list[Address]:
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Failed("unknown_host") from None
    addresses = [ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    if not addresses or not all(may(address) for address in addresses):
        raise Failed("address_not_allowed")
    return addresses


@contextlib.contextmanager
def _connected(
    target: Target, addresses: Sequence[Address], until: float, cut: threading.Event
) -> Iterator[socket.socket]:
    """A connection that is cut off when the time is up, whatever the other side does until then."""
    line = _line(addresses, target.port, until)
    if target.secure:
        # The socket is wrapped before the timer can cut it off; the handshake comes later. Certificates name
        # hosts without a dot at the end.
        name = target.host.removesuffix(".")
        line = _context().wrap_socket(line, server_hostname=name, do_handshake_on_connect=False)

    def end() -> None:
        cut.set()
        with contextlib.suppress(OSError):
            # `SSLSocket.shutdown` takes TLS away from under the thread that uses the socket: its handshake
            # fails with AttributeError, and what it sends at that moment goes out in the clear.
            socket.socket.shutdown(line, socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, until - time.monotonic()), end)
    timer.daemon = True
    timer.start()
    try:
        line.settimeout(max(0.1, until - time.monotonic()))
        if isinstance(line, ssl.SSLSocket):
            line.do_handshake()
        yield line
    finally:
        timer.cancel()
        line.close()


def _line(addresses: Sequence[Address], port: int, until: float) -> socket.socket:
    """A connection to the first of these addresses that accepts one."""
    fault: OSError = TimeoutError()
    for address in addresses:
        left = until - time.monotonic()
        if left <= 0:
            break
        try:
            return socket.create_connection((str(address), port), timeout=min(_CONNECT, left))
        except OSError as error:
            fault = error
    raise fault


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _code(fault: Exception) -> str:
    match fault:
        case TimeoutError():
            return "timeout"
        case ssl.SSLCertVerificationError():
            return "bad_certificate"
        case ssl.SSLError():
            return "tls_failed"
        case ConnectionRefusedError():
            return "refused"
        case OSError():
            return "broken_line"
        case _:
            return "bad_answer"

"""Requests of the house to addresses that others have named: pinned, without redirects, ended in time.

A name is resolved once, each address it has is held against what is allowed, and the connection goes to that
very address. So a name can't point elsewhere between the check and the connection (DNS rebinding), and a
redirect can't lead into the house's own network, since none is followed. All the time a request may take is
bounded as a whole: who answers a byte at a time is cut off too.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
LONGEST_URL = 500
_CONNECT = 5.0
"""Seconds for a connection, of all the time that there is."""
_NAT64 = IPv6Network("64:ff9b::/96")
_VISIBLE = re.compile(r"[!-~]+")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?")


class BadUrl(ValueError):
    """A URL that no request is sent to; the text says why."""


class Failed(Exception):
    """No usable answer; `code` is for logs that others read, and holds nothing of what was sent or got."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes."""

    secure: bool
    host: str
    """A name in lower-case ASCII, or an address without brackets."""
    port: int
    path: str
    """With its query."""

    @property
    def literal(self) -> Address | None:
        """The address, where the URL names one."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def authority(self) -> str:
        """As the Host header has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.secure else 80) else f"{host}:{self.port}"


def read_url(text: str) -> Target:
    """What a URL names; raises `BadUrl`."""
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
    """Whether an address is on the open internet, and hides no other one in it."""
    if isinstance(address, IPv6Address):
        hidden = address.ipv4_mapped
        if hidden is not None:
            return is_public(hidden)
        if address.sixtofour is not None or address.teredo is not None or address in _NAT64:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered."""

    status: int
    content_type: str
    body: bytes
    retry_after: int | None
    """Seconds, where the answer asks for a pause in seconds."""


def post(
    target: Target,
    body: bytes,
    headers: Mapping[str, str],
    *,
    may: Callable[[Address], bool],
    seconds: float,
    most: int = 0,
) -> Answer:
    """POST `body` and read at most `most` bytes of the answer; raises `Failed`.

    Every address that the host has must be one that `may` be asked; else nothing is connected to.
    """
    until = time.monotonic() + seconds
    address = _address(target, may)
    cut = threading.Event()
    try:
        with _connected(target, address, until, cut) as line:
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
            answer = _read(connection.getresponse(), most)
            if cut.is_set():  # what was cut off looks like an end
                raise Failed("timeout")
            return answer
    except Failed:
        raise
    except (TimeoutError, OSError, HTTPException, ValueError) as fault:
        raise Failed("timeout" if cut.is_set() else _code(fault)) from None


def _read(response: HTTPResponse, most: int) -> Answer:
    body = response.read(most + 1) if most else b""
    if len(body) > most:
        raise Failed("too_large")
    pause = response.getheader("Retry-After", "").strip()
    kind = response.getheader("Content-Type", "").partition(";")[0].strip().lower()
    return Answer(response.status, kind, body, int(pause) if re.fullmatch(r"\d{1,6}", pause) else None)


def _address(target: Target, may: Callable[[Address], bool]) -> Address:
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Failed("unknown_host") from None
    addresses = [ip_address(str(each[4][0]).partition("%")[0]) for each in found]
    if not addresses or not all(may(address) for address in addresses):
        raise Failed("address_not_allowed")
    return addresses[0]


@contextlib.contextmanager
def _connected(
    target: Target, address: Address, until: float, cut: threading.Event
) -> Iterator[socket.socket]:
    """A connection that is cut when the time is up, whatever the other side does until then."""
    left = until - time.monotonic()
    if left <= 0:
        raise Failed("timeout")
    lines = [socket.create_connection((str(address), target.port), timeout=min(_CONNECT, left))]

    def end() -> None:
        cut.set()
        for line in lines[-1:]:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, until - time.monotonic()), end)
    timer.daemon = True
    timer.start()
    try:
        lines[0].settimeout(max(0.1, until - time.monotonic()))
        if target.secure:
            plain = lines[0]
            lines.append(
                _context().wrap_socket(plain, server_hostname=target.host, do_handshake_on_connect=False)
            )
            secure = lines[-1]
            assert isinstance(secure, ssl.SSLSocket), "it was just wrapped"
            secure.do_handshake()
        yield lines[-1]
    finally:
        timer.cancel()
        for line in lines:
            line.close()


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

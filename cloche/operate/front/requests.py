"""Requests as the application wants them: the body read to its end, then a WSGI environment (PEP 3333)."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from cloche.operate.front import refusals
from cloche.operate.front.refusals import Reason
from service.addresses import household

BODY = 20.0
"""Seconds in which the body of a request must have arrived."""
DRAINED = 1024 * 1024
"""Bytes of a refused body that are read, so that the client can read the answer."""
DRAIN = 2.0
"""Seconds for that."""

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
_APART = {b"content-type": "CONTENT_TYPE", b"content-length": "CONTENT_LENGTH"}
_MOVES = re.compile(r"/api/v1/games/[^/]+/entries")
_PLAY = re.compile(r"/api/v1/(games/[^/]+(/.*)?|events|feed)|/healthz|/readyz|/metrics")


class Unfit(Exception):
    """A request that is refused before the application sees it. `more` says whether more of it will come."""

    def __init__(self, reason: Reason, *, more: bool) -> None:
        super().__init__(reason.code)
        self.reason, self.more = reason, more


class Gone(Exception):
    """The client has left."""


async def read_body(headers: Iterable[tuple[bytes, bytes]], receive: Receive, limit: int) -> bytes:
    """Read a request's body to its end. Raises `Unfit` where it is over `limit` or too slow, and `Gone`."""
    told = next((value for name, value in headers if name == b"content-length"), b"0")
    if int(told) > limit:
        raise Unfit(refusals.too_large(limit), more=True)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise Gone
                body += message["body"]
                if len(body) > limit:
                    raise Unfit(refusals.too_large(limit), more=message["more_body"])
                if not message["more_body"]:
                    return bytes(body)
    except TimeoutError:
        raise Unfit(refusals.SLOW, more=False) from None


async def drain(receive: Receive) -> None:
    """Read what is left of a body and forget it.

    A connection that is closed with unread bytes is reset, and the client may lose the answer.
    """
    left = DRAINED
    try:
        async with asyncio.timeout(DRAIN):
            while left > 0:
                message = await receive()
                if message["type"] != "http.request" or not message["more_body"]:
                    return
                left -= len(message["body"])
    except TimeoutError:
        return


def environ(scope: Mapping[str, Any], body: bytes) -> dict[str, Any]:
    """The WSGI environment of a request. A header with an underscore counts for nothing.

    In an environment it can't be told from the one with a hyphen, which a proxy may have set.
    """
    client, server = scope["client"] or ("", 0), scope["server"] or ("localhost", 80)
    found: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        if b"_" in name or name == b"transfer-encoding":
            continue
        key = _APART.get(name) or "HTTP_" + name.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        if key in found:
            text = f"{found[key]}{'; ' if name == b'cookie' else ','}{text}"
        found[key] = text
    if body or "CONTENT_LENGTH" in found:
        found["CONTENT_LENGTH"] = str(len(body))
    return found


def address_of(scope: Mapping[str, Any], proxies: int) -> str:
    """The address that a request is counted for: the one that the outermost of `proxies` has forwarded."""
    peer = scope["client"][0] if scope["client"] else "unknown"
    if not proxies:
        return household(peer)
    values = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    forwarded = [part.strip() for part in b",".join(values).decode("latin-1").split(",") if part.strip()]
    return household(forwarded[-proxies] if len(forwarded) >= proxies else peer)


@dataclass(frozen=True)
class WsgiAnswer:
    """The answer of the application."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def call(application: Callable[..., Iterable[bytes]], given: dict[str, Any]) -> WsgiAnswer:
    """Call a WSGI application, and take its answer whole."""
    told: list[Any] = []

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> Callable[[bytes], None]:
        told[:] = [status, headers]
        return _no_writing

    parts = application(given, start_response)
    try:
        body = b"".join(parts)
    finally:
        if (close := getattr(parts, "close", None)) is not None:
            close()
    status, headers = told
    named = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return WsgiAnswer(int(status.split(" ", 1)[0]), named, body)


def _no_writing(_: bytes) -> None:
    raise NotImplementedError("the application returns its answer")


def is_move(scope: Mapping[str, Any]) -> bool:
    """True for a message to a game: a seal, a reveal, a link or a move."""
    return scope["method"] == "POST" and _MOVES.fullmatch(scope["path"]) is not None


def is_play(scope: Mapping[str, Any]) -> bool:
    """True for what a player needs beside that to go on playing, and for the operator's own questions."""
    return _PLAY.fullmatch(scope["path"]) is not None

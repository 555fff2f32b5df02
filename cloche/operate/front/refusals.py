"""Refusals by the event loop: problem documents like all others, made without the application."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from uuid import uuid4

from service import metrics
from service.problems import CONTENT_TYPE, Problem

CLOSED = {"Connection": "close"}
"""The header of an answer after which the connection is closed."""


@dataclass(frozen=True, slots=True)
class RefusalAnswer:
    """An answer in bytes, without headers that belong to the connection."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def raw(self) -> bytes:
        """The whole answer as HTTP/1.1, after which the connection is to be closed."""
        lines = [f"{name}: {value}\r\n" for name, value in {**self.headers, **CLOSED}.items()]
        phrase = HTTPStatus(self.status).phrase
        return f"HTTP/1.1 {self.status} {phrase}\r\n{''.join(lines)}\r\n".encode() + self.body


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why the event loop refuses a request or a connection."""

    status: int
    code: str
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)


UNREADABLE = Reason(400, "bad_request", "This can't be read as a request.")
LONG_PATH = Reason(414, "path_too_long", "A path with its query has at most 4,000 characters.")
LONG_HEADERS = Reason(431, "headers_too_large", "These are too many headers, or too long.")
SLOW = Reason(408, "too_slow", "The request did not arrive in time. Send it again.")
BROKEN = Reason(500, "internal_error", "Something went wrong in the house; it is in its log.")
CROWDED = "The house has more requests than it can answer. Try again after the time in Retry-After."
CONNECTIONS = "There are too many connections, from this address or in all. Try again later."


def too_large(limit: int) -> Reason:
    """The refusal of a body over `limit` bytes."""
    return Reason(413, "body_too_large", f"A body has at most {limit} bytes.")


def crowded(code: str, detail: str, seconds: int) -> Reason:
    """The refusal of what is too much now; a client should pause for `seconds`."""
    return Reason(503, code, detail, {"Retry-After": str(seconds)})


def refuse(reason: Reason, request_id: str | None = None, method: str = "other") -> RefusalAnswer:
    """Count a refusal, and write it as a problem document."""
    metrics.problems.labels(reason.code).inc()
    metrics.requests.labels(method, "none", reason.status).inc()
    request_id = request_id or str(uuid4())
    document = Problem(reason.status, reason.code, reason.detail).document() | {"request_id": request_id}
    body = json.dumps(document).encode()
    headers = {
        "Content-Type": CONTENT_TYPE,
        "Content-Length": str(len(body)),
        "X-Request-Id": request_id,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
        **reason.headers,
    }
    return RefusalAnswer(reason.status, headers, body)

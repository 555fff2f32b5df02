"""Requests to a WSGI application in this process, and the processor time that their answers take."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from werkzeug.test import EnvironBuilder

WsgiApp = Callable[[dict[str, Any], Any], Iterable[bytes]]
BASE = "/api/v1"


@dataclass(frozen=True, slots=True)
class Request:
    """A request that is ready to be made, as a client of the house makes it."""

    method: str
    path: str
    """Below `BASE`, with its query."""
    token: str | None = None
    body: Any = None
    """The body that is sent as JSON; None for no body."""

    def headers(self) -> list[tuple[str, str]]:
        """Return its headers, with a new Idempotency-Key for a POST."""
        found = [("Accept", "*/*"), ("User-Agent", "cloche-load")]
        if self.token is not None:
            found.append(("Authorization", f"Bearer {self.token}"))
        if self.method == "POST":
            found.append(("Idempotency-Key", str(uuid4())))
        return found


@dataclass(frozen=True, slots=True)
class JsonResponse:
    """A status, the body's JSON, and the processor seconds of this thread until the answer was complete.

    The JSON is None for a body of another kind.
    """

    status: int
    json: Any
    cpu: float


def ask(app: WsgiApp, request: Request) -> JsonResponse:
    """Have the application answer a request. Neither making the request nor reading the answer is timed."""
    path, _, query = (BASE + request.path).partition("?")
    environ = EnvironBuilder(
        path=path,
        query_string=query,
        method=request.method,
        headers=request.headers(),
        json=request.body,
        environ_base={"REMOTE_ADDR": "127.0.0.1"},
    ).get_environ()
    statuses: list[str] = []

    def start(status: str, _headers: object, _exc: object = None) -> Callable[[bytes], object]:
        statuses.append(status)
        return lambda data: None

    began = time.thread_time()
    parts = app(environ, start)
    data = b"".join(parts)
    close: Callable[[], object] = getattr(parts, "close", lambda: None)
    close()
    cpu = time.thread_time() - began
    told = json.loads(data) if data.startswith((b"{", b"[")) else None
    return JsonResponse(int(statuses[0].split()[0]), told, cpu)


class RequestRefused(RuntimeError):
    """A request that the measurement needs was refused: there is nothing to report."""


def expect(answer: JsonResponse, status: int, what: str) -> JsonResponse:
    """Return the response if it has this status. Raises `RequestRefused`."""
    if answer.status != status:
        told: Mapping[str, Any] = answer.json if isinstance(answer.json, dict) else {}
        raise RequestRefused(
            f"{what}: {answer.status} {told.get('code', '')} {told.get('detail', '')}".rstrip()
        )
    return answer

"""Requests to a house over HTTP: tried again while nobody answers, and refusals raised as exceptions."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from json import dumps
from typing import Any, Self
from urllib.parse import quote, urlencode
from uuid import uuid4

from client.answers import FIRST_PAUSE, LONGEST_PAUSE, require_success, retry_after
from client.transport import Answer, NoAnswer, Transport
from crypto.encoding import loads
from player.house import Unreachable

BASE = "/api/v1"
SILENCE = 15.0
"""Seconds without a byte after which a request counts as lost."""
PATIENCE = 30.0
"""Seconds for which a request is tried again while the house does not answer."""


class Calls:
    """Requests to one house. Close it, or use it in a `with` statement."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience: float = PATIENCE,
        transport: Transport | None = None,
    ) -> None:
        """`url` is http://HOST:PORT; `patience` is in seconds (see `PATIENCE`).

        `transport` carries the requests, and whoever hands it in closes it. Without one they go over the
        network.
        """
        self.url = url.rstrip("/")
        self._token = token
        self._patience = patience
        self._given = transport
        self._transport = _network() if transport is None else transport

    def __repr__(self) -> str:
        return f"Api({self.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        if self._given is None:
            self._transport.close()

    def with_patience(self, seconds: float) -> Self:
        """Another client of the same house, of the same player and over the same transport."""
        return type(self)(self.url, self._token, seconds, self._given)

    def as_player(self, token: str) -> None:
        """Sign the next requests in with this token."""
        self._token = token

    def _items(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The items of a list, fetched page by page."""
        for page in self._pages(path, query):
            yield from page["items"]

    def _pages(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The pages of a list, fetched one after another."""
        cursor: dict[str, Any] = {}
        while True:
            data = self._get(path, {**(query or {}), **cursor})
            yield data
            if data["next"] is None:
                return
            cursor = {"cursor": data["next"]}

    def _get(self, path: str, query: Mapping[str, Any] | None = None, wait: float = 0.0) -> dict[str, Any]:
        return self._object("GET", path, query=query, wait=wait)

    def items(self, *path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The items of any list, whose path has these parts, fetched page by page."""
        return self._items(path_of(*path), query)

    def ask(self, method: str, *path: str, json: Any = None) -> dict[str, Any]:
        """The answer to any request, whose path has these parts; {} for an answer without a body."""
        response = self._call(method, path_of(*path), json=json)
        return self._read(response) if response.content else {}

    def _object(self, method: str, path: str, **how: Any) -> dict[str, Any]:
        return self._read(self._call(method, path, **how))

    def _read(self, response: Answer) -> dict[str, Any]:
        """The JSON object of a response. Raises `Unreachable` if there is none."""
        try:
            data = loads(response.content)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise Unreachable(f"{self.url} does not answer like a house.")
        return data

    def _address(self, path: str, query: Mapping[str, Any] | None = None) -> str:
        """The address of a path of the API, with a query. Members of the query that are None are empty."""
        given = {name: "" if value is None else _text(value) for name, value in (query or {}).items()}
        return self.url + BASE + path + (f"?{urlencode(given)}" if given else "")

    def _call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        query: Mapping[str, Any] | None = None,
        wait: float = 0.0,
        if_match: str | None = None,
    ) -> Answer:
        """Send a request, again and again while nobody answers. Raises `ApiProblem`, `Unreachable`.

        `wait` are seconds for which the house may keep a long poll open. A second try does no harm: a POST,
        and a request with an ETag in `if_match`, has an Idempotency-Key; the others are idempotent.
        """
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if if_match is not None:
            headers["If-Match"] = if_match
        if method == "POST" or if_match is not None:
            headers["Idempotency-Key"] = str(uuid4())
        body = None
        if json is not None:
            body = dumps(json, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        url = self._address(path, query)
        deadline = time.monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            rest = deadline - time.monotonic()
            try:
                response = self._transport.request(method, url, headers, body, SILENCE + wait)
            except NoAnswer as error:
                if rest <= 0:
                    raise Unreachable(f"{self.url} does not answer: {error}") from None
                least = 0.0
            else:
                asked = retry_after(response)
                if asked is None or rest <= asked:
                    return require_success(response)
                least = asked  # an earlier try would only be refused
            self._transport.pause(max(least, min(pause, max(rest, 0.0)) * random.uniform(0.7, 1.0)))
            pause = min(2 * pause, LONGEST_PAUSE)


def _network() -> Transport:
    # Imported late: where another transport is handed in, httpx need not be there.
    from client.wire import HttpWire

    return HttpWire()


def _text(value: object) -> str:
    """A value of a query as the house reads it."""
    return ("false", "true")[value] if isinstance(value, bool) else str(value)


def path_of(*parts: str) -> str:
    """A path of these parts, each percent-encoded: somebody may have typed an id with any characters."""
    return "/" + "/".join(quote(part, safe="") for part in parts)

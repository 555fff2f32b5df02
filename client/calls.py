"""How a house is asked: over HTTP, again and again while nobody answers, and refusals raised."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from typing import Any, Self
from urllib.parse import quote
from uuid import uuid4

import httpx

from client.answers import FIRST_PAUSE, LONGEST_PAUSE, accepted, asked_to_wait
from crypto.encoding import loads
from player.house import Unreachable

BASE = "/api/v1"
PATIENCE = 30.0
"""Seconds after which a house that does not answer is given up."""


class Calls:
    """A house that can be asked. Close it, or use it in a `with` statement."""

    def __init__(self, url: str, token: str | None = None, patience: float = PATIENCE) -> None:
        """`url` is http://HOST:PORT; `patience` in seconds."""
        self.url = url.rstrip("/")
        self._token = token
        self._patience = patience
        self._client = httpx.Client(base_url=self.url + BASE, timeout=httpx.Timeout(15.0, connect=5.0))

    def __repr__(self) -> str:
        return f"Api({self.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def as_player(self, token: str) -> None:
        """Speak as the owner of this token from now on."""
        self._token = token

    def _items(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Every item of a list, page by page."""
        for page in self._pages(path, query):
            yield from page["items"]

    def _pages(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        cursor: dict[str, Any] = {}
        while True:
            data = self._get(path, {**(query or {}), **cursor})
            yield data
            if data["next"] is None:
                return
            cursor = {"cursor": data["next"]}

    def _get(self, path: str, query: Mapping[str, Any] | None = None, wait: float = 0.0) -> dict[str, Any]:
        return self._object("GET", path, query=query, wait=wait)

    def ask(self, method: str, *path: str, json: Any = None) -> dict[str, Any]:
        """What is answered to any request by a path of these parts; {} for an answer without a body."""
        response = self._call(method, path_of(*path), json=json)
        return self._read(response) if response.content else {}

    def _object(self, method: str, path: str, **how: Any) -> dict[str, Any]:
        return self._read(self._call(method, path, **how))

    def _read(self, response: httpx.Response) -> dict[str, Any]:
        """The object of a response."""
        try:
            data = loads(response.content)
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise Unreachable(f"{self.url} does not answer like a house.")
        return data

    def _call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        query: Mapping[str, Any] | None = None,
        wait: float = 0.0,
        if_match: str | None = None,
    ) -> httpx.Response:
        """A response that is no refusal; asked for again and again while nobody answers.

        That does no harm: a POST, and what is only done to what has the tag `if_match`, bears a fresh
        Idempotency-Key, and the others are idempotent by themselves.
        """
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if if_match is not None:
            headers["If-Match"] = if_match
        if method == "POST" or if_match is not None:
            headers["Idempotency-Key"] = str(uuid4())
        timeout = httpx.Timeout(15.0 + wait, connect=5.0)
        deadline = time.monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            rest = deadline - time.monotonic()
            try:
                response = self._client.request(
                    method, path, json=json, params=query, headers=headers, timeout=timeout
                )
            except httpx.TransportError as error:
                if rest <= 0:
                    raise Unreachable(f"{self.url} does not answer: {error}") from None
                least = 0.0
            else:
                asked = asked_to_wait(response)
                if asked is None or rest <= asked:
                    return accepted(response)
                least = asked  # before that it is refused for certain
            time.sleep(max(least, min(pause, max(rest, 0.0)) * random.uniform(0.7, 1.0)))
            pause = min(2 * pause, LONGEST_PAUSE)


def path_of(*parts: str) -> str:
    """A path of these parts, whatever characters an id that somebody typed has."""
    return "/" + "/".join(quote(part, safe="") for part in parts)

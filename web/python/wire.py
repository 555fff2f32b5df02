"""Requests of the worker. Each is waited for, so "write down, then send" holds without coroutines."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager

import kitchen
from pyodide.ffi import JsException, to_js

from client.transport import Answer, NoAnswer, OpenStream, Transport


class BrowserWire(Transport):
    """XMLHttpRequest of a dedicated worker. Streams are read outside Python, and pushed."""

    streams = False

    def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> Answer:
        sent = [list(pair) for pair in headers.items()]
        try:
            found = kitchen.http(method, url, to_js(sent), None if body is None else to_js(body))
        except JsException as error:
            raise NoAnswer(str(error)) from None
        status, told, content = found
        lines = (line.partition(":") for line in told.splitlines() if line)
        return Answer(
            url, status, {name.strip().lower(): value.strip() for name, _, value in lines}, content.to_bytes()
        )

    def stream(
        self, url: str, headers: Mapping[str, str], silence: float
    ) -> AbstractContextManager[OpenStream]:
        raise NoAnswer("streams are pushed")

    def pause(self, seconds: float) -> None:
        """Go on at once: a worker that waits could not hear the page. Whoever paused is called again."""

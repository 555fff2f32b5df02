"""Listeners in one process: what an EventSource does, by a parser that is not ours."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from httpx_sse import ServerSentEvent
from httpx_sse._decoders import SSEDecoder, SSELineDecoder
from werkzeug.test import TestResponse

from tests.service.service_kit import API, Guest
from tests.waiting import PATIENCE

NOBODY = 204


def listen(guest: Guest | FlaskClient, path: str, last: str | None = None) -> TestResponse:
    """Open a stream; its body is read as it comes. It must be closed."""
    client, headers = (guest.client, guest.headers) if isinstance(guest, Guest) else (guest, {})
    resume = {} if last is None else {"Last-Event-ID": last}
    return client.get(API + path, headers={**headers, **resume})


def parts(response: TestResponse) -> Iterator[str]:
    """The text of a stream, as it is sent."""
    for part in response.iter_encoded():
        yield part.decode()


def parsed(texts: Iterator[str]) -> Iterator[ServerSentEvent]:
    """The events in a text (WHATWG HTML, section 9.2.6); one without data is dropped, as browsers do."""
    lines, decoder = SSELineDecoder(), SSEDecoder()
    for text in texts:
        for line in lines.decode(text):
            event = decoder.decode(line)
            if event is not None and event.data:
                yield event


def heard(guest: Guest | FlaskClient, path: str, last: str | None = None) -> list[ServerSentEvent]:
    """All events of a stream that ends by itself."""
    response = listen(guest, path, last)
    assert response.status_code == 200, response.text
    assert response.mimetype == "text/event-stream"
    try:
        return list(parsed(parts(response)))
    finally:
        response.close()


class Listener:
    """An EventSource in a thread: comes back with the last id it had, as often as the line breaks."""

    def __init__(
        self,
        app: Flask,
        guest: Guest,
        path: str,
        *,
        drops: Random | None = None,
        enough: Callable[[list[ServerSentEvent]], bool] = lambda found: False,
    ) -> None:
        """`drops` breaks the line at random points; `enough` says when to hang up."""
        self.events: list[ServerSentEvent] = []
        self.statuses: list[int] = []
        self._guest = replace(guest, client=app.test_client())
        self._path, self._drops, self._enough = path, drops, enough
        self._hang_up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._hang_up.is_set():
            response = listen(self._guest, self._path, self.events[-1].id if self.events else None)
            self.statuses.append(response.status_code)
            if response.status_code != 200:
                response.close()
                return
            patience = None if self._drops is None else self._drops.randrange(1, 6)
            try:
                for event in parsed(self._until_hung_up(response)):
                    self.events.append(event)
                    if self._enough(self.events):
                        return
                    patience = None if patience is None else patience - 1
                    if patience == 0:
                        break
            finally:
                response.close()

    def _until_hung_up(self, response: TestResponse) -> Iterator[str]:
        for text in parts(response):
            yield text
            if self._hang_up.is_set():
                return

    def end(self, seconds: float = PATIENCE) -> list[ServerSentEvent]:
        """Wait for the end of the stream; the events."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), f"it listens still, after {len(self.events)} events"
        return self.events

    def hang_up(self) -> list[ServerSentEvent]:
        """Listen no more, with the next thing that is sent; the events."""
        self._hang_up.set()
        return self.end()

    @property
    def listens(self) -> bool:
        """True if it has not ended."""
        return self._thread.is_alive()


def as_entries(events: list[ServerSentEvent]) -> list[Any]:
    """The entries that the events of a game carry, each checked against its id and name."""
    entries = [event.json() for event in events]
    assert [(int(e.id), e.event) for e in events] == [(e["seq"], e["kind"]) for e in entries]
    return entries

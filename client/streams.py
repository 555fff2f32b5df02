"""Events of a house as they come: Server-Sent Events, or long polling where there is no place to listen."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from client.answers import FIRST_PAUSE, LONGEST_PAUSE, accepted, asked_to_wait
from crypto.encoding import loads
from player.house import ApiProblem, Unreachable

SILENCE = 40.0
"""Seconds without a heartbeat after which a line is taken for dead; the house sends one every 15."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event: `data` is JSON, for a game's stream the entry."""

    id: int
    name: str
    data: Any


Poll = Callable[[int | None], Sequence[Event]]
"""Asks by long polling for the events after an id."""


class _Crowded(Exception):
    """The house has no place for another listener."""


class _Ended(Exception):
    """Nothing more will come."""


class _Away(httpx.TransportError):
    """Something between us and the house answers in its place."""


def listen(
    client: httpx.Client,
    path: str,
    headers: Mapping[str, str],
    after: int | None,
    poll: Poll,
    patience: float,
    last: str | None = None,
) -> Iterator[Event]:
    """The events after an id (None: from the first there is), each once; ends after one called `last`.

    Raises `ApiProblem`; `Unreachable` after `patience` seconds in which nobody answered.
    """
    lost, pause = None, FIRST_PAUSE
    while True:
        try:
            for event in _stream_or_poll(client, path, headers, after, poll):
                lost = None
                if event is not None:
                    yield event
                    after, pause = event.id, FIRST_PAUSE
                    if event.name == last:
                        return
        except _Ended:
            return
        except httpx.TransportError as error:
            lost = time.monotonic() if lost is None else lost
            if time.monotonic() - lost > patience:
                raise Unreachable(f"{client.base_url} does not answer: {error}") from None
        time.sleep(pause * random.uniform(0.7, 1.0))
        pause = min(2 * pause, LONGEST_PAUSE)


def _stream_or_poll(
    client: httpx.Client, path: str, headers: Mapping[str, str], after: int | None, poll: Poll
) -> Iterator[Event | None]:
    try:
        yield from _stream(client, path, headers, after)
    except _Crowded:
        yield None
        yield from poll(after)


def _stream(
    client: httpx.Client, path: str, headers: Mapping[str, str], after: int | None
) -> Iterator[Event | None]:
    """None once the house has answered, then the events of one line, until it breaks or ends."""
    resume = {} if after is None else {"Last-Event-ID": str(after)}
    timeout = httpx.Timeout(15.0, connect=5.0, read=SILENCE)
    with connect_sse(client, "GET", path, headers={**headers, **resume}, timeout=timeout) as source:
        response = source.response
        if response.status_code == httpx.codes.NO_CONTENT:
            raise _Ended
        if not response.is_success:
            response.read()
            _refuse(response)
        yield None
        for event in source.iter_sse():
            if event.data:
                yield _event(event)


def _event(sent: ServerSentEvent) -> Event:
    try:
        return Event(int(sent.id), sent.event, loads(sent.data))
    except ValueError:
        raise Unreachable("The house's stream of events is none.") from None


def _refuse(response: httpx.Response) -> None:
    """Raise what a refusal means."""
    try:
        accepted(response)
    except ApiProblem as problem:
        if problem.code == "too_many_listeners":
            raise _Crowded from None
        if asked_to_wait(response) is None:
            raise
        raise _Away(str(problem)) from None

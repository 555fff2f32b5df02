"""Listening to a house's events: Server-Sent Events, or long polling if the house has no free stream."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from httpx_sse import ServerSentEvent, connect_sse

from client.answers import FIRST_PAUSE, LONGEST_PAUSE, require_success, retry_after
from crypto.encoding import loads
from player.house import ApiProblem, Unreachable

SILENCE = 40.0
"""Seconds without a heartbeat after which a stream counts as broken. The house sends one every 15 seconds."""


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """One event. `data` is JSON: the entry, in a game's stream."""

    id: int
    name: str
    data: Any


Poll = Callable[[int | None], Sequence[ReceivedEvent]]
"""Asks for the events after an id by long polling; None asks for the first ones."""


class _Crowded(Exception):
    """The house has no free stream."""


class _Ended(Exception):
    """The sign that nothing more will come."""


class _Away(httpx.TransportError):
    """Something between us and the house answers in the house's place."""


def listen(
    client: httpx.Client,
    path: str,
    headers: Mapping[str, str],
    after: int | None,
    poll: Poll,
    patience: float,
    last: str | None = None,
) -> Iterator[ReceivedEvent]:
    """The events after an id, or from the first one for None, each once. Ends after an event called `last`.

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
) -> Iterator[ReceivedEvent | None]:
    """The events of one stream; if the house has no free stream, None and the events of one long poll."""
    try:
        yield from _stream(client, path, headers, after)
    except _Crowded:
        yield None
        yield from poll(after)


def _stream(
    client: httpx.Client, path: str, headers: Mapping[str, str], after: int | None
) -> Iterator[ReceivedEvent | None]:
    """Yield None once the house has answered, then the events of one stream until it breaks or ends."""
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


def _event(sent: ServerSentEvent) -> ReceivedEvent:
    try:
        return ReceivedEvent(int(sent.id), sent.event, loads(sent.data))
    except ValueError:
        raise Unreachable("The house's stream of events can't be read.") from None


def _refuse(response: httpx.Response) -> None:
    """Raise what a refusal of a stream means: `ApiProblem`, `_Crowded` or `_Away`."""
    try:
        require_success(response)
    except ApiProblem as problem:
        if problem.code == "too_many_listeners":
            raise _Crowded from None
        if retry_after(response) is None:
            raise
        raise _Away(str(problem)) from None

"""Listening to a house's events: Server-Sent Events, or long polling if the house has no free stream."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.answers import FIRST_PAUSE, LONGEST_PAUSE, require_success, retry_after
from client.transport import Answer, NoAnswer, SentEvent, Transport
from crypto.encoding import loads
from player.house import ApiProblem, Unreachable

NO_CONTENT = 204
"""The status of a stream that has ended for good."""
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


class _Away(NoAnswer):
    """Something between us and the house answers in the house's place."""


def listen(
    transport: Transport,
    url: str,
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
            for event in _stream_or_poll(transport, url, headers, after, poll):
                lost = None
                if event is not None:
                    yield event
                    after, pause = event.id, FIRST_PAUSE
                    if event.name == last:
                        return
        except _Ended:
            return
        except NoAnswer as error:
            lost = time.monotonic() if lost is None else lost
            if time.monotonic() - lost > patience:
                raise Unreachable(f"{url} does not answer: {error}") from None
        transport.pause(pause * random.uniform(0.7, 1.0))
        pause = min(2 * pause, LONGEST_PAUSE)


def _stream_or_poll(
    transport: Transport, url: str, headers: Mapping[str, str], after: int | None, poll: Poll
) -> Iterator[ReceivedEvent | None]:
    """The events of one stream; if the house has no free stream, None and the events of one long poll."""
    try:
        yield from _stream(transport, url, headers, after)
    except _Crowded:
        yield None
        yield from poll(after)


def _stream(
    transport: Transport, url: str, headers: Mapping[str, str], after: int | None
) -> Iterator[ReceivedEvent | None]:
    """Yield None once the house has answered, then the events of one stream until it breaks or ends."""
    resume = {} if after is None else {"Last-Event-ID": str(after)}
    with transport.stream(url, {**headers, **resume}, SILENCE) as opened:
        if opened.answer.status == NO_CONTENT:
            raise _Ended
        if not opened.answer.good:
            _refuse(opened.answer)
        yield None
        for event in opened.events:
            if event.data:
                yield _event(event)


def _event(sent: SentEvent) -> ReceivedEvent:
    try:
        return ReceivedEvent(int(sent.id), sent.name, loads(sent.data))
    except ValueError:
        raise Unreachable("The house's stream of events can't be read.") from None


def _refuse(response: Answer) -> None:
    """Raise what a refusal of a stream means: `ApiProblem`, `_Crowded` or `_Away`."""
    try:
        require_success(response)
    except ApiProblem as problem:
        if problem.code == "too_many_listeners":
            raise _Crowded from None
        if retry_after(response) is None:
            raise
        raise _Away(str(problem)) from None

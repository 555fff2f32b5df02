"""The seam to the network: what carries a request to a house and brings its answer.

`client.wire.HttpWire` does it with httpx. A browser brings its own, and so do tests without a network.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from player.house import Unreachable


class Untrusted(Unreachable):
    """The other side shows a certificate that nobody vouches for here. To ask again is of no use."""


class NoAnswer(Exception):
    """Nobody answered: no connection, a broken one, or silence for too long."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer over HTTP, whole."""

    url: str
    """The address that was asked."""
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """The headers by name, in lower case."""
    content: bytes = b""
    reason: str = ""
    """HTTP's words for the status, if the other side sent any."""

    @property
    def good(self) -> bool:
        """True for a status from 200 to 299."""
        return 200 <= self.status < 300


@dataclass(frozen=True, slots=True)
class SentEvent:
    """One Server-Sent Event as it came."""

    id: str
    name: str
    data: str


@dataclass(frozen=True, slots=True)
class OpenStream:
    """An answer that may go on as a stream of events."""

    answer: Answer
    """The beginning. Its content is there only if it is no stream."""
    events: Iterator[SentEvent]
    """The events as they come, until the other side ends them. Raises `NoAnswer`."""


class Transport(ABC):
    """Carries requests to houses."""

    streams = True
    """True if `stream` brings events as they come. If not, whoever waits for news polls."""

    @abstractmethod
    def request(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> Answer:
        """Send a request and return its answer.

        Raises `NoAnswer`, also after `seconds` of silence, and `Untrusted`.
        """

    @abstractmethod
    def stream(
        self, url: str, headers: Mapping[str, str], silence: float
    ) -> AbstractContextManager[OpenStream]:
        """Ask for a stream of events.

        Raises `NoAnswer`, also after `silence` seconds without a byte, and `Untrusted`.
        """

    def pause(self, seconds: float) -> None:
        """Do nothing for so long."""
        time.sleep(seconds)

    def close(self) -> None:
        """Close all connections, where the transport keeps some."""
        return

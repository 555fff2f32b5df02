"""The news that the processes of a house tell each other at a commit, as the payload of a notice.

A payload is lines of ASCII: first the name of the process and the topics of its news. News of a game's
record has a payload of its own. Its first line ends with the seq of the newest entry and with "over" or
"running", and the entries follow, a line each with kind and JSON, where they are short enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.live import Growth
from service.tails import Event

LONGEST = 7_900
"""Bytes of a payload; PostgreSQL takes fewer than 8,000."""
_TOPICS_AT_ONCE = 100
_GAME, _TOKEN = "game:", "token:"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A game of which a process must forget what it knows."""

    game_id: str


@dataclass(frozen=True, slots=True)
class Revoked:
    """An access token that was revoked."""

    token_id: str


News = Growth | Forgotten | Revoked | None
"""The news of a topic, as far as they are known; None for news that no process keeps."""


def write(process: str, told: Mapping[str, News]) -> Iterator[str]:
    """The payloads by which a process tells its news, by topic."""
    plain = [topic for topic, news in told.items() if not isinstance(news, Growth)]
    for first in range(0, len(plain), _TOPICS_AT_ONCE):
        yield " ".join([process, *plain[first : first + _TOPICS_AT_ONCE]])
    for topic, news in told.items():
        if isinstance(news, Growth):
            head = f"{process} {topic} {news.seq} {'over' if news.ended else 'running'}"
            whole = "\n".join([head, *(f"{entry.name} {entry.data}" for entry in news.entries)])
            yield whole if len(whole) <= LONGEST else head


def read(payload: str) -> tuple[str, Mapping[str, News]]:
    """The process that tells, and its news by topic."""
    head, *texts = payload.split("\n")
    process, *words = head.split(" ")
    if len(words) == 3 and words[1].isdecimal():
        topic, newest, state = words
        seq = int(newest)
        entries = (
            Event(number, *text.split(" ", 1)) for number, text in enumerate(texts, seq + 1 - len(texts))
        )
        return process, {topic: Growth(topic.removeprefix(_GAME), seq, tuple(entries), state == "over")}
    return process, {topic: _plain(topic) for topic in words}


def _plain(topic: str) -> News:
    if topic.startswith(_TOKEN):
        return Revoked(topic.removeprefix(_TOKEN))
    return Forgotten(topic.removeprefix(_GAME)) if topic.startswith(_GAME) else None

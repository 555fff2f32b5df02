"""What the processes of a house tell each other at a commit, as the payload of a notice.

A payload is lines of ASCII: first the name of the process and the topics of its news. News of a game's
record has a payload of its own. Its first line ends with the seq of the newest entry and with "over" or
"running", and the entries follow, a line each, where they are short enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from service.live import Growth

LONGEST = 7_900
"""Bytes of a payload; PostgreSQL takes fewer than 8,000."""
_TOPICS_AT_ONCE = 100
_GAME = "game:"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A game of which a process must forget what it knows."""

    game_id: str


News = Growth | Forgotten | None
"""What is known of the news of a topic; None for news that no process keeps."""


def write(process: str, told: Mapping[str, News]) -> Iterator[str]:
    """The payloads by which a process tells its news, by topic."""
    plain = [topic for topic, news in told.items() if not isinstance(news, Growth)]
    for first in range(0, len(plain), _TOPICS_AT_ONCE):
        yield " ".join([process, *plain[first : first + _TOPICS_AT_ONCE]])
    for topic, news in told.items():
        if isinstance(news, Growth):
            head = f"{process} {topic} {news.seq} {'over' if news.ended else 'running'}"
            whole = "\n".join([head, *news.texts])
            yield whole if len(whole) <= LONGEST else head


def read(payload: str) -> tuple[str, Mapping[str, News]]:
    """The process that tells, and its news by topic."""
    head, *texts = payload.split("\n")
    process, *words = head.split(" ")
    if len(words) == 3 and words[1].isdecimal():
        topic, seq, state = words
        game_id = topic.removeprefix(_GAME)
        return process, {topic: Growth(game_id, int(seq), tuple(texts), state == "over")}
    return process, {topic: _plain(topic) for topic in words}


def _plain(topic: str) -> News:
    return Forgotten(topic.removeprefix(_GAME)) if topic.startswith(_GAME) else None

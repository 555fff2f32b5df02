"""What the processes of a house tell each other at a commit, as the payload of a notice.

A payload is lines of ASCII. The first has the name of the process, and the topics of its news. If the first
of these is a game whose record has grown, the second line has the seq of the newest entry, with "+" if the
game is over. The new entries follow, a line each with kind and JSON, where they are short enough.

A process of the version before knows the first line alone, up to its last blank.
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
    """The payloads by which a process tells its news, by topic.

    Of several games that have grown, the second and later ones are only named.
    """
    topics = sorted(told, key=lambda topic: not isinstance(told[topic], Growth))
    growth = told[topics[0]] if topics else None
    for start in range(0, len(topics), _TOPICS_AT_ONCE):
        head = " ".join([process, *topics[start : start + _TOPICS_AT_ONCE]])
        if start == 0 and isinstance(growth, Growth):
            head = f"{head} \n{growth.seq}{'+' * growth.ended}"
            whole = "\n".join([head, *(f"{entry.name} {entry.data}" for entry in growth.entries)])
            yield whole if len(whole) <= LONGEST else head
        else:
            yield head


def read(payload: str) -> tuple[str, Mapping[str, News]]:
    """The process that tells, and its news by topic."""
    head, *lines = payload.split("\n")
    process, *topics = head.rstrip().split(" ")
    told = {topic: _plain(topic) for topic in topics}
    if lines:
        told[topics[0]] = _growth(topics[0], *lines)
    return process, told


def _growth(topic: str, newest: str, *lines: str) -> Growth:
    seq = int(newest.rstrip("+"))
    numbered = enumerate(lines, seq + 1 - len(lines))
    entries = tuple(Event(number, *line.split(" ", 1)) for number, line in numbered)
    return Growth(topic.removeprefix(_GAME), seq, entries, newest.endswith("+"))


def _plain(topic: str) -> News:
    if topic.startswith(_TOKEN):
        return Revoked(topic.removeprefix(_TOKEN))
    return Forgotten(topic.removeprefix(_GAME)) if topic.startswith(_GAME) else None

"""Waiting by the stream of a game: what came before, what comes, and what to do when it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Queue

import pytest

from client.following import Following
from client.streams import ReceivedEvent
from player.house import ApiProblem, Unreachable
from tests.waiting import PATIENCE, until


class Source:
    """A stream that a test feeds: numbers of entries, an exception to raise, or None for the end."""

    def __init__(self) -> None:
        self.items: Queue[int | Exception | None] = Queue()
        self.asked: list[int] = []

    def listen(self, after: int) -> Iterator[ReceivedEvent]:
        self.asked.append(after)
        while (item := self.items.get(timeout=PATIENCE)) is not None:
            if isinstance(item, Exception):
                raise item
            yield ReceivedEvent(item, "move", {"seq": item})


def seqs(found: list[dict[str, int]] | None) -> list[int]:
    assert found is not None
    return [entry["seq"] for entry in found]


@pytest.fixture
def source() -> Iterator[Source]:
    found = Source()
    yield found
    found.items.put(None)


def test_what_has_come_is_there_at_once_and_kept_until_it_was_taken(source: Source) -> None:
    following = Following(source.listen, 4)
    for seq in (5, 6, 7):
        source.items.put(seq)
    until(lambda: following.entries(4, 60) and len(following.entries(4, 60) or ()) == 3)
    assert seqs(following.entries(4, 60)) == [5, 6, 7]
    assert seqs(following.entries(6, 60)) == [7]
    assert following.entries(4, 60) is None  # it is gone from memory: the house has it
    assert source.asked == [4]


def test_a_wait_ends_with_the_next_entry_or_with_its_time(source: Source) -> None:
    following = Following(source.listen, -1)
    assert following.entries(-1, 0.05) == []
    threading.Timer(0.2, source.items.put, [0]).start()
    assert seqs(following.entries(-1, 60)) == [0]
    assert following.entries(3, 0.05) == []  # who has read more elsewhere waits for what comes after that


def test_entries_that_were_read_elsewhere_do_not_come_again(source: Source) -> None:
    following = Following(source.listen, -1)
    assert following.entries(2, 0.05) == []
    for seq in range(5):
        source.items.put(seq)
    found: list[int] = []
    until(lambda: found.extend(seqs(following.entries((found or [2])[-1], 60))) or len(found) == 2)
    assert found == [3, 4]


def test_a_stream_that_can_not_tell_says_so(source: Source) -> None:
    refused = Following(source.listen, 0)
    source.items.put(ApiProblem(409, "unknown_event", "There is no such entry."))
    assert refused.entries(0, 60) is None
    assert refused.ended
    gap = Following(source.listen, 0)
    source.items.put(2)
    assert gap.entries(0, 60) is None
    over = Following(source.listen, 0)
    source.items.put(None)
    assert over.entries(0, 60) is None


def test_a_house_that_is_away_is_told_to_who_waits(source: Source) -> None:
    following = Following(source.listen, 0)
    source.items.put(1)
    source.items.put(Unreachable("nobody answers"))
    until(lambda: following.ended)
    assert seqs(following.entries(0, 60)) == [1]
    with pytest.raises(Unreachable):
        following.entries(1, 60)

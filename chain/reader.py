"""What a contract has logged, read from nodes: final blocks alone, on which all nodes agree.

The reader knows the newest block that it has read by its hash. If that block has another hash the next time,
what it has told was taken back: it raises `Changed` and reads no further, until a person has looked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from chain.contracts import Artifact
from chain.nodes import NodeFault, Nodes, number, octets

PAGE = 2_000
"""Blocks whose logs are asked for at once: what public nodes allow."""


class Changed(Exception):
    """A final block has another hash than when it was read. Nothing that was read since then is certain."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The newest block that was read."""

    number: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class ChainEvent:
    """Something that a contract has logged."""

    block: int
    name: str
    values: Mapping[str, Any] = field(repr=False)


def _place(found: Any) -> tuple[int, bytes]:
    """The number and the hash of a block."""
    if not isinstance(found, Mapping):
        raise NodeFault("node_unreadable", "a node has no block where one was asked for")
    return number(found.get("number")), octets(found.get("hash"))


def _dated(found: Any) -> tuple[tuple[int, bytes], int]:
    """The place of a block, and its time."""
    place = _place(found)
    return place, number(found.get("timestamp"))


def _log(found: Any) -> tuple[int, int, bytes, tuple[bytes, ...], bytes]:
    """A log as all nodes must tell it: block, place in it, address, topics, data."""
    if not isinstance(found, Mapping) or not isinstance(found.get("topics"), list):
        raise NodeFault("node_unreadable", "a node answers no log where one was asked for")
    topics = tuple(octets(topic) for topic in found["topics"])
    place = number(found.get("blockNumber")), number(found.get("logIndex"))
    return *place, octets(found.get("address")), topics, octets(found.get("data"))


def _logs(found: Any) -> list[tuple[int, int, bytes, tuple[bytes, ...], bytes]]:
    if not isinstance(found, list):
        raise NodeFault("node_unreadable", "a node answers no logs where they were asked for")
    return sorted(_log(item) for item in found)


class LogReader:
    """Reads the logs of one contract."""

    def __init__(self, nodes: Nodes, artifact: Artifact, address: bytes, page: int = PAGE) -> None:
        self._nodes = nodes
        self._artifact = artifact
        self._address = address
        self._page = page

    def _block(self, at: int) -> Cursor:
        return Cursor(*self._nodes.ask("eth_getBlockByNumber", hex(at), False, pick=_place))

    def before(self, block: int) -> Cursor:
        """Where to begin, so that `block` is the first one that is read."""
        return self._block(max(0, block - 1))

    def time(self, cursor: Cursor) -> int:
        """When the block of this cursor was made, in seconds since 1970; raises `NodeFault` and `Changed`."""
        found = self._nodes.ask("eth_getBlockByNumber", hex(cursor.number), False, pick=_dated)
        if found[0] != (cursor.number, cursor.hash):
            raise Changed(f"final block {cursor.number} has changed while it was read")
        return int(found[1])

    def final(self) -> int:
        """The newest block that is final for all nodes."""
        return min(_place(found)[0] for found in self._nodes.each("eth_getBlockByNumber", "finalized", False))

    def since(self, cursor: Cursor) -> Iterator[tuple[list[ChainEvent], Cursor]]:
        """What was logged in final blocks behind `cursor`, by pages, each with the cursor behind it.

        Raises `Changed` and `NodeFault`.
        """
        end = self.final()
        while cursor.number < end:
            self._unchanged(cursor)
            last = self._block(min(end, cursor.number + self._page))
            yield self._events(cursor.number + 1, last.number), last
            cursor = last
        if cursor.number == end:
            self._unchanged(cursor)

    def _unchanged(self, cursor: Cursor) -> None:
        found = self._block(cursor.number)
        if found != cursor:
            old, new = cursor.hash.hex()[:16], found.hash.hex()[:16]
            raise Changed(f"final block {cursor.number} was {old}..., and is {new}... now")

    def _events(self, first: int, last: int) -> list[ChainEvent]:
        wanted = {"address": "0x" + self._address.hex(), "fromBlock": hex(first), "toBlock": hex(last)}
        events = []
        for block, _, address, topics, data in self._nodes.ask("eth_getLogs", wanted, pick=_logs):
            if address != self._address or not first <= block <= last:
                raise NodeFault("node_unreadable", "a node answers other logs than were asked for")
            try:
                read = self._artifact.read(topics, data)
            except ValueError as error:
                raise NodeFault("node_unreadable", f"a log can't be read: {error}") from None
            if read is not None:
                events.append(ChainEvent(block, *read))
        return events

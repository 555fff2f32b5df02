"""The reader of a chain: final blocks alone, all nodes alike, and an alarm if a final block changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from chain.contracts import artifacts
from chain.local import DEPTH, LocalChain, node
from chain.nodes import NodeFault, Nodes
from chain.reader import ChainEvent, Changed, Cursor, LogReader
from tests.chain.house_kit import ANNA, BEN, DAY, Deployed, account, deployed, new_chain

GAMES = [bytes([i]) * 16 for i in range(9)]


class World:
    """A chain with a contract of prizes, behind nodes."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.chain = new_chain()
        self.prizes: Deployed = deployed(self.chain, "prizes")
        self.prizes.machine.fund(ANNA, 100)
        self.begun = self.chain.newest.number
        self.chain.finalize()

    def open(self, game: bytes) -> None:
        """Open a pot, which makes a block."""
        end = self.chain.machine.time + DAY
        where, data = self.prizes.contract.address, self.prizes.contract.artifact.data
        self.chain.send(where, data("open", game, BEN, account("x"), end), ANNA, 1)

    def reader(self, *others: LocalChain, page: int = 2) -> LogReader:
        urls = [self.stack.enter_context(node(chain)) for chain in (self.chain, *others)]
        return LogReader(Nodes(urls), artifacts()["prizes"], self.prizes.contract.address, page)

    def start(self, reader: LogReader) -> Cursor:
        return reader.before(self.begun)


@pytest.fixture
def world() -> Iterator[World]:
    with ExitStack() as stack:
        yield World(stack)


def _read(reader: LogReader, cursor: Cursor) -> tuple[list[ChainEvent], Cursor]:
    events: list[ChainEvent] = []
    for page, behind in reader.since(cursor):
        events += page
        cursor = behind
    return events, cursor


def _games(events: list[ChainEvent]) -> list[bytes]:
    return [event.values["game"] for event in events]


def test_only_final_blocks_are_read(world: World) -> None:
    reader = world.reader()
    cursor = world.start(reader)
    world.open(GAMES[0])
    assert _read(reader, cursor)[0] == []
    world.chain.mine(DEPTH - 1)
    assert _read(reader, cursor)[0] == []
    world.chain.mine()
    events, behind = _read(reader, cursor)
    assert _games(events) == [GAMES[0]]
    assert _read(reader, behind) == ([], behind)


def test_all_pages_are_read_once_and_in_order(world: World) -> None:
    reader = world.reader()
    cursor = world.start(reader)
    for game in GAMES:
        world.open(game)
        world.chain.mine()
    world.chain.finalize()
    events, behind = _read(reader, cursor)
    assert _games(events) == GAMES
    assert [event.block for event in events] == sorted(event.block for event in events)
    world.open(bytes(range(16)))
    world.chain.finalize()
    assert _games(_read(reader, behind)[0]) == [bytes(range(16))]


def test_what_was_not_final_may_change(world: World) -> None:
    reader = world.reader()
    cursor = _read(reader, world.start(reader))[1]
    world.open(GAMES[0])
    world.chain.take_back(1)
    world.open(GAMES[1])
    world.chain.finalize()
    assert _games(_read(reader, cursor)[0]) == [GAMES[1]]


@pytest.mark.parametrize("more", [0, 5])
def test_a_final_block_that_changes_stops_the_reader(world: World, more: int) -> None:
    reader = world.reader()
    world.open(GAMES[0])
    world.chain.finalize()
    cursor = _read(reader, world.start(reader))[1]
    world.chain.take_back(DEPTH + 1)
    world.open(GAMES[1])
    world.chain.mine(DEPTH + more)
    for _ in range(2):  # it stays stopped
        with pytest.raises(Changed, match=f"final block {cursor.number}"):
            _read(reader, cursor)


def test_a_node_that_lags_holds_the_reader_back(world: World) -> None:
    reader = world.reader()
    cursor = world.start(reader)
    world.open(GAMES[0])
    world.chain.finalize()
    events, behind = _read(reader, cursor)
    assert len(events) == 1
    world.chain.take_back(DEPTH)  # as if the node were restarted, and had not caught up
    assert _read(reader, behind) == ([], behind)


def test_a_node_with_other_logs_is_found_out(world: World) -> None:
    other = World(world.stack)
    other.open(GAMES[1])
    world.open(GAMES[0])
    for each in (world, other):
        each.chain.finalize()
    reader = world.reader(other.chain)
    with pytest.raises(NodeFault) as fault:
        _read(reader, world.start(reader))
    assert fault.value.code == "nodes_differ"


def test_a_node_with_another_past_is_found_out(world: World) -> None:
    other = World(world.stack)
    other.chain.take_back(3)
    other.chain.mine(3)
    reader = world.reader(other.chain)
    with pytest.raises(NodeFault) as fault:
        _read(reader, reader.before(world.chain.final.number))
    assert fault.value.code == "nodes_differ"

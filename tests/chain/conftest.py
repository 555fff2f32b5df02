"""The contracts on a chain of this machine, deployed once for all tests of a process."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from chain.evm import EvmChain
from chain.verifiers import Verifiers
from tests import chance
from tests.chain.world_kit import World, opened


def pytest_sessionstart() -> None:
    """Make the random bytes that tests draw from the system repeatable."""
    chance.force()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test draws by its name; a long one tries something new each time."""
    chance.watch(None if item.get_closest_marker("long") else item)
    try:
        return (yield)
    finally:
        chance.watch(None)


@pytest.fixture(scope="session")
def verifiers() -> Verifiers:
    return Verifiers.deployed(EvmChain())


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A house with a pantry on a chain of its own."""
    with opened(tmp_path) as found:
        yield found

"""The contracts on a chain of this machine, deployed once for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chain.evm import EvmChain
from chain.verifiers import Verifiers
from tests.chain.world_kit import World, opened


@pytest.fixture(scope="session")
def verifiers() -> Verifiers:
    return Verifiers.deployed(EvmChain())


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A house with a pantry on a chain of its own."""
    with opened(tmp_path) as found:
        yield found

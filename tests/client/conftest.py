"""Fixtures of the client's tests: a house that stays open, and guests with vaults of their own."""

from collections.abc import Iterator

import pytest

from tests.stack import Stack


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """An embedded house, for all tests of a process that don't stop it."""
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack

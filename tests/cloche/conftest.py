"""Fixtures of the tests of commands: throw-away databases, as those of the service, and houses on one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.guests import Guest
from tests.cloche.here_kit import House, Newcomer
from tests.service.conftest import (
    clock,
    empty_url,
    house,
    kind,
    migrated_file,
    postgresql,
    registered_once,
    seat_once,
    settings,
)

__all__ = [
    "clock",
    "empty_url",
    "house",
    "kind",
    "migrated_file",
    "postgresql",
    "registered_once",
    "seat_once",
    "settings",
]


@pytest.fixture(scope="module")
def here(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in this process, for all tests of a module."""
    with House.opened(tmp_path_factory.mktemp("house"), migrated_file) as opened:
        yield opened


@pytest.fixture
def newcomer(here: House, tmp_path: Path) -> Iterator[Newcomer]:
    """`newcomer()` registers a new player with a vault at the house `here`."""
    guests: list[Guest] = []

    def make() -> Guest:
        folder = tmp_path / f"newcomer-{len(guests)}"
        guests.append(Guest.register(here.url, folder, len(guests), here.transport))
        return guests[-1]

    yield make
    for guest in guests:
        guest.api.close()

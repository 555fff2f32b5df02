"""What the client's tests share: a house that stays open, and guests with vaults of their own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client.guests import Guest
from tests.stack import Stack

Invite = Callable[..., Guest]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A house of the embedded flavour for all of a process's tests that do not close it."""
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


@pytest.fixture
def invite(house: Stack, tmp_path: Path) -> Iterator[Invite]:
    """`invite()` registers a new player, at `house` or the house given."""
    guests: list[Guest] = []

    def make(at: Stack | None = None) -> Guest:
        guests.append(Guest.register((at or house).url, tmp_path / f"guest-{len(guests)}", len(guests)))
        return guests[-1]

    yield make
    for guest in guests:
        guest.api.close()

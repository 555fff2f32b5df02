"""Fixtures that every room's tests may use: real houses."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests import chance, log_lines, tables, tiers
from tests.client.guests import Guest, Invite
from tests.stack import FLAVOURS, Stack, need

collect_ignore = ["chain"]
"""What `make chain` runs in an environment of its own: it needs a compiler and a machine for contracts."""
pytest_plugins = ("tests.attack.ledger", "tests.kept")
Open = Callable[..., Stack]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make pictures`."""
    parser.addoption("--pictures", metavar="FOLDER", help="save a picture of each screen of the page here")


def pytest_sessionstart() -> None:
    """Prepare this process for tests. In CI, the fast engine must be there."""
    if os.environ.get("CI") and find_spec("py_arkworks_bls12381") is None:
        pytest.exit("CI needs the fast curve engine (py_arkworks_bls12381)", returncode=1)
    tiers.guard()
    chance.force()
    log_lines.keep_no_loggers()
    gc.disable()  # what is imported and collected now stays: looking through it would take half of the time


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set the marks that `-m` chooses by, and begin with the longest files."""
    tiers.mark(items)
    tiers.order(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A test without a mark may start no process, and draws by its name."""
    tiers.watch(item)
    chance.watch(item)
    try:
        return (yield)
    finally:
        tiers.watch(None)
        chance.watch(None)


def pytest_sessionfinish() -> None:
    """Drop what houses were copied from, and collect the garbage once, with pytest still listening.

    After this, pytest collects ten times to report objects whose end fails. With all else frozen, these
    searches end at once. Else they take seconds and find nothing new.
    """
    tables.forget()
    gc.collect()
    gc.freeze()


def pytest_collection_finish() -> None:
    """Tell the garbage collector that the tests and their imports are no garbage."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def open_stack(tmp_path: Path) -> Iterator[Open]:
    """`open_stack(flavour, **settings)` starts a house; all of them are thrown away after the test."""
    with ExitStack() as stacks:

        def start(flavour: str = "embedded", **settings: object) -> Stack:
            need(flavour)
            folder = tmp_path / f"house-{len(list(tmp_path.glob('house-*')))}"
            return stacks.enter_context(Stack(flavour, folder, **settings))

        yield start


@pytest.fixture
def invite(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Invite]:
    """`invite()` registers a new player with a vault, at the module's `house` or the house given."""
    guests: list[Guest] = []

    def make(at: Stack | None = None) -> Guest:
        house: Stack = at or request.getfixturevalue("house")
        guests.append(Guest.register(house.url, tmp_path / f"guest-{len(guests)}", len(guests)))
        return guests[-1]

    yield make
    for guest in guests:
        guest.api.close()


@pytest.fixture(
    params=[
        flavour if flavour == "embedded" else pytest.param(flavour, marks=pytest.mark.servers)
        for flavour in FLAVOURS
    ]
)
def stack(request: pytest.FixtureRequest, open_stack: Open) -> Stack:
    """A running house; a test that asks for it runs once on each flavour."""
    return open_stack(request.param)

"""What every room's tests may use: real houses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.stack import FLAVOURS, Stack, need

Open = Callable[..., Stack]


def pytest_sessionstart() -> None:
    """Where there is no wheel of the fast engine its tests are skipped; in CI nothing is."""
    if os.environ.get("CI") and find_spec("py_arkworks_bls12381") is None:
        pytest.exit("CI needs the fast curve engine (py_arkworks_bls12381)", returncode=1)


@pytest.fixture
def open_stack(tmp_path: Path) -> Iterator[Open]:
    """`open_stack(flavour, **settings)` starts a house; all of them are thrown away after the test."""
    with ExitStack() as stacks:

        def start(flavour: str = "embedded", **settings: object) -> Stack:
            need(flavour)
            folder = tmp_path / f"house-{len(list(tmp_path.glob('house-*')))}"
            return stacks.enter_context(Stack(flavour, folder, **settings))

        yield start


@pytest.fixture(
    params=[
        flavour if flavour == "embedded" else pytest.param(flavour, marks=pytest.mark.servers)
        for flavour in FLAVOURS
    ]
)
def stack(request: pytest.FixtureRequest, open_stack: Open) -> Stack:
    """A running house; a test that asks for it runs once on each flavour."""
    return open_stack(request.param)

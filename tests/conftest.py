"""What every room's tests may use: real houses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.stack import FLAVOURS, Stack, need

Open = Callable[..., Stack]


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

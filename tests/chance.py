"""Repeatable chance: the random bytes that a test draws from the system follow from its name and file.

Keys, ids and therefore deals are the same in every run, so no test fails because of a rare deal. Tests that
start processes keep the system's randomness: their children would all draw the same bytes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

SYSTEM = os.urandom
"""The system's own randomness, for names that must differ between runs, such as those of databases."""
_source: list[Random] = []


def force() -> None:
    """Make `os.urandom`, `secrets` and `uuid.uuid4` draw what `watch` has said from now on."""
    os.urandom = _draw
    random._urandom = _draw  # type: ignore[attr-defined]


def watch(item: pytest.Item | None) -> None:
    """Say which test runs now in this process."""
    repeats = item is not None and item.get_closest_marker("processes") is None
    _source[:] = [Random(item.nodeid)] if item is not None and repeats else []


@contextmanager
def apart(name: str) -> Iterator[None]:
    """Let what this block draws follow from a name. What the test draws around it stays as it is."""
    before = [*_source]
    _source[:] = [Random(name)]
    try:
        yield
    finally:
        _source[:] = before


def unique() -> str:
    """Twelve hexadecimal digits that no other run of the tests has."""
    return SYSTEM(6).hex()


def _draw(size: int, /) -> bytes:
    return _source[0].randbytes(size) if _source else SYSTEM(size)

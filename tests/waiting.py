"""Waiting in tests for what another thread or process does."""

import contextlib
import time
from collections.abc import Callable
from typing import TypeVar

import httpx
import pytest

PATIENCE = 180.0
"""Seconds that anything may take on a busy machine. A shorter limit in a test is a promise of the house."""

T = TypeVar("T")


def until(look: Callable[[], T], seconds: float = PATIENCE, what: str = "") -> T:
    """The first true value of `look`, which is asked again and again; fails the test after `seconds`.

    A connection that is refused meanwhile counts as "not yet".
    """
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(httpx.TransportError):
            if found := look():
                return found
        if time.monotonic() > deadline:
            pytest.fail(f"not within {seconds:g} s: {what or look}")
        time.sleep(0.02)

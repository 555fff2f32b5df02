"""A test that starts a process belongs to a slower tier, whether or not that was recognised."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import pytest

WAYS = {
    "a Python program": lambda: import_module("subprocess").run([sys.executable, "-c", ""], check=True),
    "one named apart": lambda: import_module("subprocess").Popen(["python"], executable=sys.executable),
    "one given by name": lambda: import_module("subprocess").Popen(args=[sys.executable]),
    "a fork": lambda: os.fork() or os._exit(0),  # a child must never go on with the tests
    "a spawned process": lambda: import_module("multiprocessing").get_context("spawn").Process().start(),
    "a forked process": lambda: import_module("multiprocessing").get_context("fork").Process().start(),
}
"""Modules are imported by name: else these tests would be recognised, and have the mark."""


@pytest.mark.parametrize("way", WAYS)
def test_a_test_without_a_mark_starts_no_process(way: str) -> None:
    with pytest.raises(AssertionError, match="mark it with"):
        WAYS[way]()


def test_a_tool_is_allowed() -> None:
    assert import_module("subprocess").run(["true"]).returncode == 0

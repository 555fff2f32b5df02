"""The tier of a test, from what it uses.

`make test` runs the tests that need no server and start no process. `make test-all` runs the others, those
marked `servers`, `processes` or `slow`: first the page's (`make test-page`), then the rest
(`make test-house`). The first two marks are set here, so that no list of tests has to be kept. A test that
starts a process and was not recognised fails with a hint. Everything in `tests/faults/` is marked `faults`.
"""

from __future__ import annotations

import concurrent.futures
import multiprocessing.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from benchmarks.chefs import elsewhere
from tests.cloche.terminal import Terminal
from tests.stack import Process, Stack
from worker.thinkers import Thinkers

STARTERS: tuple[object, ...] = (
    Process,
    Stack,
    Terminal,
    subprocess,
    multiprocessing,
    concurrent.futures.ProcessPoolExecutor,
    Thinkers,
    elsewhere,
)
"""Everything that a test can start a process with."""
STARTING_FIXTURES = {"stack", "open_stack", "invite"}
SERVER_FIXTURES = {"postgresql"}
FAULTS = "tests/faults/"
WAYS = (
    (os, "fork"),
    (os, "forkpty"),
    (os, "posix_spawn"),
    (os, "posix_spawnp"),
    (multiprocessing.util, "spawnv_passfds"),
)
"""The functions that start a process, apart from `subprocess.Popen`."""

FIRST = (
    "tests/leaks/test_twins.py",
    "tests/referee/dealerless/test_drop_outs.py",
    "tests/service/test_backup.py",
    "tests/service/test_dealerless.py",
    "tests/service/test_schema.py",
    "tests/web/test_devices.py",
    "tests/web/test_kitchen.py",
    "tests/web/test_same_bytes.py",
    "tests/web/test_screens.py",
    "tests/worker/test_games.py",
)
"""Test files that take a minute or more and stand late in the order: begun last, one would run on alone."""

_starts: dict[int, bool] = {}
_running: list[pytest.Item] = []


def mark(items: Sequence[pytest.Item]) -> None:
    """Set the marks `servers`, `processes` and `faults`."""
    for item in items:
        if item.nodeid.startswith(FAULTS):
            item.add_marker(pytest.mark.faults)
        if not isinstance(item, pytest.Function):
            continue
        fixtures = item._fixtureinfo.name2fixturedefs
        if SERVER_FIXTURES & fixtures.keys():
            item.add_marker(pytest.mark.servers)
        used = [item.function, *(found[-1].func for found in fixtures.values() if found)]
        if STARTING_FIXTURES & fixtures.keys() or any(starts(function) for function in used):
            item.add_marker(pytest.mark.processes)


def order(items: list[pytest.Item]) -> None:
    """Put the tests of the files in `FIRST` before all others, which keep their order."""
    items.sort(key=lambda item: not item.nodeid.startswith(FIRST))


def starts(given: Any) -> bool:
    """Tell whether a function or a class of the tests, or anything of the tests that it uses, starts a
    process.
    """
    if any(given is starter for starter in STARTERS):
        return True
    if id(given) not in _starts:
        _starts[id(given)] = False  # a helper that calls itself ends here
        _starts[id(given)] = any(starts(used) for used in _used_by(given))
    return _starts[id(given)]


def _used_by(given: Any) -> Iterator[Any]:
    """Return what a function or a class of the tests refers to by global names."""
    given = getattr(given, "__wrapped__", given)
    if not getattr(given, "__module__", "").startswith("tests."):
        return
    if isinstance(given, type):
        yield from (value for value in vars(given).values() if isinstance(value, FunctionType))
        yield from given.__bases__
    elif isinstance(given, FunctionType):
        names = set(_names(given.__code__))
        for found in (given.__globals__[name] for name in names & given.__globals__.keys()):
            yield found
            if isinstance(found, ModuleType) and found.__name__.startswith("tests."):
                yield from (vars(found)[name] for name in names & vars(found).keys())


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def guard() -> None:
    """Make a test fail, from now on, that starts a Python process without one of the marks.

    Python would call an audit hook at each `id()` as well, and not when multiprocessing spawns a process.
    """
    for place, name in WAYS:
        setattr(place, name, _guarded(getattr(place, name)))
    subprocess.Popen.__init__ = _guarded(subprocess.Popen.__init__, _is_tool)  # type: ignore[method-assign]


def watch(item: pytest.Item | None) -> None:
    """Say which test runs now in this process."""
    _running[:] = [item] if item is not None else []


def _no_tool(*_: Any, **__: Any) -> bool:
    return False


def _guarded(start: Callable[..., Any], is_tool: Callable[..., bool] = _no_tool) -> Callable[..., Any]:
    @wraps(start)
    def guarded(*given: Any, **named: Any) -> Any:
        if _running and not _may_start(_running[0]) and not is_tool(*given, **named):
            raise AssertionError(f"{_running[0].nodeid} starts a process: mark it with pytest.mark.processes")
        return start(*given, **named)

    return guarded


def _may_start(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("processes", "servers"))


def _is_tool(_: Any, args: Any, bufsize: int = -1, executable: Any = None, *__: Any, **___: Any) -> bool:
    """Tell whether what `subprocess.Popen` is given starts no Python, but a tool such as openssl."""
    program = executable or (args if isinstance(args, str | bytes | os.PathLike) else args[0])
    return os.fspath(program) != sys.executable

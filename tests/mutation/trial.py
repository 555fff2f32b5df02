"""Mutants tried in this process's children: everything is imported and collected once, then forked.

A mutant lives in a child of its own and is never written to disk. One whose change is inside a function
gets its code exchanged there, in the function that everybody has imported already; one that changes what
an import does starts from a process that has imported nothing of ours. The child ends itself: with the
first test that fails, with the last that passes, or by its limit of processor time.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.abc
import importlib.util
import inspect
import json
import mmap
import os
import resource
import signal
import sys
import time
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.mutation.mutants import Mutant

SURVIVED, KILLED, BROKEN = 10, 11, 12
"""The ends of a child: all its tests passed, one failed, it could not be tried."""
PATIENCE = 5
"""A test may take this many times as long as it takes without the mutant, and `LEAST` seconds more, of
the processor's time: how busy the machine is does not count."""
LEAST = 3
MEMORY = 8 * 2**30


_voice = 1


def say(text: str) -> None:
    """Print a line for the user, whatever pytest does with the standard output."""
    os.write(_voice, f"{text}\n".encode())


def silence() -> None:
    """Throw away what anybody but `say` writes in this process."""
    global _voice
    _voice = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


@dataclass(frozen=True, slots=True)
class Seen:
    """The behaviour of a test on the source as it is."""

    seconds: float
    lines: dict[str, list[int]]
    """The lines that it runs, by file."""


@dataclass
class Pool:
    """A pool of at most `jobs` children at a time."""

    jobs: int
    running: dict[int, Callable[[int], None]] = field(default_factory=dict)

    def start(self, work: Callable[[], int], ended: Callable[[int], None], seconds: float) -> None:
        """Run `work` in a child that may use so much processor time; `ended` gets its exit status."""
        while len(self.running) >= self.jobs:
            self.wait()
        child = os.fork()
        if not child:
            _as_child(work, seconds)
        self.running[child] = ended

    def wait(self) -> None:
        """Wait for one child to end."""
        child, status = os.wait()
        self.running.pop(child)(status)

    def rest(self) -> None:
        """Wait for all of them to end."""
        while self.running:
            self.wait()


def allow(seconds: float) -> None:
    """Let this process do what takes so long without the mutant, and end it if it takes much longer."""
    limit = int(time.process_time() + LEAST + PATIENCE * seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def _as_child(work: Callable[[], int], seconds: float) -> None:
    status = BROKEN
    with contextlib.suppress(BaseException):
        allow(seconds)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(int(60 + 20 * PATIENCE * seconds))  # for one that waits instead of working
        silence()
        status = work()
    os._exit(status)


def outcome(status: int) -> str:
    """Return the outcome in a word."""
    if os.WIFSIGNALED(status):
        return "killed" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM) else "crashed"
    return {SURVIVED: "survived", KILLED: "killed"}.get(os.WEXITSTATUS(status), "broken")


class FirstFailure:
    """A pytest plugin that ends the process at once when a test fails."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the report of each phase of a test."""
        if report.failed:
            os._exit(KILLED)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test file that can't even be imported."""
        if report.failed:
            os._exit(KILLED)


def derandomized() -> None:
    """The same examples for every mutant, and no shrinking: that it fails is all that is asked."""
    settings.register_profile(
        "mutation",
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutation")


# A change inside a function


def _code(source: str, path: str, function: str) -> types.CodeType:
    """The code object of a function in a file's source."""
    waiting = [compile(source, path, "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop()
        if code.co_qualname == function:
            return code
        waiting += [const for const in code.co_consts if isinstance(const, types.CodeType)]
    raise LookupError(function)


def _function(module: types.ModuleType, name: str) -> types.FunctionType:
    """The function of that qualified name, under all that decorators have put around it."""
    found: Any = module
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    while not isinstance(found, types.FunctionType):
        if isinstance(found, property):
            found = found.fget
        elif isinstance(found, functools.cached_property):
            found = found.func
        else:
            found = found.__wrapped__ if hasattr(found, "__wrapped__") else found.__func__
    return inspect.unwrap(found)  # type: ignore[no-any-return]


def module_of(file: str) -> str:
    """The name under which a file is imported."""
    return file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def put_in(root: Path, mutant: Mutant) -> None:
    """Exchange the code of the mutant's function, and forget what was computed before."""
    file, function = mutant.name.file, mutant.name.function
    live = _function(sys.modules[module_of(file)], function)
    live.__code__ = _code(mutant.source, str(root / file), function)
    for module in list(sys.modules.values()):
        if str(getattr(module, "__file__", None) or "").startswith(f"{root}{os.sep}"):
            for value in list(vars(module).values()):
                if isinstance(value, functools._lru_cache_wrapper):
                    value.cache_clear()


# A change of what an import does


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a source of our own."""

    def __init__(self, root: Path, mutant: Mutant) -> None:
        self._name, self._path, self._source = (
            module_of(mutant.name.file),
            root / mutant.name.file,
            mutant.source,
        )

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> Any:
        """Ours, or None."""
        if fullname == self._name:
            return importlib.util.spec_from_file_location(fullname, self._path, loader=self)
        return None

    def create_module(self, spec: Any) -> None:
        """Create the module as usual."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the source."""
        exec(compile(self._source, str(self._path), "exec", dont_inherit=True), vars(module))


def options(root: Path, tests: Sequence[str]) -> list[str]:
    """Return the options of a run of pytest with these files or folders."""
    sys.path.insert(0, str(root))
    paths = [root / test for test in tests]
    folder = os.path.commonpath([path if path.is_dir() else path.parent for path in paths])
    # The rooms above import much to start whole houses. That is of no use here, and slow.
    without = ("cacheprovider", "xdist", "tests.kept")  # what is kept would not ask the mutant again
    plain = ["-q", *(f"-pno:{name}" for name in without), "--hypothesis-profile", "mutation"]
    plain += ["--rootdir", str(root), "--confcutdir", folder]
    settings = root / "pyproject.toml"
    return [*plain, *(("-c", str(settings)) if settings.exists() else ()), *map(str, paths)]


def afresh(root: Path, mutant: Mutant, *tests: Sequence[str]) -> int:
    """Import and test all anew with the mutant in its file's place, one set of tests after another."""
    sys.meta_path.insert(0, Instead(root, mutant))
    derandomized()
    for chosen in tests:
        if pytest.main(["-x", "-k", "not py_ecc", *options(root, chosen)], plugins=[FirstFailure()]):
            return KILLED
    return SURVIVED


# The collected process


class Collected:
    """A pytest plugin that has all tests collected, and then forks instead of running them."""

    def __init__(self, work: Callable[[Collected], None], root: Path) -> None:
        self.items: dict[str, pytest.Item] = {}
        self._work, self._root = work, root
        self._failed = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Fork for the mutants, in place of running the tests one after another."""
        if session.testsfailed:
            raise session.Interrupted("the tests can't be collected")
        # The reference engine gives the same bytes, a hundred times more slowly.
        self.items = {item.nodeid: item for item in session.items if "py_ecc" not in item.nodeid}
        self._work(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the report of a test that ran in a child."""
        self._failed = self._failed or report.failed

    def _run(self, nodes: Sequence[str]) -> Iterator[str]:
        """Run these tests one after another; stops behind the first that fails."""
        items = [self.items[node] for node in nodes]
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            yield item.nodeid
            if self._failed:
                return

    def watch(self, nodes: Sequence[str], files: Iterable[str], into: Path) -> int:
        """Run tests in a child on the source as it is and write down what each of them does."""
        included = [str(self._root / file) for file in files]
        cover = coverage.Coverage(data_file=None, config_file=False, include=included)
        cover.set_option("run:disable_warnings", ["no-data-collected"])
        found: dict[str, Any] = {}
        cover.start()
        began = time.process_time()
        for node in self._run(nodes):
            cover.stop()
            data = cover.get_data()
            lines = {
                str(Path(path).relative_to(self._root)): sorted(data.lines(path) or ())
                for path in data.measured_files()
            }
            found[node] = {"seconds": time.process_time() - began, "lines": lines}
            cover.erase()
            began = time.process_time()
            cover.start()
        into.write_text(json.dumps({"seen": found, "failed": node if self._failed else None}))
        return SURVIVED

    def kill(self, mutant: Mutant, seconds: Mapping[str, float], asked: mmap.mmap) -> int:
        """Tell in a child whether one of these tests, which take so long without it, kills the mutant.

        `asked` is left with the index of the last test that came to its end.
        """
        put_in(self._root, mutant)
        times = iter([*seconds.values(), 0.0])
        allow(next(times))
        for i, _ in enumerate(self._run(list(seconds))):
            allow(next(times))
            asked[:] = i.to_bytes(4, "big")
        return KILLED if self._failed else SURVIVED


def collected(root: Path, tests: Sequence[str], work: Callable[[Collected], None]) -> int:
    """Collect test files and do `work` with them, in this process; returns pytest's status."""
    derandomized()
    return int(pytest.main(options(root, tests), plugins=[Collected(work, root)]))

"""Other `cloche` commands, each in a process of its own: a house, players, a verifier."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from cloche.commands.errors import CommandError

CLOCHE = (sys.executable, "-m", "cloche")
OPENING = 60.0
"""Seconds that a house may take to open."""
CLOSING = 10.0
TAIL = 15
"""Lines of a process's output that are shown when it fails."""


def surroundings() -> dict[str, str]:
    """The environment for a child: ours, without the variables that name another house or player."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLOCHE_")}
    if engine := os.environ.get("CLOCHE_ENGINE"):
        kept["CLOCHE_ENGINE"] = engine
    return kept


def run(arguments: list[str]) -> tuple[int, str]:
    """Run a command to its end; returns its exit status and what it printed."""
    done = subprocess.run(
        [*CLOCHE, *arguments],
        env=surroundings(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace")


class Child:
    """A command that runs beside this one and prints into a file."""

    def __init__(self, arguments: list[str], output: Path, environment: Mapping[str, str]) -> None:
        """`environment` has all CLOCHE_ variables that the command gets; it inherits none."""
        self.name = f"cloche {arguments[0]}"
        self.output = output
        with output.open("wb") as file:
            self._popen = subprocess.Popen(
                [*CLOCHE, *arguments],
                env=surroundings() | dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C reaches this process alone, which then ends its children
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._popen.pid

    @property
    def running(self) -> bool:
        """True if the process has not ended."""
        return self._popen.poll() is None

    def text(self) -> str:
        """The text that it has printed so far."""
        return self.output.read_text(errors="replace")

    def check(self) -> None:
        """Raise `CommandError` if the process has failed."""
        status = self._popen.poll()
        if status:
            tail = tuple(self.text().rstrip().splitlines()[-TAIL:])
            raise CommandError("process_failed", f"{self.name} ended with {status}:", tail)

    def done(self, seconds: float = 30.0) -> None:
        """Wait for the end of the process. Raises `CommandError` if it fails or goes on for longer."""
        try:
            self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise CommandError("process_failed", f"{self.name} does not end.") from None
        self.check()

    def kill(self) -> None:
        """Kill the process and all that it has started, without a word."""
        os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def end(self) -> None:
        """Ask the process to end, and kill it if it does not."""
        if not self.running:
            return
        self._popen.send_signal(signal.SIGTERM)
        try:
            self._popen.wait(CLOSING)
        except subprocess.TimeoutExpired:
            os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()


@contextmanager
def ended_well() -> Iterator[None]:
    """Have SIGTERM and a closed terminal end this command as Ctrl-C does, so that no child is left behind."""
    before = {
        number: signal.signal(number, signal.default_int_handler)
        for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def house(folder: Path, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """Open a new house in `folder`, on a free port. Yields its address, and closes the house at the end.

    `settings` has further variables of the house.
    """
    from service.config import UNLIMITED  # the service is imported only when a house is opened

    unlimited = {f"CLOCHE_{name.upper()}": text for name, text in UNLIMITED.items()}
    environment = {"CLOCHE_DATA": str(folder / "house"), **unlimited, **(settings or {})}
    child = Child(["serve", "--port", "0"], folder / "house.out", environment)
    try:
        deadline = time.monotonic() + OPENING
        while (found := re.search(r"open at (http://\S+)", child.text())) is None:
            child.check()
            if not child.running or time.monotonic() > deadline:
                raise CommandError("no_house", "The house does not open.", (child.text(),))
            time.sleep(0.05)
        yield found[1]
    finally:
        child.end()

"""Processes that read and write lines of JSON."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any


class ProcessEnded(RuntimeError):
    """A process ended before it answered."""

    def __init__(self, name: str, code: int) -> None:
        """Name the process. `code` is its exit status."""
        super().__init__(f"{name} ended with {code}; what it said is above.")
        self.code = code


@dataclass(frozen=True, slots=True)
class JsonProcess:
    """A process and both of its pipes."""

    name: str
    """The process in a few words, for errors."""
    popen: subprocess.Popen[str]
    input: IO[str]
    output: IO[str]

    def tell(self, data: object) -> None:
        """Send one line of JSON."""
        self.input.write(json.dumps(data) + "\n")
        self.input.flush()

    def hear(self) -> dict[str, Any]:
        """Wait for the next line, which holds a JSON object. Raises `ProcessEnded`."""
        line = self.output.readline()
        if not line:
            raise ProcessEnded(self.name, self.popen.wait())
        heard: dict[str, Any] = json.loads(line)
        return heard

    def finish(self) -> None:
        """Close the input: the process ends once it has read all lines."""
        self.input.close()


@contextmanager
def json_process(name: str, command: Sequence[str], folder: Path) -> Iterator[JsonProcess]:
    """Start a process in `folder`, and terminate it at the end. It shares our standard error."""
    popen = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        if popen.stdin is None or popen.stdout is None:
            raise RuntimeError(f"{name} has no pipes, so nobody can talk to it.")
        yield JsonProcess(name, popen, popen.stdin, popen.stdout)
    finally:
        popen.terminate()
        popen.wait()
        for pipe in (popen.stdin, popen.stdout):
            if pipe is not None:
                pipe.close()

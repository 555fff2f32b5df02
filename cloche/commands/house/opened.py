"""A house that a command of its operator opens beside its processes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cloche.commands.errors import CommandError
from cloche.commands.house import options
from cloche.operate import logs
from service.problems import Problem
from service.runtime import Runtime


@contextmanager
def opened(data: Path | None) -> Iterator[Runtime]:
    """The house in the folder `data`, or in the one that the environment names; it may be running.

    Refusals of its operations become errors of the command line.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with options.database_errors(settings):
            yield house
    except Problem as problem:
        raise CommandError(problem.code, problem.detail) from None
    finally:
        house.close()

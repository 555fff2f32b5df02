"""The parts shared by commands that let bots play many games: options, a progress bar, files of figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cards.catalog.cards import FOLDER
from cloche.commands.errors import CommandError

DOCS = FOLDER.parents[1] / "docs"

cores_option = click.option(
    "--cores",
    type=click.IntRange(1),
    default=os.cpu_count() or 1,
    help="The number of processes.  [default: one for each core]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
chart_option = click.option(
    "--chart",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the figures into this SVG file.",
)


@contextmanager
def progress(total: int, what: str = "Matches") -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal. Call what it yields with the number of matches that were played."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


def save(path: Path, text: str) -> None:
    """Write a text file. Raises `CommandError`."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError("cant_write", f"{error.filename}: {error.strerror}.") from None

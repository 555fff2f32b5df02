"""How far a long measurement is: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn


@contextmanager
def progress() -> Iterator[Callable[[str, float], None]]:
    """A progress bar on a terminal; elsewhere a line for everything that begins."""
    console, heard = Console(stderr=True), list[str]()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("Beginning", total=1.0)

        def tick(what: str, share: float) -> None:
            bar.update(task, description=what, completed=share)
            if not console.is_terminal and heard[-1:] != [what]:
                heard.append(what)
                click.echo(what, err=True)

        yield tick

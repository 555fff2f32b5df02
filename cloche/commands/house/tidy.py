"""`cloche tidy`: do the house's chores now, not when they are due."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from cloche.commands.house import options
from cloche.operate import logs
from service.operations import housekeeping
from service.runtime import Runtime


@click.command()
@options.data_option
def tidy(data: Path | None) -> None:
    """Delete rows that the house no longer needs, such as expired tokens.

    Workers do this by themselves once an hour. Records, players, cards and decks are never deleted.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with options.database_errors(settings), Console(stderr=True).status("Tidying up"):
            found = housekeeping.tidy_now(house)
    finally:
        house.close()
    for name, rows in found.items():
        click.echo(f"{name:12} {rows}")

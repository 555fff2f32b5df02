"""`cloche tidy`: do the house's chores now, instead of when they are due."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from sqlalchemy.exc import SQLAlchemyError

from cloche.commands.house import options
from cloche.operate import backends, logs
from service.operations import housekeeping
from service.runtime import Runtime


@click.command()
@options.data_option
def tidy(data: Path | None) -> None:
    """Delete rows that are of no more use: tokens long expired, and the like.

    Workers do it by themselves, once an hour. Records, players, cards and decks are never deleted.
    """
    settings = options.settings(data)
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with Console(stderr=True).status("Tidying up"):
            found = housekeeping.tidy_now(house)
    except SQLAlchemyError as fault:
        shown = backends.shown(settings.database)
        raise click.ClickException(f"The database {shown} can't be used: {backends.cause(fault)}") from None
    finally:
        house.close()
    for name, rows in found.items():
        click.echo(f"{name:12} {rows}")

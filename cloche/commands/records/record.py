"""`cloche record` fetches the record of a game."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.errors import CommandError
from cloche.commands.records.fetching import fetched


@click.command()
@click.argument("game")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Where it goes; - is standard output.  [default: cloche-GAME.json]",
)
@access.house_option
@access.passphrase_option
def record(game: str, out: str | None, house: str | None, passphrase_file: Path | None) -> None:
    """Fetch the record of GAME, by its id, as a file that `cloche verify` checks.

    With --house nobody signs in, which does for games that are over; else you do, and
    your own running games can be had too.
    """
    with access.at_house(house, passphrase_file) as (_, api):
        data = fetched(api, game)
    if out == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(out or f"cloche-{game}.json")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError("cant_write", f"{path}: {error.strerror}.") from None
    click.echo(f"{path}: {len(data)} bytes.")

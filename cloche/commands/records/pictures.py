"""`cloche pictures`: draw what a record shows, as SVG files."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.errors import must_be_valid
from cloche.commands.files import folder_option, write_into
from cloche.commands.records.fetching import fetched
from referee import read_entry, read_header
from referee.pictures import shown
from referee.record import parse_record


@click.command()
@click.argument("game")
@folder_option
@access.house_option
@access.passphrase_option
def pictures(game: str, out: Path, house: str | None, passphrase_file: Path | None) -> None:
    """Draw what GAME (a record file, or the id of a game) showed: in Pancake every dish that was served.

    The record is verified first. The pictures are drawn on this machine, from the record alone.
    """
    if Path(game).is_file():
        data = Path(game).read_bytes()
    else:
        with access.at_house(house, passphrase_file) as (_, api):
            data = fetched(api, game)
    must_be_valid(data)
    first, *entries = [read_entry(item) for item in parse_record(data)]
    header = read_header(first)
    found = list(shown(header, entries))
    for each in found:
        write_into(
            out, f"{header.game[:8]}-{each.name}.svg", each.picture.draw().encode(), each.picture.title
        )
    if not found:
        click.echo("There is nothing to draw in this game.")

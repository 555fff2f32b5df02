"""`cloche pictures`: draw what a record shows, as SVG files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.errors import must_be_valid
from cloche.commands.files import folder_option, write_into
from cloche.commands.records.fetching import fetched, meant_game
from referee import read_entry, read_header
from referee.pictures import shown
from referee.record import parse_record


@click.command()
@click.argument("game")
@folder_option
@click.option(
    "--painted", is_flag=True, help="Take the images that the house's painter has made, where it has."
)
@access.house_option
@access.passphrase_option
def pictures(game: str, out: Path, painted: bool, house: str | None, passphrase_file: Path | None) -> None:
    """Draw what GAME (a record file, or the id of a game) showed: in Pancake every dish that was served.

    The record is verified first. The pictures are drawn on this machine, from the record alone.
    """
    if Path(game).is_file():
        if painted:
            raise click.UsageError("--painted is for a game at a house, and this is a file.")
        _write(Path(game).read_bytes(), out, {})
        return
    with meant_game(game, house, passphrase_file) as (_, api, meant):
        data = fetched(api, meant)
        images = {}
        if painted:
            images = {name: api.dish_picture(key) for name, key in api.painted_dishes(meant).items()}
    _write(data, out, images)


def _write(data: bytes, out: Path, images: Mapping[str, tuple[bytes, str]]) -> None:
    """Write the pictures of a record: drawn, or one of these images by the name of the picture."""
    must_be_valid(data)
    first, *entries = [read_entry(item) for item in parse_record(data)]
    header = read_header(first)
    found = list(shown(header, entries))
    for each in found:
        image, ending = images.get(each.name) or (each.picture.draw().encode(), "svg")
        write_into(out, f"{header.game[:8]}-{each.name}.{ending}", image, each.picture.title)
    if not found:
        click.echo("There is nothing to draw in this game.")

"""`cloche pictures` draws what a record shows, `cloche cards picture` draws cards; both write SVG files."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.errors import CommandError, must_be_valid, plain
from cloche.commands.records.fetching import fetched
from referee import read_entry, read_header
from referee.pictures import shown
from referee.record import parse_record

out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("."),
    show_default=True,
    help="The folder for the files; made if it is not there.",
)


@click.command()
@click.argument("game")
@out_option
@access.house_option
@access.passphrase_option
def pictures(game: str, out: Path, house: str | None, passphrase_file: Path | None) -> None:
    """Draw what GAME shows, a record file or the id of a game: in Pancake every dish that was served.

    The record is verified first. The pictures are drawn here, from the record alone.
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
        write(out, f"{header.game[:8]}-{each.name}.svg", each.picture.draw().encode(), each.picture.title)
    if not found:
        click.echo("This game shows nothing in pictures.")


def write(out: Path, name: str, data: bytes, title: str) -> None:
    """Write a picture into a folder, and say so."""
    path = out / name
    try:
        out.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise CommandError("cant_write", f"{path}: {error.strerror}.") from None
    click.echo(f"{path}: {plain(title)}")

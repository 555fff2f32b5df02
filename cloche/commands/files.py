"""Files that commands write, each told in a line."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cloche.commands.errors import CommandError, plain

folder_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("."),
    show_default=True,
    help="The folder for the files. It is made if it does not exist.",
)


def write(path: Path, data: bytes) -> None:
    """Write a file. Raises `CommandError`."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise CommandError("cant_write", f"{path}: {error.strerror}.") from None


def write_out(data: bytes, out: str | None, usual: str) -> None:
    """Write to the file `out`, or `usual` if none is given, and say so; "-" is standard output."""
    if out == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(out or usual)
    write(path, data)
    click.echo(f"{path}: {len(data)} bytes.")


def write_into(folder: Path, name: str, data: bytes, title: str) -> None:
    """Write a file with a title into a folder, and say so."""
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError("cant_write", f"{path}: {error.strerror}.") from None
    write(path, data)
    click.echo(f"{path}: {plain(title)}")

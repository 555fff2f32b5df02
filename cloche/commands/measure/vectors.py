"""`cloche vectors`: the published test vectors, written or checked."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands.errors import CommandError, UnreadableInput
from vectors import files

NAMED = 5
"""Differences of one file that are named, at most."""


@click.command()
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write the vectors into this folder."
)
@click.option(
    "--check",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Compute the vectors again and compare them with the files in this folder.",
)
def vectors(out: Path | None, check: Path | None) -> None:
    """Write the published test vectors, or check a folder of them.

    It exits with 1 where a file differs, 2 where one can't be read.
    """
    if out is not None and check is None:
        click.echo(f"{files.write(out)} files of test vectors are in {out}.")
    elif check is not None and out is None:
        _check(check)
    else:
        raise click.UsageError("Give --out DIR or --check DIR.")


def _check(folder: Path) -> None:
    """Compare all files, print what differs, then raise `CommandError` if anything does."""
    wrong: list[str] = []
    try:
        for group in files.compare(folder):
            state = "differs" if group.differences else "same"
            click.echo(f"{state:8} {group.name} ({group.computed} vectors)")
            wrong += [f"{folder / group.name}.json{where}" for where in group.differences[:NAMED]]
    except files.UnreadableVectors as error:
        raise UnreadableInput("unreadable", str(error)) from None
    if wrong:
        raise CommandError("vectors_differ", "These differ from what is computed here:", tuple(wrong))

"""`cloche backup` copies a house, open or closed; `cloche restore` puts the copy back where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from cloche.commands.house import options
from cloche.commands.words import number
from cloche.operate import backends
from cloche.operate.lock import FileLock, HouseLocked
from service import backup as copies
from service import keys
from service.backup import BackupError
from service.restore import Restored
from service.restore import restore as put_back


@contextmanager
def _bar(words: str) -> Iterator[copies.Progress]:
    """A progress bar on a terminal; elsewhere nothing."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@options.data_option
def backup(folder: Path, data: Path | None) -> None:
    """Copy the house into FOLDER: its tables as they are at one moment, its own formats, its keys.

    The house may be open. FOLDER must be empty; it is made if it does not exist. Anybody who can
    read it can pretend to be the house, so keep it as private as the house's own folder.
    """
    settings = options.settings(data)
    options.keep_private()
    try:
        with _bar("Copying") as progress:
            made = copies.write(settings, folder, version("cloche"), progress)
    except BackupError as fault:
        raise click.ClickException(str(fault)) from None
    for copied in made.files:
        click.echo(f"  {copied.size:>12,}  {copied.name}")
    click.echo(f"{folder}: the house {made.house_key} as of {made.at}.")
    click.echo("It holds the house's secret keys. Keep it private, and away from this machine.")


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--same-moment",
    is_flag=True,
    help="Let running games go on: the house was closed before the backup and has not been opened since.",
)
@options.data_option
def restore(folder: Path, same_moment: bool, data: Path | None) -> None:
    """Put the backup in FOLDER back to where CLOCHE_DATA and CLOCHE_DATABASE say. Both must be empty.

    Games that were running when the backup was made are stopped without a result. With
    --same-moment they go on.
    """
    settings = options.settings(data)
    options.keep_private()
    lock = None
    try:
        lock = FileLock(backends.database_file(settings)) if backends.on_sqlite(settings) else None
        with _bar("Checking") as progress:
            done = put_back(settings, folder, same_moment=same_moment, progress=progress)
    except (BackupError, HouseLocked, OSError) as fault:
        raise click.ClickException(str(fault)) from None
    finally:
        if lock is not None:
            lock.close()
    _tell(done, settings.data, same_moment)


def _tell(done: Restored, data: Path, same_moment: bool) -> None:
    click.echo(
        f"The house {done.manifest.house_key} is back as of {done.manifest.at}; `cloche serve` opens it."
    )
    if done.kept_keys:
        click.echo(f"{data / keys.FILE} was there with all keys of the backup, and was left as it is.")
    if same_moment:
        click.echo("Running games go on.")
    elif done.stopped:
        click.echo(
            f"Stopped without a result: {number(done.stopped, 'running game')}. Records can still be fetched."
        )

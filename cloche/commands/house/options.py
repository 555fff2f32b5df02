"""The parts that the commands of a house share: options, the settings, and errors in one line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from sqlalchemy.exc import SQLAlchemyError

from cloche.operate import backends
from service.config import ConfigError, Settings

data_option = click.option(
    "--data",
    envvar="CLOCHE_DATA",
    type=click.Path(file_okay=False, path_type=Path),
    help="The house's folder: its keys, logs and, by default, its database.  [default: var]",
)
AnyCommand = TypeVar("AnyCommand", bound=Callable[..., Any])


def log_option(name: str) -> Callable[[AnyCommand], AnyCommand]:
    """Add the option for where the process `name` writes its logs; `logs.log_file` reads what is given."""
    return click.option(
        "--log",
        envvar="CLOCHE_LOG",
        metavar="FILE",
        help="The file for logs, as JSON lines; - is standard error."
        f"  [default: log/{name}.log in the data folder]",
    )


def listeners_option(usual: int) -> Callable[[AnyCommand], AnyCommand]:
    """Add the option for the number of event streams that a process serves at once."""
    return click.option(
        "--listeners",
        envvar="CLOCHE_LISTENERS",
        type=click.IntRange(0, 5_000),
        default=usual,
        show_default=True,
        help="The number of event streams that a process serves at once. A player has a quarter at most, and"
        " others are asked to poll.",
    )


def keep_private() -> None:
    """Let nobody else read the files that this process makes: tables and logs show hands and players."""
    os.umask(0o077)


def settings(data: Path | None) -> Settings:
    """The settings from the environment, with the data folder of the command line."""
    environment = dict(os.environ)
    if data is not None:
        environment["CLOCHE_DATA"] = str(data)
    try:
        return Settings.from_environment(environment)
    except ConfigError as fault:
        raise click.ClickException(str(fault)) from None


def require_tables(settings: Settings) -> None:
    """Check that there is a house: a typing error in the folder's name must not make a new one."""
    if backends.on_sqlite(settings) and not backends.database_file(settings).is_file():
        raise click.ClickException(
            f"There is no {backends.database_file(settings)}; `cloche serve` makes it at its first start."
        )


@contextmanager
def database_errors(settings: Settings) -> Iterator[None]:
    """Turn what the database raises into an error of the command line."""
    try:
        yield
    except SQLAlchemyError as fault:
        raise click.ClickException(backends.unusable(settings, fault)) from None

"""What several commands share: reading the settings, and refusing in one clear line."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from service.config import ConfigError, Settings

data_option = click.option(
    "--data",
    envvar="CLOCHE_DATA",
    type=click.Path(file_okay=False, path_type=Path),
    help="The house's folder: its keys, logs and, by default, its database.  [default: var]",
)
Command = TypeVar("Command", bound=Callable[..., Any])


def log_option(name: str) -> Callable[[Command], Command]:
    """Where a process called `name` writes its logs; `log_file` takes what is given."""
    return click.option(
        "--log",
        envvar="CLOCHE_LOG",
        metavar="FILE",
        help="Where logs go, as JSON lines; - is standard error."
        f"  [default: log/{name}.log in the data folder]",
    )


def listeners_option(usual: int) -> Callable[[Command], Command]:
    """How many may listen to events at once."""
    return click.option(
        "--listeners",
        envvar="CLOCHE_LISTENERS",
        type=click.IntRange(0, 5_000),
        default=usual,
        show_default=True,
        help="Streams of events at once by a process; whoever comes later is asked to poll.",
    )


def keep_private() -> None:
    """Let nobody else read the files that this process makes: tables and logs tell of hands and players."""
    os.umask(0o077)


def settings(data: Path | None) -> Settings:
    """The settings of the environment, with the data folder of the command line."""
    environment = dict(os.environ)
    if data is not None:
        environment["CLOCHE_DATA"] = str(data)
    try:
        return Settings.from_environment(environment)
    except ConfigError as fault:
        raise click.ClickException(str(fault)) from None


def log_file(given: str | None, settings: Settings, name: str) -> Path | None:
    """The file for the logs of a process called `name`, or None for standard error."""
    if given == "-":
        return None
    return Path(given) if given else settings.data / "log" / f"{name}.log"


def on_sqlite(settings: Settings) -> bool:
    """Whether the tables are in an SQLite file, which one process at a time may serve."""
    return make_url(settings.database).get_backend_name() == "sqlite"


def database_file(settings: Settings) -> Path:
    """The SQLite file."""
    return Path(make_url(settings.database).database or "")


def require_tables(settings: Settings) -> None:
    """For what looks after a house that there is: a slip in the folder's name must not make another."""
    if on_sqlite(settings) and not database_file(settings).is_file():
        raise click.ClickException(
            f"There is no {database_file(settings)}; `cloche serve` makes it at its first start."
        )


def in_memory(settings: Settings) -> bool:
    """Whether wake-ups stay inside the process."""
    return settings.broker.startswith("memory://")


def cause(fault: SQLAlchemyError) -> str:
    """What the database said, in one line."""
    return str(getattr(fault, "orig", None) or fault).strip().partition("\n")[0]


def shown(url: str) -> str:
    """A URL of a database or broker without its password."""
    return make_url(url).render_as_string(hide_password=True)

"""The bound of a turn under the house's own server: `python -m cloche.commands.measure.bound_server`.

`cloche load --beside` starts it and measures the house beside it. Its arguments are a folder for its files
and the number of its games.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from benchmarks.turns.serving import application, prepare
from cloche.operate import logs, server
from cloche.operate.ports import listen, url_of
from service import keys, migrations
from service.config import UNLIMITED, Settings
from service.db import Database

THREADS, LISTENERS = 12, 1_000


def main(folder: Path, games: int) -> None:
    """Serve so many games of the bound until a signal says to stop."""
    bound = prepare(f"sqlite:///{folder / 'bound.sqlite3'}", games, folder / "games.json")
    bound.close()  # what is open here would be shared with the process that serves
    settings = Settings.from_environment(
        {f"CLOCHE_{name.upper()}": text for name, text in UNLIMITED.items()} | {"CLOCHE_DATA": str(folder)}
    )
    logs.configure(settings.log_level, folder / "server.log")
    database = Database(settings.database)
    migrations.upgrade(database.engine)
    database.dispose()
    keys.load(settings.data)
    listener = listen("127.0.0.1", 0)
    url = url_of(listener)
    server.run(
        server.ServerPlan(
            settings,
            listener,
            1,
            THREADS,
            LISTENERS,
            worker=False,
            opened=lambda: click.echo(f"open at {url}"),
            application=application(bound),
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

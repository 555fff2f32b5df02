"""`cloche events`: a separate process for streams of events, for many listeners."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands.house import options
from cloche.commands.house.worker import await_house, lacks_tables
from cloche.operate import backends, logs, manager
from cloche.operate.fitting import streams_apart
from cloche.operate.ports import listen, url_of
from service.runtime import Runtime

THREADS = 8
"""The number of requests that are answered at once beside the streams: health, refusals, long polls."""


@click.command()
@click.option(
    "--host", envvar="CLOCHE_HOST", default="127.0.0.1", show_default=True, help="Address to listen on."
)
@click.option(
    "--port",
    envvar="CLOCHE_EVENTS_PORT",
    type=click.IntRange(0, 65535),
    default=8041,
    show_default=True,
    help="Port to listen on; 0 chooses a free one.",
)
@options.data_option
@options.listeners_option(1000)
@options.log_option("events")
def events(host: str, port: int, data: Path | None, listeners: int, log: str | None) -> None:
    """Serve streams of events beside the house, for many listeners.

    This process needs the same CLOCHE_DATABASE (PostgreSQL) as the house, but no broker and
    none of the house's keys.
    """
    settings = options.settings(data)
    for text in streams_apart(settings):
        raise click.UsageError(text)
    options.keep_private()
    try:
        logs.configure(settings.log_level, logs.log_file(log, settings, "events"))
        ready = manager.readiness()
        listener = manager.handed_over() or listen(host, port)
    except OSError as fault:
        raise click.ClickException(str(fault)) from None
    house = Runtime.open(settings)
    await_house(lambda: lacks_tables(house))
    house.close()

    # Imported late: gunicorn and the API take a moment, and are not needed where there is no house.
    from cloche.operate import server
    from service.api import STREAMS

    url = url_of(listener)

    def opened() -> None:
        click.echo(f"Events for {backends.shown(settings.database)} at {url}\nCtrl-C stops it.")
        ready()

    server.run(
        server.ServerPlan(
            settings,
            listener,
            processes=1,
            threads=THREADS,
            listeners=listeners,
            worker=False,
            opened=opened,
            resources=STREAMS,
        )
    )

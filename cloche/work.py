"""`cloche worker`: a worker as a process of its own."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from cloche import logs, options
from service import keys, migrations
from service.house import House
from worker.app import Worker
from worker.work import work_of

SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
PATIENCE = 20.0
"""Seconds for the tasks in hand when it is told to stop."""
OPENING = 30.0
"""Seconds to wait for the house to bring its tables up to date, when both are started together."""


@click.command()
@options.data_option
@click.option(
    "--threads",
    envvar="CLOCHE_WORKER_THREADS",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="Tasks done at once. For more processors start more workers.",
)
@options.log_option
def worker(data: Path | None, threads: int, log: str | None) -> None:
    """Run a worker beside the house: rounds, clocks, the house's bots.

    Needs CLOCHE_DATABASE (PostgreSQL) and CLOCHE_BROKER (RabbitMQ or Redis), the
    same as the house's, and the house's own keys in its data folder.
    """
    settings = options.settings(data)
    if options.in_memory(settings) or options.on_sqlite(settings):
        raise click.UsageError(
            "A separate worker needs CLOCHE_DATABASE=postgresql://... and CLOCHE_BROKER=amqp://... or redis://..."
            " (the house's own defaults have their worker inside)."
        )
    options.keep_private()
    try:
        logs.configure(settings.log_level, options.log_file(log, settings, "worker"))
        house = House.open(settings)
        _await(house)
        _ = house.keys
    except (OSError, keys.KeysError) as fault:
        raise click.ClickException(str(fault)) from None

    # Blocked in all threads, so that the signals wait for us below.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    running = Worker(house, work_of(house), threads)
    running.start()
    click.echo(
        f"A worker for {options.shown(settings.database)}, listening on {options.shown(settings.broker)}."
    )
    click.echo("Ctrl-C stops it.")
    signal.sigwait(SIGNALS)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)  # a second one ends it at once
    stopped = running.stop(PATIENCE)
    house.close()
    if not stopped:
        click.echo("A task was still running; it will be done again elsewhere.", err=True)
        sys.exit(1)
    click.echo("The worker has stopped.")


def _await(house: House) -> None:
    """Wait for what `cloche serve` makes: the house's keys and its tables."""
    deadline = time.monotonic() + OPENING
    while (why := _lacks(house)) is not None:
        if time.monotonic() > deadline:
            raise click.ClickException(why)
        time.sleep(0.2)


def _lacks(house: House) -> str | None:
    file = house.settings.data / keys.FILE
    if not file.exists():
        # Made here, it would be another house's: its signatures would not fit the running games.
        return f"There is no {file}; a worker needs the house's own, from where `cloche serve` runs."
    shown = options.shown(house.settings.database)
    try:
        if migrations.current(house.database.engine) == migrations.head():
            return None
    except SQLAlchemyError as fault:
        return f"The database {shown} can't be used: {options.cause(fault)}"
    return f"The database {shown} does not have today's tables; `cloche serve` makes them."

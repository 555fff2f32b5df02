"""`cloche worker`: run a worker as a separate process."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError

from cloche.commands.house import options
from cloche.operate import backends, logs, manager, status
from cloche.operate.fitting import apart
from service import keys, migrations
from service.runtime import Runtime
from worker.app import Worker
from worker.work import work_of

SIGNALS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
PATIENCE = 20.0
"""Seconds that running tasks get when the worker is told to stop."""
OPENING = 30.0
"""Seconds to wait until the house has brought its tables up to date, when both start together."""


@click.command()
@options.data_option
@click.option(
    "--threads",
    envvar="CLOCHE_WORKER_THREADS",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    help="The number of tasks that run at once. For more processors start more workers.",
)
@click.option(
    "--status",
    "status_at",
    envvar="CLOCHE_STATUS",
    metavar="HOST:PORT",
    help="The address where this worker answers /healthz, /readyz and /metrics.  [default: nowhere]",
)
@options.log_option("worker")
def worker(data: Path | None, threads: int, status_at: str | None, log: str | None) -> None:
    """Run a worker beside the house: rounds, clocks, the house's bots.

    A worker needs the same CLOCHE_DATABASE (PostgreSQL) and CLOCHE_BROKER (RabbitMQ or Redis)
    as the house, and the house's keys in its data folder.
    """
    settings = options.settings(data)
    for text in apart(settings):
        raise click.UsageError(text)
    at = None if not status_at else status.address(status_at)
    options.keep_private()
    try:
        logs.configure(settings.log_level, logs.log_file(log, settings, "worker"))
        ready = manager.readiness()
        house = Runtime.open(settings)
        await_house(lambda: _lacks(house))
        _ = house.keys
        work = work_of(house)
    except (OSError, keys.KeysError) as fault:
        raise click.ClickException(str(fault)) from None

    # Blocked in all threads, so that the signals wait for `sigwait` below.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    running = Worker(house, work, threads)
    try:
        shown = None if at is None else status.serve(house, at, lambda: running.alive)
    except OSError as fault:
        raise click.ClickException(f"Can't answer at {status_at}: {fault.strerror}.") from None
    running.start()
    click.echo(
        f"A worker for {backends.shown(settings.database)}, listening on {backends.shown(settings.broker)}."
    )
    if shown is not None:
        click.echo(f"Its health and figures: {status.url(shown)}/metrics")
    click.echo("Ctrl-C stops it.")
    ready()
    signal.sigwait(SIGNALS)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)  # a second signal ends the process at once
    stopped = running.stop(PATIENCE)
    house.close()
    if stopped:
        click.echo("The worker has stopped.")
    else:
        click.echo("A task was still running; another worker will do it again.", err=True)
    if running.busy:
        # Python would wait for a delivery or a picture in hand. What is not committed is undone either way.
        logging.shutdown()
        os._exit(0 if stopped else 1)
    if not stopped:
        sys.exit(1)


def await_house(lacks: Callable[[], str | None]) -> None:
    """Wait for what `cloche serve` makes, until `lacks` returns None; in the end fail with its text."""
    deadline = time.monotonic() + OPENING
    while (why := lacks()) is not None:
        if time.monotonic() > deadline:
            raise click.ClickException(why)
        time.sleep(0.2)


def _lacks(house: Runtime) -> str | None:
    file = house.settings.data / keys.FILE
    if not file.exists():
        # A new file would be another house's: its signatures would not fit the running games.
        return f"There is no {file}; a worker needs a copy of the house's, from where `cloche serve` runs."
    return lacks_tables(house)


def lacks_tables(house: Runtime) -> str | None:
    """Say what is wrong with a house's tables; None if they are up to date."""
    try:
        if migrations.current(house.database.engine) == migrations.head():
            return None
    except SQLAlchemyError as fault:
        return backends.unusable(house.settings, fault)
    shown = backends.shown(house.settings.database)
    return f"The database {shown} does not have today's tables; `cloche serve` makes them."

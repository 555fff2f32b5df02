"""`cloche serve`: the whole house with one command, or its API beside separate workers."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import select

from cloche import logs, options
from cloche.lock import Lock, Locked
from crypto.group import engine
from service import keys, migrations
from service.config import Settings
from service.db import Database
from service.models import Player


@click.command()
@click.option(
    "--host", envvar="CLOCHE_HOST", default="127.0.0.1", show_default=True, help="Address to listen on."
)
@click.option(
    "--port",
    envvar="CLOCHE_PORT",
    type=click.IntRange(0, 65535),
    default=8040,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@options.data_option
@click.option(
    "--worker/--no-worker",
    envvar="CLOCHE_WORKER",
    default=None,
    help="Whether rounds are resolved and clocks kept in here.  [default: yes, unless there is a broker]",
)
@click.option(
    "--threads",
    envvar="CLOCHE_THREADS",
    type=click.IntRange(2, 256),
    default=32,
    show_default=True,
    help="Requests answered at once by a process.",
)
@click.option(
    "--processes",
    envvar="CLOCHE_PROCESSES",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes; more than one needs PostgreSQL.",
)
@options.log_option
@click.option("--new-keys", is_flag=True, help="Go on with new keys where the house's own are lost.")
def serve(
    host: str,
    port: int,
    data: Path | None,
    worker: bool | None,
    threads: int,
    processes: int,
    log: str | None,
    new_keys: bool,
) -> None:
    """Open the house on this machine.

    Without any setting it is all in here: API, worker, database, under ./var.
    CLOCHE_DATABASE and CLOCHE_BROKER name a PostgreSQL and a RabbitMQ or Redis
    instead; then `cloche worker` resolves rounds and keeps the clocks.
    """
    settings = options.settings(data)
    engine()  # an engine that is not there is said now, not to the first player
    inside = options.in_memory(settings) if worker is None else worker
    _check(settings, inside, processes)
    options.keep_private()
    try:
        logs.configure(settings.log_level, options.log_file(log, settings, "serve"))
        lock = Lock(options.database_file(settings)) if options.on_sqlite(settings) else None
        listener = _listen(host, port)
        _prepare(settings, new_keys)
    except (Locked, OSError, keys.KeysError) as fault:
        raise click.ClickException(str(fault)) from None
    url = _url(listener)
    if lock is not None:
        lock.note(url=url)

    # Not before: what it imports is of no use to a house that can't open.
    from cloche import server

    parent = os.getpid()
    try:
        server.run(
            server.Plan(
                settings, listener, processes, threads, inside, opened=lambda: _welcome(url, settings, inside)
            )
        )
    finally:
        if os.getpid() == parent:  # its children end here too
            click.echo("The house is closed.")


def _check(settings: Settings, inside: bool, processes: int) -> None:
    if not inside and options.in_memory(settings):
        raise click.UsageError(
            "Without a worker in here, CLOCHE_BROKER must name a broker for one elsewhere."
        )
    if options.on_sqlite(settings) and (processes > 1 or not inside):
        raise click.UsageError(
            "SQLite is for one process with its worker inside: --processes and --no-worker need"
            " CLOCHE_DATABASE=postgresql://..."
        )


def _listen(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror:
        raise click.ClickException(f"There is no address {host} to listen on.") from None
    family, _, _, _, address = found[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(1024)
    except OSError as fault:
        listener.close()
        if fault.errno == errno.EADDRINUSE:
            why = f"Port {port} on {host} is in use; choose another with --port."
        elif fault.errno == errno.EACCES:
            why = f"Port {port} is not for everybody; choose one above 1023 with --port."
        else:
            why = f"Can't listen on {host}, port {port}: {fault.strerror}."
        raise click.ClickException(why) from None
    return listener


def _prepare(settings: Settings, new_keys: bool) -> None:
    """Bring the tables up to date and see that the house has its keys."""
    shown, file = options.shown(settings.database), settings.data / keys.FILE
    database = Database(settings.database)
    try:
        migrations.upgrade(database.engine)
        lost = not file.exists() and _in_use(database)
    except SQLAlchemyError as fault:
        raise click.ClickException(f"The database {shown} can't be used: {options.cause(fault)}") from None
    finally:
        database.dispose()
    if lost and not new_keys:
        raise click.ClickException(
            f"The database {shown} has been in use, but the house's keys are not at {file}."
            " Put them back from a backup, or from where this house runs already: without them no running"
            " game can be finished. To go on with new ones all the same: --new-keys."
        )
    keys.load(settings.data)


def _in_use(database: Database) -> bool:
    with database.read() as session:
        return session.exec(select(Player.id).limit(1)).first() is not None


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (only shown: an address that works from here)
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _welcome(url: str, settings: Settings, inside: bool) -> None:
    command = os.path.relpath(sys.argv[0]) if os.path.sep in sys.argv[0] else sys.argv[0]
    rows = {
        "API": f"{url}/api/docs",
        "Players": f"{command} register NAME",
        "State": f"{settings.data} (keep a copy of {settings.data / keys.FILE})",
        "Proofs": f"checked by {engine().name}",
    }
    if not inside:
        rows["Rounds"] = f"resolved elsewhere, by {command} worker"
    click.echo(f"\n  {click.style('Cloche is open', bold=True)} at {url}\n")
    for name, text in rows.items():
        click.echo(f"  {click.style(name.ljust(8), dim=True)} {text}")
    click.echo("\n  Ctrl-C closes it.\n")

"""`cloche serve`: the whole house with one command, or its API beside separate workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from cards.catalog import card_sets
from cards.catalog.cards import CatalogError
from cards.decks import formats
from cloche.commands.house import options
from cloche.commands.qr import qr_code
from cloche.operate import backends, certificates, logs, manager, nearby
from cloche.operate.certificates import Certificates
from cloche.operate.fitting import misfits
from cloche.operate.lock import FileLock, HouseLocked, lives
from cloche.operate.ports import listen, url_of
from crypto.group import engine
from service import keys, migrations
from service.config import Settings
from service.db import Database
from service.page import Page

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 (only what is asked for by --tls)
"""The addresses to listen on: this machine alone, or all of its addresses."""


@click.command()
@click.option(
    "--host",
    envvar="CLOCHE_HOST",
    default=None,
    help=f"Address to listen on.  [default: {HERE}; with --tls {EVERYWHERE}]",
)
@click.option(
    "--port",
    envvar="CLOCHE_PORT",
    type=click.IntRange(0, 65535),
    default=8040,
    show_default=True,
    help="Port to listen on; 0 chooses a free one.",
)
@options.data_option
@click.option(
    "--tls",
    envvar="CLOCHE_TLS",
    is_flag=True,
    help="Speak TLS with a certificate of the house's own, for friends on the same network.",
)
@click.option(
    "--worker/--no-worker",
    envvar="CLOCHE_WORKER",
    default=None,
    help="Resolve rounds and keep the clocks in this process too, or leave that to others."
    "  [default: yes, unless there is a broker]",
)
@click.option(
    "--threads",
    envvar="CLOCHE_THREADS",
    type=click.IntRange(2, 256),
    default=12,
    show_default=True,
    help="The number of requests that a process answers at once. Those that wait take no thread.",
)
@options.listeners_option(1000)
@click.option(
    "--processes",
    envvar="CLOCHE_PROCESSES",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="The number of processes that answer requests; more than one needs PostgreSQL.",
)
@options.log_option("serve")
@click.option("--new-keys", is_flag=True, help="Make new keys if the house's own are lost.")
def serve(
    host: str | None,
    port: int,
    data: Path | None,
    tls: bool,
    worker: bool | None,
    threads: int,
    listeners: int,
    processes: int,
    log: str | None,
    new_keys: bool,
) -> None:
    """Open the house on this machine.

    Without any setting this one command is the whole house: API, worker, and a database
    under ./var. CLOCHE_DATABASE and CLOCHE_BROKER can name a PostgreSQL and a RabbitMQ or
    Redis instead; then `cloche worker` resolves rounds and keeps the clocks.
    """
    settings = options.settings(data)
    inside = _check_start(settings, worker, processes)
    options.keep_private()
    host = host or host_of(tls)
    try:
        logs.configure(settings.log_level, logs.log_file(log, settings, "serve"))
        ready, given = manager.readiness(), manager.handed_over()
        if processes > 1 or given is not None:
            _count_together(manager.runtime_folder(settings.data) / "metrics", given is not None)
        lock = FileLock(backends.database_file(settings)) if backends.on_sqlite(settings) else None
        listener = given or listen(host, port)
        trusted = certificates.ensure(settings.data, host) if tls else None
        _prepare(settings, new_keys, inside)
    except (HouseLocked, OSError, keys.KeysError, CatalogError, migrations.TablesInUse) as fault:
        raise click.ClickException(str(fault)) from None
    at = listener.getsockname()
    url, near = url_of(listener, tls), nearby.urls(at[0], at[1], tls)
    if lock is not None:
        lock.note(url=url)

    # Imported late: gunicorn and the API take a moment, and are not needed if the house can't open.
    from cloche.operate import server
    from service.app import create_app

    page, parent = Page.built(), os.getpid()
    try:
        server.run(
            server.ServerPlan(
                settings,
                listener,
                processes,
                threads,
                listeners,
                inside,
                opened=partial(_welcome, url, near, settings, inside, ready, page, trusted),
                application=partial(create_app, page=page, authority=trusted.der if trusted else None),
                certificate=partial(_certificate, settings.data, host) if tls else None,
            )
        )
    finally:
        if os.getpid() == parent:  # gunicorn's children leave through here too
            click.echo("The house is closed.")


def _check_start(settings: Settings, worker: bool | None, processes: int) -> bool:
    """Refuse settings that don't go together; returns whether the worker runs inside this process.

    It fails for a missing curve engine too, which would otherwise show at the first player's proof.
    """
    engine()
    inside = backends.in_memory(settings) if worker is None else worker
    for text in misfits(settings, inside, processes):
        raise click.UsageError(text)
    return inside


def _count_together(folder: Path, beside_others: bool) -> None:
    """Have the processes count their figures together, in files of a folder.

    It lies beside the data: processes that count in files on a full disk would die at their next count.
    It is emptied, but for the files of other processes that run, where there may be some. The figures look
    for the folder at their import, and every operation imports them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.db"):
        pid = file.stem.rpartition("_")[2]
        if not (beside_others and pid.isdecimal() and lives(int(pid))):
            file.unlink(missing_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def _prepare(settings: Settings, new_keys: bool, inside: bool) -> None:
    """Bring the tables up to date, and check that the house has its keys and usable formats."""
    # Both import the metrics, so only after `_count_together`.
    from service.operations import upkeep
    from worker import keyring

    shown, file = backends.shown(settings.database), settings.data / keys.FILE
    database = Database(settings.database)
    try:
        with options.database_errors(settings):
            migrations.upgrade(database.engine)
            with database.read() as session:
                lost = not file.exists() and upkeep.in_use(session)
    finally:
        database.dispose()
    if lost and not new_keys:
        raise click.ClickException(
            f"The database {shown} has been in use, but the house's keys are not at {file}."
            " Put them back from a backup, or copy them from where this house runs already: without them no"
            " running game can be finished. To go on with new keys all the same, use --new-keys."
        )
    keys.load(settings.data)
    formats.of_house(card_sets.load(), settings.own_formats)
    if inside:
        keyring.load(settings.data)


def host_of(tls: bool) -> str:
    """The address to listen on where none is given: friends on the network reach a house with TLS."""
    return EVERYWHERE if tls else HERE


def _certificate(data: Path, host: str) -> Path:
    """The file of the house's certificate, made new where needed."""
    return certificates.ensure(data, host).house


def _welcome(
    url: str,
    near: Sequence[str],
    settings: Settings,
    inside: bool,
    ready: Callable[[], None],
    page: Page | None,
    trusted: Certificates | None,
) -> None:
    """Tell the operator and the service manager that the house is open.

    `near` are the addresses for other machines, and `trusted` what they must trust.
    """
    command = os.path.relpath(sys.argv[0]) if os.path.sep in sys.argv[0] else sys.argv[0]
    rows = {
        "Page": f"{url}/" if page is not None else "not built: this needs Node.js 20 (docs/web.md)",
        "API": f"{url}/api/docs",
        "Players": f"{command} register NAME",
        "State": f"{settings.data} (keep a copy of {settings.data / keys.FILE})",
        "Proofs": f"checked by {engine().name}",
    }
    if not inside:
        rows["Rounds"] = f"resolved elsewhere, by {command} worker"
    if near:
        rows["Friends"] = "  ".join(near)
    if trusted is not None:
        rows["Trust"] = f"{trusted.authority}, whose SHA-256 fingerprint is"
        rows[""] = trusted.fingerprint
    click.echo(f"\n  {click.style('Cloche is open', bold=True)} at {url}\n")
    for name, text in rows.items():
        click.echo(f"  {click.style(name.ljust(8), dim=True)} {text}")
    if near and sys.stdout.isatty():
        click.echo(f"\n{qr_code(near[0])}")
    if trusted is not None:
        click.echo("\n  A browser warns until it trusts that file: docs/operating.md says what this means.")
    click.echo("\n  Ctrl-C closes it.\n")
    ready()

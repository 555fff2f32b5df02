"""`cloche keys`: show the house's keys, or make new ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from cloche.commands.groups import CommandGroup
from cloche.commands.house import options
from cloche.commands.house.on_chain import on_chain
from cloche.operate import backends, logs
from crypto.encoding import b64, timestamp
from service import keys as files
from service import migrations
from service.config import Settings
from service.keys import KeyGenerations, KeysError
from service.operations import envelopes
from service.runtime import Runtime
from worker import keyring


@click.group(cls=CommandGroup)
def keys() -> None:
    """Show the house's keys, or make new ones.

    Run this on the machine that has the house's folder.
    """


@keys.command()
@options.data_option
def show(data: Path | None) -> None:
    """Show the public keys, since when each signs, and which file holds the private ones."""
    settings = options.settings(data)
    path = settings.data / files.FILE
    house_keys = _read(path)
    followed = {item.old for item in house_keys.successions}
    for generation in reversed(house_keys.generations):
        since = "the first start" if generation.since is None else timestamp(generation.since)
        word = "signs new games" if generation is house_keys.newest else "finishes the games that name it"
        if generation is not house_keys.newest and generation.public not in followed:
            word += "; nothing leads from it to the next"
        click.echo(f"{b64(generation.public)}  since {since}  {word}")
    click.echo(f"\n{path}")
    _show_envelope(settings.data / keyring.FILE)


def _show_envelope(path: Path) -> None:
    if not path.exists():
        return
    try:
        newest = keyring.read(path).newest
    except OSError as fault:
        raise click.ClickException(f"{path}: {fault.strerror}.") from None
    except KeysError as fault:
        raise click.ClickException(f"{fault}.") from None
    click.echo(f"{path}: envelopes go to {'nobody' if newest is None else b64(newest)}")


@keys.command()
@click.option(
    "--no-succession",
    is_flag=True,
    help="The old key was stolen: publish no statement that the new key follows it.",
)
@options.data_option
def rotate(no_succession: bool, data: Path | None) -> None:
    """Make new keys for all games that begin from now on.

    Running games go on with the keys they began with. An open house picks up the new keys
    by itself. If other machines have copies of the file, copy it there next. A new key for
    envelopes is made too, if its file lies in the same folder. If the command fails, the
    house's keys are the old ones: run it again.
    """
    settings = options.settings(data)
    options.keep_private()
    path = settings.data / files.FILE
    before = _read(path)
    # The house's keys come last. If anything fails until then, they are the old ones, and a second call does
    # it all. Another key for envelopes does no harm, while another generation of the house's keys would.
    if (settings.data / keyring.FILE).exists():
        _renew(settings)
    try:
        house_keys = files.rotate(settings.data, succession=not no_succession)
    except KeysError as fault:
        raise click.ClickException(str(fault)) from None
    click.echo(f"New games are signed by {b64(house_keys.newest.public)}.")
    if no_succession:
        click.echo(
            f"Nothing leads there from {b64(before.newest.public)}. Every player's client refuses the"
            " house until its player has run\n"
            f"  cloche trust {b64(house_keys.newest.public)}\n"
            "Tell the players this key in a way that nobody else can use in your name."
        )
    else:
        click.echo(f"{b64(before.newest.public)} vouches for it, so players' clients follow by themselves.")
    for line in _next(settings, path):
        click.echo(line)


@keys.command()
@options.data_option
def envelope(data: Path | None) -> None:
    """Make a new key for envelopes, for all games that begin from now on.

    Run this on the machine that has a worker's folder. Running games keep the key they began
    with, and so does the file. Workers pick up the new key by themselves.
    """
    settings = options.settings(data)
    options.keep_private()
    _renew(settings)
    path = settings.data / keyring.FILE
    click.echo(f"Copy {path} to every worker that does not share this folder, and make a backup.")


def _renew(settings: Settings) -> None:
    """Make a key for envelopes, and have new games name it. Nothing is made without today's tables."""
    options.require_tables(settings)
    logs.configure("warning", None)
    house = Runtime.open(settings)
    try:
        with options.database_errors(settings):
            found = migrations.current(house.database.engine)
        if found != migrations.head():
            shown = backends.shown(settings.database)
            raise click.ClickException(f"{shown} does not have today's tables; `cloche serve` makes them.")
        key = keyring.add(settings.data)
        with options.database_errors(settings):
            envelopes.publish(house, key)
    except KeysError as fault:
        raise click.ClickException(str(fault)) from None
    finally:
        house.close()
    click.echo(f"Envelopes of new games are for the key {b64(key)}.")


def _next(settings: Settings, path: Path) -> Sequence[str]:
    lines = ["An open house has picked it up already; you need not restart anything."]
    if not backends.on_sqlite(settings):
        lines.append(f"Copy {path} to every machine that does not share this folder.")
    lines.append("Make a backup: without these keys the games that begin now can't be finished.")
    return lines


def _read(path: Path) -> KeyGenerations:
    try:
        return files.read(path)
    except FileNotFoundError:
        raise click.ClickException(
            f"There is no {path}; `cloche serve` makes it at its first start."
        ) from None
    except OSError as fault:
        raise click.ClickException(f"{path}: {fault.strerror}.") from None
    except KeysError as fault:
        raise click.ClickException(f"{fault}.") from None


keys.add_command(on_chain)

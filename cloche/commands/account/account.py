"""`cloche account`: what a player does with the whole account."""

from __future__ import annotations

from pathlib import Path

import click

from client.leaving import leave
from cloche.commands import access
from cloche.commands.errors import CommandError, plain
from cloche.commands.groups import CommandGroup
from cloche.commands.words import number


@click.group(cls=CommandGroup)
def account() -> None:
    """Take another handle, export what the house keeps about you, or leave it."""


@account.command()
@click.argument("handle")
@access.passphrase_option
def rename(handle: str, passphrase_file: Path | None) -> None:
    """Take HANDLE as your name from now on.

    For 90 days your former name is shown with it, leads to you, and is nobody else's to take. In games
    and records you keep the name under which you played them. You can take another name after 30 days.
    """
    with access.signed_in(passphrase_file) as (vault, api):
        before, shown = vault.identity.handle, api.rename(handle)
        vault.rename(shown["handle"])
    click.echo(f"You are {plain(shown['handle'])} from now on, and no longer {plain(before)}.")


@account.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@access.passphrase_option
def export(file: Path, passphrase_file: Path | None) -> None:
    """Write everything that the house keeps about you to FILE, as a ZIP archive.

    It has a JSON file for each table of the house's database, and the records of your games.
    """
    with access.signed_in(passphrase_file) as (_, api):
        if file.exists():
            raise CommandError("file_exists", f"{file} is there already.")
        data = api.export()
        file.write_bytes(data)
    click.echo(f"{file}: {len(data):,} bytes.")


@account.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@access.passphrase_option
def delete(yes: bool, passphrase_file: Path | None) -> None:
    """Delete your account at the house for ever.

    You resign from running games. Where that is not possible, you lose them by the clock. Open offers
    close; your decks, boosters, coins and copies are gone for you. Signed records keep your key and the
    name under which you played them. Nobody can undo this.
    """
    with access.signed_in(passphrase_file) as (vault, api):
        who = vault.identity
        if not yes:
            text = f"Delete {plain(who.handle)} at {who.house} for ever? Type the name"
            if click.prompt(text, err=True).casefold() != who.handle.casefold():
                raise CommandError("not_sure", "That is not the name. Nothing was deleted.")
        left = leave(api, vault)
    if left:
        click.echo(f"You could not resign from {number(left, 'game')}: the clock ends your part.")
    click.echo(f"Your account is deleted. {vault.path} still has your key: delete it when you like.")

"""`cloche register`: become a player of a house."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from client.http import Api
from client.vault import FILE, Vault
from cloche.commands import access
from cloche.commands.access import HOUSE
from cloche.commands.errors import CommandError, command_errors, plain
from cloche.commands.fitting import echo
from cloche.commands.words import number
from crypto.encoding import b64
from crypto.identity import new_private_key
from player.house import ApiProblem
from player.vault_format import Identity


@click.command()
@click.argument("handle")
@access.house_option
@click.option("--starter", metavar="SLUG", help="Your starter deck.  [default: you are asked]")
@click.option(
    "--backup",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file for the backup of your key.  [default: beside your own file]",
)
@click.option(
    "--password-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file whose first line is your password for the house.  [default: a random password]",
)
@access.passphrase_option
def register(
    handle: str,
    house: str | None,
    starter: str | None,
    backup: Path | None,
    password_file: Path | None,
    passphrase_file: Path | None,
) -> None:
    """Become a player: make a key, register the name HANDLE at a house, get a starter deck.

    One file under CLOCHE_HOME (or ~/.config/cloche) holds your key and the secrets of your
    matches, encrypted with your passphrase. They never leave this machine.

    `cloche account delete` ends an account. Signed records of games keep your key, and the name under
    which you played them, for ever.
    """
    with command_errors(), access.reach(house or HOUSE) as api:
        known = api.house()
        path = access.vault_path()
        vault = _unfinished(path, handle, passphrase_file) if path.exists() else None
        starters = api.starters()
        chosen = _starter(starters, starter)
        if vault is None:
            password = _password(password_file)
            identity = Identity(handle, api.url, known.key, new_private_key(), password)
            vault = Vault.create(path, access.passphrase(passphrase_file, new=True), identity, access.cost())
        _register(api, vault, None if chosen is None else chosen["slug"])
        backup = backup or path.with_name(f"{path.stem}-backup-{handle}.json")
        vault.back_up(backup)
        boosters = len(list(api.boosters()))
        _welcome(vault, chosen, boosters, backup)


def _unfinished(path: Path, handle: str, passphrase_file: Path | None) -> Vault:
    """Open the vault that exists already, if its registration was interrupted; else raise `CommandError`."""
    vault = Vault.open(path, access.passphrase(passphrase_file))
    if vault.identity.token is not None or vault.identity.handle != handle:
        text = f"{path} is {vault.identity.handle}'s; set CLOCHE_HOME to another folder for a second player."
        raise CommandError("file_exists", text)
    return vault


def _password(file: Path | None) -> str:
    lines = file.read_text().splitlines() if file is not None else [secrets.token_urlsafe(24)]
    if not lines or not lines[0]:
        raise click.UsageError("The password is empty.")
    return lines[0]


def _starter(starters: list[dict[str, Any]], given: str | None) -> dict[str, Any] | None:
    """The chosen starter deck; None if the house has none."""
    slugs = [starter["slug"] for starter in starters]
    if not slugs and given is None:
        return None
    if given is None and sys.stdin.isatty():
        table = Table(box=None, pad_edge=False, show_header=False)
        for starter in starters:
            table.add_row(*(Text(plain(starter[name])) for name in ("slug", "name", "text")))
        Console(stderr=True).print(table)
        given = click.prompt("Starter deck", type=click.Choice(slugs), default=slugs[0], err=True)
    if given is None:
        given = slugs[0]
    if given not in slugs:
        there = ", ".join(slugs) or "none"
        raise CommandError("unknown_starter", f"There is no starter deck {given}; there are {there}.")
    return starters[slugs.index(given)]


def _register(api: Api, vault: Vault, starter: str | None) -> None:
    """Register with the key in the vault. If an earlier attempt arrived, it is found again."""
    identity = vault.identity
    try:
        api.register(identity.handle, identity.password, identity.private, identity.house_key, starter)
    except ApiProblem as problem:
        try:
            access.renew(vault, api)
        except ApiProblem:
            if problem.status in (400, 409, 422):
                vault.path.unlink()  # the vault is nobody's: the house has refused this handle or password
            raise problem from None
        return
    access.renew(vault, api)


def _welcome(vault: Vault, starter: dict[str, Any] | None, boosters: int, backup: Path) -> None:
    identity = vault.identity
    deck = "" if starter is None else f" with {plain(starter['name'])}"
    echo(f"Welcome, {identity.handle}. You are registered at {identity.house}{deck}.")
    click.echo(f"  Your key    {b64(identity.public)}")
    click.echo(f"  The house's {b64(identity.house_key)}")
    click.echo(f"  Your file   {vault.path}")
    click.echo(f"  Its backup  {backup}")
    if boosters:
        word = number(boosters, "welcome booster")
        echo(f"\nThe house gives you {word}: `cloche boosters open --all`. The copies stay yours.")
    echo(
        "\nCopy the backup to another place now. Nobody, not even the house, can restore your key or your"
        f" passphrase: without either nobody can play as {identity.handle} any more. If you lose your file,"
        f" put the backup back as {FILE}. The backup does not have the secrets of running matches: without"
        " your file you lose those matches by the clock."
    )

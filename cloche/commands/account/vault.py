"""`cloche vault`: take a player's vault to another device."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from client.vault import Vault, check_file
from cloche.commands import access
from cloche.commands.errors import CommandError, command_errors
from cloche.commands.groups import CommandGroup
from player.vault_format import VaultError


@click.group(cls=CommandGroup)
def vault() -> None:
    """Take your file of keys and secrets to another device."""


@vault.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@access.passphrase_option
def export(file: Path, passphrase_file: Path | None) -> None:
    """Write your key and the secrets of your running games to FILE, encrypted under your passphrase."""
    with command_errors():
        held = access.open_vault(passphrase_file)
        held.export(file)
    count = len(held.contents.games)
    click.echo(f"{file}: {held.identity.handle}'s key and {_games(count)}.")
    click.echo("Anybody with this file and your passphrase can play as you. Delete it after the import.")


@vault.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@access.passphrase_option
@click.option(
    "--from-passphrase-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with the passphrase of FILE, if that is another one.",
)
def import_(file: Path, passphrase_file: Path | None, from_passphrase_file: Path | None) -> None:
    """Import FILE, which `cloche vault export` wrote on another device.

    If you have no file yet, FILE becomes yours. Otherwise its games are added to your file; of a
    game in both, the secrets of the later seal stay.
    """
    with command_errors():
        check_file(file)
        path = access.vault_path()
        word = access.passphrase(passphrase_file)
        if not path.exists():
            theirs = Vault.open(file, word)
            theirs.export(path)
            count = len(theirs.contents.games)
            click.echo(f"{path}: {theirs.identity.handle}'s key and {_games(count)}.")
            return
        ours = Vault.open(path, word)
        theirs = _theirs(file, word, from_passphrase_file)
        taken = ours.take_in(theirs.contents)
    click.echo(f"{path}: {_games(len(taken))} added.")


def _theirs(file: Path, word: str, from_passphrase_file: Path | None) -> Vault:
    """Open the other vault, with the passphrase given for it, or our own, or one that the player types."""
    if from_passphrase_file is not None:
        return Vault.open(file, access.passphrase(from_passphrase_file))
    try:
        return Vault.open(file, word)
    except VaultError as fault:
        if fault.code != "cant_open" or not sys.stdin.isatty():
            raise
    given = click.prompt(f"Passphrase of {file}", hide_input=True, err=True)
    if not given:
        raise CommandError("cant_open", "The passphrase is empty.")
    return Vault.open(file, given)


def _games(count: int) -> str:
    return {0: "no running game", 1: "one running game"}.get(count, f"{count} running games")

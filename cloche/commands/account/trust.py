"""`cloche trust`: a player takes another key for the house's."""

from __future__ import annotations

from pathlib import Path

import click

from cloche.commands import access
from cloche.commands.errors import command_errors
from crypto.encoding import EncodingError, b64, unb64
from crypto.identity import check_public_key


@click.command(context_settings={"ignore_unknown_options": True})  # a key may begin with a hyphen
@click.argument("key")
@access.passphrase_option
def trust(key: str, passphrase_file: Path | None) -> None:
    """Know the house by KEY from now on: when its old key was stolen, and nothing leads from it to the new.

    Have KEY confirmed by whoever runs the house, by a way on which nobody else can speak:
    whoever makes you take a wrong one can be the house for you. Games that you have begun
    go on with the key that they name.
    """
    try:
        public = unb64(key, 32)
        check_public_key(public)
    except EncodingError as error:
        raise click.BadParameter(f"is no key: {error}.", param_hint="KEY") from None
    with command_errors():
        vault = access.open_vault(passphrase_file)
        before = vault.identity.house_key
        if public == before:
            click.echo("That is the key that you trust already.")
            return
        vault.trust(public)
    click.echo(f"You trust {b64(public)} for {vault.identity.house} from now on.")
    click.echo(f"No longer {b64(before)}, but in games that you have begun.")

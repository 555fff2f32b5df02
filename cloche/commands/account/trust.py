"""`cloche trust`: a player trusts another key of the house."""

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
    """Trust KEY as the house's key from now on: its old key was stolen, and does not vouch for the new one.

    Have the operator of the house confirm KEY in a way that nobody else can use in the operator's
    name. A person who makes you trust a wrong key can pretend to be the house. Games that you have
    begun go on with the key that they name.
    """
    try:
        public = unb64(key, 32)
        check_public_key(public)
    except EncodingError as error:
        raise click.BadParameter(f"this is not a key: {error}.", param_hint="KEY") from None
    with command_errors():
        vault = access.open_vault(passphrase_file)
        before = vault.identity.house_key
        if public == before:
            click.echo("You trust this key already.")
            return
        vault.trust(public)
    click.echo(f"You trust {b64(public)} for {vault.identity.house} from now on.")
    click.echo(f"You no longer trust {b64(before)}, except in games that you have begun.")

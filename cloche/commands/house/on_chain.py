"""`cloche keys on-chain`: have a house's contract of prizes take its newest key."""

from __future__ import annotations

import json
from pathlib import Path

import click

from chain import prizes
from cloche.commands.errors import CommandError, UnreadableInput
from cloche.commands.house import options
from crypto.encoding import EncodingError, b64, unb64
from referee.on_chain import Place, address, house_on_chain, signed
from service import keys as files
from service.keys import KeyGenerations, Keys, KeysError, UnknownKey


@click.command("on-chain")
@click.option(
    "--from",
    "old",
    metavar="KEY",
    help="The key that stands in the contract, base64url.  [default: the one before the newest]",
)
@options.data_option
def on_chain(old: str | None, data: Path | None) -> None:
    """Print the transaction by which the house's contract of prizes takes its newest key.

    Run this on the machine that has the house's folder. The old key signs, which `house.json` still has.
    """
    settings = options.settings(data)
    if not settings.chain_id or not settings.chain_prizes:
        raise CommandError("no_prizes", "Set CLOCHE_CHAIN_ID and CLOCHE_CHAIN_PRIZES first.")
    generations = _keys(settings.data / files.FILE)
    before, newest = _former(generations, old), generations.newest
    place = Place(settings.chain_id, address(settings.chain_prizes))
    digest = house_on_chain(place, newest.public)
    signature = signed(before.signing_key, digest)
    click.echo(f"From {b64(before.public)} to {b64(newest.public)}. Nothing undoes this.", err=True)
    click.echo(json.dumps(prizes.succeeded(place, before.public, newest.public, signature)))


def _keys(path: Path) -> KeyGenerations:
    try:
        return files.read(path)
    except OSError as fault:
        raise UnreadableInput("unreadable", f"{path}: {fault.strerror}.") from None
    except KeysError as fault:
        raise UnreadableInput("unreadable", f"{fault}.") from None


def _former(generations: KeyGenerations, old: str | None) -> Keys:
    """The generation that signs; raises `CommandError`."""
    former = generations.generations[:-1]
    if not former:
        raise CommandError("no_new_key", "This house has had one key only.")
    if old is None:
        return former[-1]
    try:
        found = generations.of(unb64(old, 32))
    except (EncodingError, UnknownKey) as fault:
        raise CommandError("unknown_key", f"{fault}.") from None
    if found is generations.newest:
        raise CommandError("no_new_key", "This is the newest key already.")
    return found

"""`cloche keys on-chain`: have a house's contracts take its newest key."""

from __future__ import annotations

import json
from pathlib import Path

import click

from chain.house import succeeded
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
    """Print the transactions by which the house's contracts take its newest key, a line each.

    Run this on the machine that has the house's folder. The old key signs, which `house.json` still has.
    """
    settings = options.settings(data)
    named = {"pantry": settings.chain_pantry, "prizes": settings.chain_prizes}
    places = {name: Place(settings.chain_id, address(it)) for name, it in named.items() if it}
    if not settings.chain_id or not places:
        raise CommandError(
            "no_contract", "Set CLOCHE_CHAIN_ID, and CLOCHE_CHAIN_PRIZES or CLOCHE_CHAIN_PANTRY, first."
        )
    generations = _keys(settings.data / files.FILE)
    before, newest = _former(generations, old), generations.newest
    click.echo(f"From {b64(before.public)} to {b64(newest.public)}. Nothing undoes this.", err=True)
    for name, place in places.items():
        signature = signed(before.signing_key, house_on_chain(place, newest.public))
        click.echo(json.dumps(succeeded(name, place, before.public, newest.public, signature)))


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

"""`cloche chain deploy` and `succeed`: transactions that an operator has a wallet send for the house."""

from __future__ import annotations

import json
from pathlib import Path

import click

from chain import prizes
from chain.contracts import artifacts
from chain.deploying import placed
from cloche.commands import access
from cloche.commands.errors import CommandError, UnreadableInput
from cloche.commands.house import options
from crypto.encoding import EncodingError, b64, unb64
from referee.on_chain import Place, address, house_on_chain, signed
from service import keys as files
from service.keys import KeyGenerations, Keys, KeysError, UnknownKey

DEPLOYING = 1_300_000
"""The gas to give the deployment; docs/chain.md has what it takes."""


@click.command()
@click.option("--chain-id", type=click.IntRange(1), required=True, help="The number of the chain.")
@access.house_option
@access.passphrase_option
def deploy(chain_id: int, house: str | None, passphrase_file: Path | None) -> None:
    """Print the transaction that deploys a contract of prizes for a house.

    The house's key stands in the contract. `papers` must lie on the chain before (`cloche chain contracts`).
    """
    with access.at_house(house, passphrase_file) as (_, api):
        key = api.house().key
    data = artifacts()["prizes"].creation(placed()["papers"].address, key)
    given = {"chainId": hex(chain_id), "value": "0x0", "gas": hex(DEPLOYING), "data": "0x" + data.hex()}
    click.echo(json.dumps(given))


@click.command()
@click.option(
    "--from",
    "old",
    metavar="KEY",
    help="The key that stands in the contract, base64url.  [default: the one before the newest]",
)
@options.data_option
def succeed(old: str | None, data: Path | None) -> None:
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

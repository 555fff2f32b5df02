"""`cloche chain out`, `statement`, `back`: copies leave as tokens and come back, by any wallet."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from chain import pantry
from client.http import Api
from client.outside import certified, checked_statement
from cloche.commands import access
from cloche.commands.chain.prizes import checked_address, house_contract, octets
from cloche.commands.errors import plain
from player.house import HouseFault
from referee.on_chain import Place, checksummed

PUBLIC = (
    "The wallet and the tokens are public for ever, and so is the player to whom a token comes back. Nothing"
    " undoes a token that went to a wrong wallet. Nothing here has been audited."
)


@click.command()
@click.argument("copies", nargs=-1, required=True)
@click.option(
    "--to", "receiver", callback=checked_address, required=True, help="The wallet that gets the tokens."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@access.passphrase_option
def out(copies: Sequence[str], receiver: bytes, yes: bool, passphrase_file: Path | None) -> None:
    """Let COPIES of yours out of the house, and print the transaction that makes tokens of them.

    COPIES are ids (`cloche collection copies`), up to 60 that are free and not bound. Any wallet can send the
    transaction within 23 hours. If nobody does, the copies are free again.
    """
    with access.signed_in(passphrase_file) as (_, api):
        place = house_contract(api, "pantry")
        click.echo(PUBLIC, err=True)
        if not yes:
            text = f"Let {len(copies)} out for {checksummed(receiver)}?"
            click.confirm(text, abort=True, err=True)
        found = api.let_out(copies, checksummed(receiver))
        given = brought_out(api, place, found)
        if [trip["copy"] for trip in found["copies"]] != [*copies] or found["to"] != checksummed(receiver):
            raise HouseFault("wrong_statement", "it has signed another statement than was asked for", found)
        _certify(api, found)
    click.echo(
        f"This is statement {plain(found['id'])}, which holds until {_when(found['until'])}.", err=True
    )
    click.echo(json.dumps(given))


@click.command()
@click.argument("statement_id", metavar="STATEMENT")
@access.passphrase_option
def statement(statement_id: str, passphrase_file: Path | None) -> None:
    """Show what has become of the copies of STATEMENT, and print its transaction again while it holds."""
    with access.signed_in(passphrase_file) as (_, api):
        found = api.statement(statement_id)
        given = brought_out(api, house_contract(api, "pantry"), found)
        _certify(api, found)
    for trip in found["copies"]:
        copy, token, state = (plain(trip[name]) for name in ("copy", "token", "state"))
        click.echo(f"{copy}  {state:7}  token 0x{token}, trip {trip['trip']}", err=True)
    if found["until"] > time.time() and any(trip["state"] == "leaving" for trip in found["copies"]):
        click.echo(json.dumps(given))


@click.command()
@click.argument("token", callback=lambda ctx, param, value: octets(32, value))
@access.passphrase_option
def back(token: bytes, passphrase_file: Path | None) -> None:
    """Print the transaction that burns TOKEN, so that the house gives its copy to you.

    TOKEN is 0x and 64 hexadecimal digits. The wallet that owns it sends the transaction. The copy is yours
    once the block is final.
    """
    with access.signed_in(passphrase_file) as (_, api):
        place, player = house_contract(api, "pantry"), str(api.me()["id"])
    click.echo(PUBLIC, err=True)
    click.echo(json.dumps(pantry.taken_back(place, token, player)))


def brought_out(api: Api, place: Place, found: Mapping[str, Any]) -> dict[str, str]:
    """The transaction of a statement, whose signature is checked; raises `HouseFault`."""
    key = api.house().key
    stated = checked_statement(found, place, key)
    return pantry.brought_out(place, stated.receiver, stated.until, stated.tokens, key, stated.signature)


def _certify(api: Api, found: Mapping[str, Any]) -> None:
    """Check that each token of a statement is that of its copy; raises `HouseFault`."""
    key = api.house().key
    for trip in found["copies"]:
        certified(api, trip, key)


def _when(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))

"""`cloche chain prize`, `agree`, `word`, `settle`, `withdraw`: transactions for pots, for any wallet."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from chain import prizes
from client.http import Api
from client.outside import CONTRACTS, contract
from cloche.commands import access
from cloche.commands.errors import CommandError
from cloche.commands.records.fetching import fetched, meant_game
from crypto.encoding import EncodingError, b64, unb64
from crypto.identity import verify
from player.house import HouseFault
from referee import parse_record, read_entry, verify_record
from referee.on_chain import Place, address, settlement

PUBLIC = "A pot's wallets and the game's id are public for ever. Nothing here has been audited."
WINNERS = {"nobody": 0, "first": 1, "second": 2, "both": 3}


def checked_address(ctx: click.Context, param: click.Parameter, value: str) -> bytes:
    """An address with its checksum, as 20 bytes."""
    try:
        return address(value)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def octets(size: int, value: str) -> bytes:
    """So many bytes from hexadecimal digits, with or without 0x; raises `click.BadParameter`."""
    try:
        found = bytes.fromhex(value.removeprefix("0x"))
    except ValueError:
        found = b""
    if len(found) != size:
        raise click.BadParameter(f"must be 0x and {2 * size} hexadecimal digits.")
    return found


pot_argument = click.argument("pot", callback=lambda ctx, param, value: octets(32, value))


def house_contract(api: Api, name: str = "prizes") -> Place:
    """The house's contract of this name, "prizes" or "pantry"; raises `CommandError` if it has none."""
    found = contract(api, name)
    if found is None:
        raise CommandError(f"no_{name}", f"This house has no {CONTRACTS[name]} on a chain.")
    return found


def _printed(given: Any) -> None:
    click.echo(json.dumps(given))


@click.command()
@click.argument("game")
@click.option("--first", callback=checked_address, required=True, help="The wallet of the game's seat 0.")
@click.option("--second", callback=checked_address, required=True, help="The wallet of seat 1.")
@click.option("--wei", type=click.IntRange(1), required=True, help="The prize, in wei.")
@click.option(
    "--days",
    type=click.IntRange(1, 59),
    default=30,
    show_default=True,
    help="Days by which the house must have given its word; else the prize goes back.",
)
@access.house_option
@access.passphrase_option
def prize(
    game: str,
    first: bytes,
    second: bytes,
    wei: int,
    days: int,
    house: str | None,
    passphrase_file: Path | None,
) -> None:
    """Print the transaction that opens a pot on GAME.

    Any wallet can send it, and is the pot's sponsor. GAME is as for `cloche record`.
    """
    if first == second:
        raise click.UsageError("The two wallets must differ.")
    with meant_game(game, house, passphrase_file) as (_, api, game):
        place = house_contract(api)
    click.echo(PUBLIC, err=True)
    _printed(prizes.opened(place, game, (first, second), int(time.time()) + days * 86_400, wei))


@click.command()
@pot_argument
@click.option("--winners", type=click.Choice([*WINNERS]), required=True, help="The seats that are paid.")
@click.option(
    "--signature",
    "signatures",
    callback=lambda ctx, param, values: [octets(65, value) for value in values],
    multiple=True,
    help="A wallet's signature; give both, that of seat 0 first.",
)
@access.house_option
@access.passphrase_option
def agree(
    pot: bytes, winners: str, signatures: Sequence[bytes], house: str | None, passphrase_file: Path | None
) -> None:
    """Print what both wallets sign to agree on POT; with both signatures, the transaction that pays it."""
    if len(signatures) not in (0, 2):
        raise click.UsageError("Give both signatures, or none.")
    with access.at_house(house, passphrase_file) as (_, api):
        place = house_contract(api)
    if signatures:
        _printed(prizes.agreed(place, pot, WINNERS[winners], signatures))
    else:
        _printed(prizes.agreement(place, pot, WINNERS[winners]))


@click.command()
@click.argument("game")
@access.house_option
@access.passphrase_option
def word(game: str, house: str | None, passphrase_file: Path | None) -> None:
    """Print the transaction that puts down the house's word on GAME, which is over.

    The word is held against the verified record first. A word that says something else than the record ends
    the command with exit code 4 and the evidence.
    """
    with meant_game(game, house, passphrase_file) as (_, api, game):
        _printed(told(api, game))


def told(api: Api, game: str) -> dict[str, str]:
    """The transaction of the house's word on a game, checked against its record; raises `HouseFault`."""
    given, data = api.word(game), fetched(api, game)
    report = verify_record(data)
    if report.fault is not None:
        raise HouseFault("bad_record", f"its record is not valid: {report.fault.text}")
    entry, outcome, evidence = read_entry(parse_record(data)[-1]), report.valid_game.outcome, dict(given)
    try:
        place = Place(int(given["chain_id"]), address(given["prizes"]))
        key, result = unb64(given["house_key"], 32), unb64(given["result"], 64)
        signature, winners = unb64(given["signature"], 64), [int(seat) for seat in given["winners"]]
    except (EncodingError, KeyError, TypeError, ValueError) as error:
        raise HouseFault("bad_word", f"its word can't be read: {error}", evidence) from None
    said = None if outcome is None else list(outcome.winners)
    if result != entry.digest or winners != said or place != house_contract(api):
        raise HouseFault("wrong_word", "its word says something else than the record", evidence)
    if key != api.house().key or not verify(key, settlement(place, game, winners, result), signature):
        text = f"its word is not signed by its key {b64(api.house().key)}"
        raise HouseFault("bad_word", text, evidence)
    return prizes.told(place, game, winners, result, key, signature)


@click.command()
@pot_argument
@access.house_option
@access.passphrase_option
def settle(pot: bytes, house: str | None, passphrase_file: Path | None) -> None:
    """Print the transaction that closes POT: two days after the house's word, or past the pot's end."""
    with access.at_house(house, passphrase_file) as (_, api):
        _printed(prizes.transaction(house_contract(api), "settle", pot))


@click.command()
@access.house_option
@access.passphrase_option
def withdraw(house: str | None, passphrase_file: Path | None) -> None:
    """Print the transaction by which a wallet takes what pots have given it."""
    with access.at_house(house, passphrase_file) as (_, api):
        _printed(prizes.transaction(house_contract(api), "withdraw"))

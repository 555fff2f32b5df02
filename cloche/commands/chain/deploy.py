"""`cloche chain deploy`: the transaction that deploys a contract of a house."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from chain.contracts import artifacts
from chain.deploying import placed
from cloche.commands import access
from cloche.commands.errors import CommandError

DEPLOYING = {"pantry": 1_500_000, "prizes": 1_300_000}
"""The gas to give each deployment; docs/chain.md has what they take."""
LONGEST = {"name": 64, "base": 96}
"""The most bytes that a pantry takes of its name, and of what its tokens' addresses begin with."""


@click.command()
@click.argument("contract", type=click.Choice([*DEPLOYING]), default="prizes")
@click.option("--chain-id", type=click.IntRange(1), required=True, help="The number of the chain.")
@click.option("--name", default="Cloche", show_default=True, help="The name of a pantry's tokens.")
@access.house_option
@access.passphrase_option
def deploy(contract: str, chain_id: int, name: str, house: str | None, passphrase_file: Path | None) -> None:
    """Print the transaction that deploys a CONTRACT for a house: prizes, or a pantry for its copies.

    The house's key stands in the contract. `papers` must lie on the chain before (`cloche chain contracts`).
    A pantry's tokens name their metadata at the house's address for ever: give that by which others reach it.
    """
    with access.at_house(house, passphrase_file) as (_, api):
        arguments: list[Any] = [placed()["papers"].address, api.house().key]
        base = f"{api.url}/api/v1/pantry/"
    if contract == "pantry":
        for what, text in (("name", name), ("base", base)):
            if len(text.encode()) > LONGEST[what]:
                raise CommandError("too_long", f"A pantry takes {LONGEST[what]} bytes at most of {text}.")
        arguments += [name, base]
    data = artifacts()[contract].creation(*arguments)
    given = {
        "chainId": hex(chain_id),
        "value": "0x0",
        "gas": hex(DEPLOYING[contract]),
        "data": "0x" + data.hex(),
    }
    click.echo(json.dumps(given))

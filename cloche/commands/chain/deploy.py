"""`cloche chain deploy`: the transaction that deploys a contract of prizes for a house."""

from __future__ import annotations

import json
from pathlib import Path

import click

from chain.contracts import artifacts
from chain.deploying import placed
from cloche.commands import access

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

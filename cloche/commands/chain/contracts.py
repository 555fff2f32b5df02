"""`cloche chain contracts`: the contracts, where they lie on every chain, and what deploys them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from chain.calls import checksummed
from chain.contracts import VERIFIERS
from chain.deploying import Placed, placed
from chain.nodes import Nodes
from cloche.commands.chain.machines import node_errors, node_option


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(VERIFIERS))
@node_option
@click.option(
    "--transactions",
    is_flag=True,
    help="Print the transactions that deploy them, as JSON for any wallet: one a line, in their order.",
)
@click.option("--chain-id", type=click.IntRange(1), help="The number of the chain, for the transactions.")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def contracts(
    names: Sequence[str], nodes: Sequence[str], transactions: bool, chain_id: int | None, as_json: bool
) -> None:
    """List the contracts: addresses, sizes, hashes. With --node, say which are deployed there.

    The addresses are the same on every chain, because they follow from the contracts' code (CREATE2). Whoever
    deploys a contract has no rights over it.
    """
    chosen = [it for name, it in placed().items() if not names or name in names]
    if transactions:
        for it in chosen:
            click.echo(json.dumps(it.transaction(chain_id)))
        return
    there = _deployed(chosen, nodes)
    if as_json:
        click.echo(json.dumps([_json(it, there) for it in chosen], indent=2))
        return
    for it in chosen:
        where = "" if not nodes else ", deployed" if it.artifact.name in there else ", not deployed"
        size = f"{len(it.artifact.bytecode):,} bytes"
        click.echo(f"{it.artifact.name:11} {checksummed(it.address)}, {size}{where}")
        click.echo(f"{'':11} SHA-256 of the bytecode {it.artifact.digest}")


def _deployed(chosen: Sequence[Placed], urls: Sequence[str]) -> set[str]:
    """The names of those that lie on the nodes' chain."""
    if not urls:
        return set()
    with node_errors():
        nodes = Nodes(urls)
        try:
            return {it.artifact.name for it in chosen if nodes.code(it.address)}
        finally:
            nodes.close()


def _json(it: Placed, there: set[str]) -> dict[str, Any]:
    artifact = it.artifact
    return {
        "name": artifact.name,
        "address": checksummed(it.address),
        "bytes": len(artifact.bytecode),
        "sha256": artifact.digest,
        "deployed": artifact.name in there,
    }

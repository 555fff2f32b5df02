"""`cloche chain`: contracts that verify, and records judged by them."""

from __future__ import annotations

import click

from cloche.commands.chain.contracts import contracts
from cloche.commands.chain.verify import verify
from cloche.commands.groups import CommandGroup


@click.group(cls=CommandGroup)
def chain() -> None:
    """Verify records by contracts on a chain, and see which contracts there are."""


chain.add_command(verify)
chain.add_command(contracts)

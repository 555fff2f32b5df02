"""`cloche chain`: contracts that verify, records judged by them, pots on games, and copies as tokens."""

from __future__ import annotations

import click

from cloche.commands.chain import pantry, prizes
from cloche.commands.chain.contracts import contracts
from cloche.commands.chain.deploy import deploy
from cloche.commands.chain.pots import pots
from cloche.commands.chain.verify import verify
from cloche.commands.groups import CommandGroup


@click.group(cls=CommandGroup)
def chain() -> None:
    """Verify records by contracts on a chain; prizes on games, copies as tokens.

    Transactions are printed for any wallet.
    """


for command in (
    verify,
    contracts,
    pots,
    prizes.prize,
    prizes.agree,
    prizes.word,
    prizes.settle,
    prizes.withdraw,
    pantry.out,
    pantry.statement,
    pantry.back,
    deploy,
):
    chain.add_command(command)

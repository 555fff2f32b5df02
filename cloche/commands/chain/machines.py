"""Where contracts are asked: a chain in memory, or nodes; and the errors of both as those of a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click

from chain.deploying import missing, verifiers
from chain.evm import EvmChain, Missing
from chain.nodes import NodeFault, Nodes
from chain.verifiers import Verifiers
from cloche.commands.errors import UNREADABLE, CommandError

node_option = click.option(
    "--node",
    "nodes",
    metavar="URL",
    multiple=True,
    help="Ask the contracts on this node's chain by JSON-RPC, in place of a chain in memory. Give it several"
    " times: all nodes must agree.",
)
INSTALL = "pip install 'cloche[chain]'"


class NoMachine(CommandError):
    """There is nothing here to run contracts on."""

    exit_code = UNREADABLE


class NodeUnreachable(CommandError):
    """A node can't be used."""

    exit_code = 3


def no_machine(error: Missing, other: str = "") -> NoMachine:
    """The error of a command that needs a chain in memory; `other` says what would do as well."""
    text = f"There is no machine for contracts here: {error}."
    return NoMachine("no_machine", text, (f"Install it: {INSTALL}{other}.",))


@dataclass(frozen=True, slots=True)
class Asked:
    """The contracts, and where they are asked."""

    verifiers: Verifiers
    where: str
    """For people."""
    chain_id: int


@contextmanager
def node_errors() -> Iterator[None]:
    """Turn what nodes do wrong into a `CommandError`."""
    try:
        yield
    except NodeFault as fault:
        text = fault.text[:1].upper() + fault.text[1:] + "."
        raise NodeUnreachable(fault.code, text) from None


@contextmanager
def asked(urls: Sequence[str]) -> Iterator[Asked]:
    """The contracts on these nodes' chain, or deployed on a chain in memory if none is given.

    Raises `CommandError`.
    """
    if not urls:
        yield _in_memory()
        return
    with node_errors():
        nodes = Nodes(urls)
        try:
            chain_id = nodes.chain_id
            if absent := missing(nodes):
                text = f"Chain {chain_id} has no {' and no '.join(absent)} of this version."
                advice = "`cloche chain contracts --transactions` prints what deploys them."
                raise CommandError("no_contracts", text, (advice,))
            yield Asked(verifiers(nodes), f"chain {chain_id}", chain_id)
        finally:
            nodes.close()


def _in_memory() -> Asked:
    try:
        machine = EvmChain()
    except Missing as error:
        raise no_machine(error, ", or ask a node: --node URL") from None
    return Asked(Verifiers.deployed(machine), "a chain in memory", machine.chain_id)

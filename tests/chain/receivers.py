"""Contracts that tokens are sent to."""

from __future__ import annotations

from functools import cache

import vyper

from chain.evm import EvmChain

_RECEIVED = """
event Seen:
    digest: bytes32

@external
def onERC721Received(operator: address, sender: address, token: uint256, data: Bytes[1024]) -> bytes4:
    {body}
"""
BODIES = {
    "takes": "log Seen(digest=keccak256(concat(data, convert(operator, bytes20), convert(sender, bytes20),"
    " convert(token, bytes32))))\n    return 0x150b7a02",
    "answers otherwise": "return 0x01ffc9a7",
    "refuses": 'raise "no"',
}


@cache
def _code(kind: str) -> bytes:
    source = "x: uint256" if kind not in BODIES else _RECEIVED.format(body=BODIES[kind])
    made = vyper.compile_code(f"# pragma version 0.4.3\n# pragma evm-version prague\n{source}\n")
    return bytes.fromhex(made["bytecode"][2:])


def receiver(machine: EvmChain, kind: str) -> bytes:
    """The address of a new contract of this kind."""
    return machine.deploy(_code(kind)).created

"""Nodes of a chain, asked over JSON-RPC: several must agree, so that one that lies is found out.

A node's address may hold a key of its operator's, so errors name its host alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx

from chain.calls import MOST_GAS, CallResult, Reverted, reason

PATIENCE = 30.0
"""Seconds for an answer."""
MOST_ANSWER = 32 << 20
"""The most bytes of an answer."""
REVERTED = 3
"""The error code of a call that the contract refused, with most nodes."""


class NodeFault(Exception):
    """A node that can't be used. `code` is stable, the text is for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class RpcError(Exception):
    """An error that a node answered."""

    def __init__(self, code: int, message: str, data: str) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


def _error(found: Any) -> RpcError:
    given = found if isinstance(found, Mapping) else {}
    data = given.get("data")
    if isinstance(data, Mapping):
        data = data.get("data")
    code = given.get("code")
    text = str(given.get("message") or "no reason")[:200]
    return RpcError(code if isinstance(code, int) else 0, text, data if isinstance(data, str) else "")


class Node:
    """One node."""

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        """Raises `NodeFault` unless the address is one of HTTP."""
        try:
            read = httpx.URL(url)
        except (httpx.InvalidURL, TypeError):
            read = httpx.URL("")
        if read.scheme not in ("http", "https") or not read.host:
            raise NodeFault("bad_node", "the address of a node is http://HOST or https://HOST")
        self._url = read
        self.host = read.host if read.port is None else f"{read.host}:{read.port}"
        self._http = httpx.Client(timeout=patience, follow_redirects=False, trust_env=False)
        self._count = 0

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def ask(self, method: str, *params: Any) -> Any:
        """The result of a method; raises `RpcError` where the node answers with one, and `NodeFault`."""
        self._count += 1
        body = {"jsonrpc": "2.0", "id": self._count, "method": method, "params": params}
        try:
            with self._http.stream("POST", self._url, json=body) as answer:
                data = self._read(answer)
                status = answer.status_code
        except httpx.HTTPError as error:
            text = f"the node {self.host} can't be reached ({type(error).__name__})"
            raise NodeFault("node_unreachable", text) from None
        try:
            found = json.loads(data)
        except ValueError:
            raise NodeFault("node_unreadable", f"the node {self.host} answers no JSON ({status})") from None
        if not isinstance(found, dict) or found.get("id") != self._count:
            raise NodeFault("node_unreadable", f"the node {self.host} answers something else than was asked")
        if found.get("error") is not None:
            raise _error(found["error"])
        return found.get("result")

    def _read(self, answer: httpx.Response) -> bytes:
        data = bytearray()
        for piece in answer.iter_bytes():
            data += piece
            if len(data) > MOST_ANSWER:
                raise NodeFault("node_unreadable", f"the answer of the node {self.host} is too long")
        return bytes(data)


def number(found: Any) -> int:
    """A number as JSON-RPC writes it; raises `NodeFault`."""
    try:
        return int(found, 16)
    except (TypeError, ValueError):
        raise NodeFault("node_unreadable", "a node answers no number where one was asked for") from None


def octets(found: Any) -> bytes:
    """Bytes as JSON-RPC writes them; raises `NodeFault`."""
    try:
        if not found.startswith("0x"):
            raise ValueError
        return bytes.fromhex(found[2:])
    except (AttributeError, ValueError):
        raise NodeFault("node_unreadable", "a node answers no bytes where they were asked for") from None


class Nodes:
    """One or more nodes of a chain that must agree on every answer."""

    def __init__(self, urls: Sequence[str], patience: float = PATIENCE, gas: bool = True) -> None:
        """`gas` asks the first node what each call costs too. Raises `NodeFault`."""
        if not urls:
            raise NodeFault("bad_node", "at least one node is needed")
        self._nodes = [Node(url, patience) for url in dict.fromkeys(urls)]
        self._gas = gas

    def close(self) -> None:
        """Close all connections."""
        for node in self._nodes:
            node.close()

    def each(self, method: str, *params: Any) -> list[Any]:
        """What each node answers, where they may differ; raises `NodeFault`."""
        return [self._one(node, method, params)[0] for node in self._nodes]

    def ask(self, method: str, *params: Any, pick: Callable[[Any], Any] = lambda found: found) -> Any:
        """What all nodes answer; raises `NodeFault` if they differ, and `RpcError` if all refuse alike.

        `pick` takes from an answer what all must agree on.
        """
        given = [self._one(node, method, params) for node in self._nodes]
        found = [(pick(result) if refused is None else None, refused) for result, refused in given]
        if any(other != found[0] for other in found[1:]):
            hosts = ", ".join(node.host for node in self._nodes)
            raise NodeFault("nodes_differ", f"the nodes {hosts} don't agree on {method}")
        result, refused = found[0]
        if refused is not None:
            raise RpcError(REVERTED, refused[0], refused[1])
        return result

    def _one(self, node: Node, method: str, params: Sequence[Any]) -> tuple[Any, tuple[str, str] | None]:
        """A node's answer, or what it says of a contract's refusal: that is an answer too."""
        try:
            return node.ask(method, *params), None
        except RpcError as error:
            if method == "eth_call" and (error.code == REVERTED or "revert" in str(error).lower()):
                return None, (reason(_data(error.data)), error.data)
            text = f"the node {node.host} refuses {method}: {error}"
            raise NodeFault("node_refused", text) from None

    def first(self, method: str, *params: Any) -> Any:
        """What the first node answers, where nothing hangs on it; raises `NodeFault`."""
        result, refused = self._one(self._nodes[0], method, params)
        if refused is not None:
            raise NodeFault("node_refused", f"the node {self._nodes[0].host} refuses {method}")
        return result

    def call(self, to: bytes, data: bytes) -> CallResult:
        """Ask a contract, and change nothing; raises `Reverted` and `NodeFault`."""
        given = {"to": "0x" + to.hex(), "data": "0x" + data.hex(), "gas": hex(MOST_GAS)}
        try:
            found = octets(self.ask("eth_call", given, "latest"))
        except RpcError as refused:
            raise Reverted(str(refused) or "without a reason") from None
        return CallResult(found, number(self.first("eth_estimateGas", given)) if self._gas else 0)

    def code(self, address: bytes) -> bytes:
        """The code of a contract; empty where there is none."""
        return octets(self.ask("eth_getCode", "0x" + address.hex(), "latest"))

    @property
    def chain_id(self) -> int:
        """The chain's number."""
        return number(self.ask("eth_chainId"))


def _data(found: str) -> bytes:
    try:
        return bytes.fromhex(found.removeprefix("0x"))
    except ValueError:
        return b""

"""A chain on this machine with blocks, which answers JSON-RPC on loopback as a node does.

Every transaction is a block of its own, and any account may send. Tests and `cloche demo --chain` use it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from chain.calls import Reverted, keccak256
from chain.deploying import PROXY, PROXY_CODE, placed
from chain.evm import SENDER, EvmChain, Log, TransactionReceipt

SECONDS = 12
"""Between two blocks."""
DEPTH = 2
"""The blocks that are not final yet."""
_REVERTED = 3
_BAD = -32602


@dataclass(frozen=True, slots=True)
class ChainBlock:
    """A block: its place in the chain, and what its contracts have written."""

    number: int
    hash: bytes
    parent: bytes
    time: int
    logs: tuple[Log, ...] = field(repr=False)
    before: Any = field(repr=False)
    """The state before it."""

    def json(self) -> dict[str, Any]:
        """The block as a node tells of it."""
        return {
            "number": hex(self.number),
            "hash": "0x" + self.hash.hex(),
            "parentHash": "0x" + self.parent.hex(),
            "timestamp": hex(self.time),
        }

    def told(self) -> list[dict[str, Any]]:
        """Its logs, as a node tells of them."""
        place = {"blockNumber": hex(self.number), "blockHash": "0x" + self.hash.hex(), "removed": False}
        return [
            place
            | {
                "address": "0x" + log.address.hex(),
                "topics": ["0x" + topic.hex() for topic in log.topics],
                "data": "0x" + log.data.hex(),
                "logIndex": hex(i),
            }
            for i, log in enumerate(self.logs)
        ]


class LocalChain:
    """Blocks over a chain in memory. Not more than `DEPTH` of them can be taken back."""

    def __init__(self, machine: EvmChain | None = None) -> None:
        """Raises `Missing` if there is no machine for contracts."""
        self.machine = machine or EvmChain()
        self._branch = 0
        self.blocks = [ChainBlock(0, keccak256(b"genesis"), bytes(32), self.machine.time, (), None)]

    @property
    def newest(self) -> ChainBlock:
        """The newest block."""
        return self.blocks[-1]

    @property
    def final(self) -> ChainBlock:
        """The newest block that nothing takes back."""
        return self.blocks[max(0, len(self.blocks) - 1 - DEPTH)]

    def send(self, to: bytes, data: bytes, sender: bytes = SENDER, value: int = 0) -> TransactionReceipt:
        """Send a transaction, which makes a block of its own; raises `Reverted`."""
        self.machine.time += SECONDS
        before = self.machine.snapshot()
        try:
            receipt = self.machine.send(to, data, sender, value)
        except Reverted:
            self.machine.time -= SECONDS
            raise
        self._append(receipt.logs, before)
        return receipt

    def next_address(self, sender: bytes = SENDER, after: int = 0) -> bytes:
        """The address of the contract that this account deploys next, `after` so many transactions."""
        nonce = self.machine.nonce(sender) + after
        if nonce > 127:
            raise ValueError("an account here sends less than 128 transactions")
        listed = b"\x94" + sender + (bytes([nonce]) if nonce else b"\x80")
        return keccak256(bytes([0xC0 + len(listed)]) + listed)[12:]

    def mine(self, count: int = 1) -> None:
        """Append blocks without transactions."""
        for _ in range(count):
            self.machine.time += SECONDS
            self._append((), self.machine.snapshot())

    def finalize(self) -> None:
        """Append blocks until all that happened so far is final."""
        self.mine(DEPTH)

    def pass_time(self, seconds: int) -> None:
        """Let time pass, and append a block."""
        self.machine.time += seconds - SECONDS
        self.mine()

    def take_back(self, count: int) -> None:
        """Forget the newest blocks, as a reorganization does. Even final ones, as on a chain that broke."""
        first = self.blocks[-count]
        self.machine.back_to(first.before)
        del self.blocks[-count:]
        self.machine.time = self.newest.time
        self._branch += 1

    def _append(self, logs: tuple[Log, ...], before: Any) -> None:
        last, time = self.newest, self.machine.time
        number = last.number + 1
        digest = keccak256(
            last.hash + number.to_bytes(8, "big") + time.to_bytes(8, "big") + bytes([self._branch])
        )
        self.blocks.append(ChainBlock(number, digest, last.hash, time, logs, before))

    def deploy_verifiers(self) -> None:
        """Deploy the verifiers at the addresses that they have on every chain."""
        self.machine.put_code(PROXY, PROXY_CODE)
        for it in placed().values():
            self.send(PROXY, bytes.fromhex(it.transaction()["data"][2:]))


class _Refused(Exception):
    def __init__(self, code: int, text: str, data: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.data = data


def _octets(text: str | None) -> bytes:
    return bytes.fromhex((text or "0x")[2:])


class _Answers:
    """The methods of JSON-RPC that a reader and a wallet need."""

    def __init__(self, chain: LocalChain) -> None:
        self._chain = chain

    def answer(self, method: str, params: list[Any]) -> Any:
        found = getattr(self, f"_{method}", None)
        if not method.startswith("eth_") or found is None:
            raise _Refused(-32601, f"there is no method {method}")
        return found(*params)

    def _eth_chainId(self) -> str:
        return hex(self._chain.machine.chain_id)

    def _eth_blockNumber(self) -> str:
        return hex(self._chain.newest.number)

    def _eth_getCode(self, address: str, block: str = "latest") -> str:
        return "0x" + self._chain.machine.code(_octets(address)).hex()

    def _eth_getBalance(self, address: str, block: str = "latest") -> str:
        return hex(self._chain.machine.balance(_octets(address)))

    def _called(self, given: Mapping[str, str]) -> Any:
        sender = _octets(given.get("from")) or SENDER
        try:
            return self._chain.machine.call(_octets(given["to"]), _octets(given.get("data")), sender)
        except Reverted as refused:
            raise _Refused(_REVERTED, f"execution reverted: {refused}", "0x" + refused.data.hex()) from None

    def _eth_call(self, given: Mapping[str, str], block: str = "latest") -> str:
        return "0x" + bytes(self._called(given).data).hex()

    def _eth_estimateGas(self, given: Mapping[str, str], block: str = "latest") -> str:
        return hex(self._called(given).gas)

    def _block(self, tag: str) -> ChainBlock | None:
        chain = self._chain
        if tag in ("latest", "finalized"):
            return chain.newest if tag == "latest" else chain.final
        at = int(tag, 16)
        return chain.blocks[at] if at < len(chain.blocks) else None

    def _eth_getBlockByNumber(self, tag: str, whole: bool = False) -> dict[str, Any] | None:
        block = self._block(tag)
        return None if block is None else block.json()

    def _eth_getLogs(self, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
        first, last = self._block(wanted["fromBlock"]), self._block(wanted["toBlock"])
        if first is None or last is None:
            raise _Refused(_BAD, "there is no such block yet")
        found = [log for block in self._chain.blocks[first.number : last.number + 1] for log in block.told()]
        return [log for log in found if log["address"] == wanted["address"].lower()]

    def _eth_sendTransaction(self, given: Mapping[str, str]) -> str:
        sender = _octets(given.get("from")) or SENDER
        value = int(given.get("value", "0x0"), 16)
        try:
            self._chain.send(_octets(given.get("to")), _octets(given.get("data")), sender, value)
        except Reverted as refused:
            raise _Refused(_REVERTED, f"execution reverted: {refused}", "0x" + refused.data.hex()) from None
        return "0x" + self._chain.newest.hash.hex()


@contextmanager
def node(chain: LocalChain) -> Iterator[str]:
    """Answer JSON-RPC on a free port of loopback; gives the address."""
    answers, lock = _Answers(chain), Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told: dict[str, Any] = {"jsonrpc": "2.0", "id": asked["id"]}
            try:
                with lock:
                    told["result"] = answers.answer(asked["method"], list(asked["params"]))
            except _Refused as refused:
                told["error"] = {"code": refused.code, "message": str(refused), "data": refused.data}
            data = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing of each request."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

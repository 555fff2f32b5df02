"""Nodes asked over loopback: real JSON-RPC, with a chain in memory behind it, and nodes that misbehave."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from chain.calls import checksummed
from chain.deploying import PROXY, SALT, missing, placed, verifiers
from chain.local import LocalChain, node
from chain.nodes import MOST_ANSWER, NodeFault, Nodes
from crypto.identity import public_key, sign
from crypto.transcript import tuple_hash
from tests.chain.statements import published

PRIVATE = bytes(range(32))


@pytest.fixture(scope="module")
def chain() -> LocalChain:
    made = LocalChain()
    made.deploy_verifiers()
    return made


@pytest.fixture(scope="module")
def url(chain: LocalChain) -> Iterator[str]:
    with node(chain) as address:
        yield address


def test_the_verifiers_lie_where_their_code_says(chain: LocalChain, url: str) -> None:
    assert missing(Nodes([url])) == []
    for it in placed().values():
        assert chain.machine.code(it.address)
        made = it.transaction(1)
        assert made["to"] == checksummed(PROXY)
        assert made["chainId"] == "0x1"
        assert bytes.fromhex(made["data"][2:]) == SALT + it.creation


def test_another_chain_has_none_of_them() -> None:
    with node(LocalChain()) as other:
        assert missing(Nodes([other])) == list(placed())


def test_contracts_answer_through_nodes(url: str) -> None:
    asked = verifiers(Nodes([url, f"{url}/again"]))
    digest = tuple_hash("tests/signed")
    verdict = asked.signature(public_key(PRIVATE), digest, sign(PRIVATE, digest))
    assert verdict.holds
    assert 400_000 < verdict.gas < 500_000
    assert not asked.signature(public_key(PRIVATE), tuple_hash("tests/other"), sign(PRIVATE, digest)).holds
    assert asked.digest("tests/part", [bytes(9000)])[0] == tuple_hash("tests/part", bytes(9000))
    good = published()
    assert good.asked(asked).holds
    refused = good.asked(asked, courses=0)
    assert (refused.holds, refused.why) == (False, "courses")


@contextmanager
def _answering(answer: Callable[[dict[str, Any]], tuple[int, bytes]]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, data = answer(asked)
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/secret-key"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _told(asked: dict[str, Any], **found: Any) -> tuple[int, bytes]:
    return 200, json.dumps({"jsonrpc": "2.0", "id": asked["id"], **found}).encode()


def test_nodes_that_differ_are_told(url: str) -> None:
    with _answering(lambda asked: _told(asked, result="0x1")) as liar, pytest.raises(NodeFault) as fault:
        _ = Nodes([url, liar]).chain_id
    assert fault.value.code == "nodes_differ"
    assert "secret-key" not in fault.value.text


ANSWERS: dict[str, tuple[Callable[[dict[str, Any]], tuple[int, bytes]], str]] = {
    "no JSON": (lambda asked: (502, b"<html>"), "node_unreadable"),
    "a list": (lambda asked: (200, b"[]"), "node_unreadable"),
    "another question's": (lambda asked: _told({"id": asked["id"] + 1}, result="0x1"), "node_unreadable"),
    "no number": (lambda asked: _told(asked, result="one"), "node_unreadable"),
    "null": (lambda asked: _told(asked, result=None), "node_unreadable"),
    "elsewhere": (lambda asked: (302, b""), "node_unreadable"),
    "too long": (lambda asked: (200, bytes(MOST_ANSWER + 1)), "node_unreadable"),
    "an error": (
        lambda asked: _told(asked, error={"code": -32005, "message": "limit exceeded"}),
        "node_refused",
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_node_that_answers_otherwise_is_told(name: str) -> None:
    answer, code = ANSWERS[name]
    with _answering(answer) as bad, pytest.raises(NodeFault) as fault:
        _ = Nodes([bad]).chain_id
    assert fault.value.code == code
    assert "secret-key" not in fault.value.text


@pytest.mark.parametrize(
    "address", ["", "ftp://127.0.0.1", "127.0.0.1:8545", "http://", "file:///etc/passwd"]
)
def test_only_addresses_of_http_are_taken(address: str) -> None:
    with pytest.raises(NodeFault) as fault:
        Nodes([address])
    assert fault.value.code == "bad_node"


def test_a_node_that_is_away_is_told() -> None:
    with pytest.raises(NodeFault) as fault:
        _ = Nodes(["http://127.0.0.1:9/secret-key"]).chain_id
    assert fault.value.code == "node_unreachable"
    assert "secret-key" not in fault.value.text


def test_the_chain_takes_blocks_back() -> None:
    chain = LocalChain()
    chain.deploy_verifiers()
    last = chain.newest.hash
    chain.take_back(1)
    assert not chain.machine.code(placed()["decks"].address)
    chain.send(PROXY, SALT + placed()["decks"].creation)
    assert chain.machine.code(placed()["decks"].address)
    assert chain.newest.hash != last

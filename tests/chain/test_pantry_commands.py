"""Copies as tokens by `cloche chain`: every transaction as it is printed, against a house that runs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from chain import pantry as transactions
from chain.calls import Reverted, checksummed
from chain.contracts import Contract, artifacts
from chain.local import LocalChain, node
from client.http import Api
from client.vault import FILE, Vault
from cloche.commands.chain.pantry import brought_out
from cloche.main import main
from cloche.operate.child import house, run
from crypto.encoding import b64
from player.house import HouseFault
from referee.on_chain import Place, copies_out, signed
from service import keys
from tests.chain.house_kit import ANNA, BEN, CLARA, Deployed, new_chain

PASSPHRASE = "a passphrase of the tests"
PATIENCE = 60.0


@dataclass
class Pantry:
    """A chain with the pantry of a house that runs, and a player there with a copy that may leave."""

    chain: LocalChain
    deployed: Deployed
    url: str
    folder: Path
    copy: str

    def run(self, *arguments: str, home: str = "ada") -> Result:
        environment = {
            "CLOCHE_HOME": str(self.folder / home),
            "CLOCHE_PASSPHRASE": PASSPHRASE,
            "CLOCHE_VAULT_COST": "10",
        }
        return CliRunner().invoke(main, [*arguments], env=environment, catch_exceptions=False)

    def printed(self, *arguments: str, home: str = "ada") -> Any:
        done = self.run("chain", *arguments, home=home)
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    def send(self, given: dict[str, str], by: bytes) -> None:
        """Send a transaction as it is printed, with the gas that it says."""
        assert int(given["chainId"], 16) == self.chain.machine.chain_id
        assert given["to"] == checksummed(self.deployed.contract.address)
        receipt = self.chain.send(self.deployed.contract.address, bytes.fromhex(given["data"][2:]), by)
        assert receipt.answer.gas <= int(given["gas"], 16)


def until(look: Callable[[], Any]) -> Any:
    """The first true value of `look`: the house looks at its chain every fifteen seconds."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < deadline
        time.sleep(0.5)
    return found


@pytest.fixture(scope="module")
def pantry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pantry]:
    chain, folder = new_chain(), tmp_path_factory.mktemp("pantry")
    chain.machine.time = int(time.time())
    address = chain.next_address()
    with ExitStack() as stack:
        settings = {
            "CLOCHE_CHAIN_ID": str(chain.machine.chain_id),
            "CLOCHE_CHAIN_PANTRY": checksummed(address),
            "CLOCHE_CHAIN_NODES": stack.enter_context(node(chain)),
        }
        url = stack.enter_context(house(folder, settings))
        contract = Contract(artifacts()["pantry"], address, chain.machine)
        found = Pantry(chain, Deployed(contract, chain.machine), url, folder, "")
        for handle in ("ada", "bob"):
            made = found.run("register", handle, "--house", url, "--starter", "diner", home=handle)
            assert made.exit_code == 0, made.output
        given = found.printed("deploy", "pantry", "--chain-id", str(chain.machine.chain_id), "--name", "Ours")
        receipt = chain.send(b"", bytes.fromhex(given["data"][2:]))
        assert receipt.created == address
        assert receipt.answer.gas <= int(given["gas"], 16)
        status, text = run(["admin", "grant", "ada", "--card", "tuna", "--data", str(folder / "house")])
        assert status == 0, text
        listed = found.run("collection", "copies", "tuna").stdout.splitlines()
        found.copy = next(line.split()[0] for line in listed if "(bound)" not in line)
        yield found


def test_a_copy_leaves_and_comes_back_to_another_player(pantry: Pantry) -> None:
    out = ("out", pantry.copy, "--to", checksummed(ANNA), "--yes")
    until(lambda: "[chain_unread]" not in (done := pantry.run("chain", *out)).output and done)
    statement = _statement_of(pantry)
    given = pantry.printed("statement", statement)
    pantry.send(given, BEN)
    pantry.chain.finalize()
    until(lambda: "outside" in pantry.run("chain", "statement", statement).stderr)
    shown = pantry.run("chain", "statement", statement)
    assert shown.stdout == "", "a statement that was used has no transaction any more"
    token = shown.stderr.split("token ")[1].split(",")[0]
    name = bytes.fromhex(token[2:])
    assert pantry.deployed.ask("ownerOf", int(token, 16)) == ANNA
    assert pantry.deployed.ask("tokenURI", int(token, 16)) == f"{pantry.url}/api/v1/pantry/{token[2:]}"
    assert pantry.deployed.ask("name") == "Ours"
    with pytest.raises(Reverted):
        pantry.send(given, BEN)
    pantry.send(transactions.passed_on(pantry.deployed.place, name, ANNA, CLARA), ANNA)
    back = pantry.printed("back", token, home="bob")
    with pytest.raises(Reverted):
        pantry.send(back, ANNA)
    pantry.send(back, CLARA)
    pantry.chain.finalize()
    until(lambda: pantry.copy in pantry.run("collection", "copies", "tuna", home="bob").stdout)
    assert pantry.copy not in pantry.run("collection", "copies", "tuna").stdout
    status, text = run(["admin", "audit", "--data", str(pantry.folder / "house")])
    assert status == 0, text


def _statement_of(pantry: Pantry) -> str:
    """The statement that holds the copy, as the house tells the copy's owner."""
    vault = Vault.open(pantry.folder / "ada" / FILE, PASSPHRASE)
    with Api(pantry.url, vault.identity.token) as api:
        [held] = [copy["held_by"] for copy in api.copies("tuna") if copy["id"] == pantry.copy]
    return str(held[0])


def test_a_statement_that_is_not_signed_is_told(pantry: Pantry) -> None:
    """Whatever a house changes in it."""

    with Api(pantry.url) as api:
        honest = api.house()
        place = Place(pantry.chain.machine.chain_id, pantry.deployed.contract.address)
        good = {
            "chain_id": place.chain_id,
            "pantry": checksummed(place.contract),
            "to": checksummed(ANNA),
            "until": int(time.time()) + 100,
            "copies": [{"token": "ab" * 32, "trip": 1}],
            "house_key": "",
            "signature": "",
        }
        with pytest.raises(HouseFault, match="can't be read"):
            brought_out(api, place, good)
        private = keys.load(pantry.folder / "house").signing_key
        digest = copies_out(place, ANNA, good["until"], [(b"\xab" * 32, 1)])
        good |= {"house_key": b64(honest.key), "signature": b64(signed(private, digest))}
        assert brought_out(api, place, good)["to"] == checksummed(place.contract)
        other = Place(place.chain_id + 1, place.contract)
        for changed, where in (
            ({"to": checksummed(BEN)}, place),
            ({"until": good["until"] + 1}, place),
            ({"copies": [{"token": "ab" * 32, "trip": 2}]}, place),
            ({"pantry": checksummed(BEN)}, place),
            ({}, other),
        ):
            with pytest.raises(HouseFault, match="not signed"):
                brought_out(api, where, good | changed)


def test_what_is_refused_changes_nothing(pantry: Pantry) -> None:
    lower = "0x" + ANNA.hex()
    assert "EIP-55" in pantry.run("chain", "out", "a-copy", "--to", lower, "--yes").output
    unknown = pantry.run("chain", "out", "a-copy", "--to", checksummed(ANNA), "--yes")
    assert unknown.exit_code == 1
    assert "[not_found]" in pantry.run("chain", "statement", "none").output
    assert pantry.run("chain", "back", "0x12").exit_code == 2
    long = pantry.run("chain", "deploy", "pantry", "--chain-id", "1", "--name", "x" * 65)
    assert "[too_long]" in long.output

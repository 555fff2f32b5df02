"""Pots by `cloche chain`, and `cloche demo --chain`, against houses that run."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner, Result
from eth_utils import keccak

from chain.calls import Reverted, checksummed
from chain.contracts import Contract, artifacts
from chain.evm import EvmChain
from chain.local import LocalChain, node
from cloche.main import main
from cloche.operate.child import house, run
from crypto.encoding import b64
from service import keys
from tests.chain.house_kit import ANNA, BEN, DAY, GAME, Deployed, deployed, new_chain
from tests.chain.wallets import Wallet

WEI = 1001
FIRST, SECOND = Wallet("first"), Wallet("second")


@pytest.fixture(scope="module")
def chain() -> LocalChain:
    return new_chain()


@pytest.fixture(scope="module")
def prizes(chain: LocalChain) -> Deployed:
    made = deployed(chain, "prizes")
    made.machine.fund(ANNA, 10 * WEI)
    return made


@pytest.fixture(scope="module")
def url(prizes: Deployed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house that has this contract."""
    where = checksummed(prizes.contract.address)
    settings = {"CLOCHE_CHAIN_ID": str(prizes.machine.chain_id), "CLOCHE_CHAIN_PRIZES": where}
    with house(tmp_path_factory.mktemp("house"), settings) as address:
        yield address


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A house without one."""
    with house(tmp_path_factory.mktemp("plain")) as address:
        yield address


def _run(*arguments: str) -> Result:
    group = "keys" if arguments[0] == "on-chain" else "chain"
    return CliRunner().invoke(main, [group, *arguments], catch_exceptions=False)


def _printed(*arguments: str) -> Any:
    done = _run(*arguments)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def _sent(chain: LocalChain, given: dict[str, str], by: bytes) -> Any:
    """Send a transaction as it is printed, with the gas that it says."""
    assert int(given["chainId"], 16) == chain.machine.chain_id
    to = bytes.fromhex(given["to"][2:])
    receipt = chain.send(to, bytes.fromhex(given["data"][2:]), by, int(given["value"], 16))
    assert receipt.answer.gas <= int(given["gas"], 16)
    return receipt


def _opened(chain: LocalChain, prizes: Deployed, url: str, *more: str) -> bytes:
    wallets = ("--first", checksummed(FIRST.address), "--second", checksummed(SECOND.address))
    given = _printed("prize", GAME, *wallets, "--wei", str(WEI), "--house", url, *more)
    told = prizes.told(_sent(chain, given, ANNA))
    assert (told[0][1]["first"], told[0][1]["second"]) == (FIRST.address, SECOND.address)
    name: bytes = told[0][1]["pot"]
    return name


@pytest.fixture
def now(chain: LocalChain) -> None:
    """The chain's clock is set by hand, and the command's is the machine's."""
    chain.machine.time = int(time.time())


@pytest.mark.usefixtures("now")
def test_both_chefs_agree(chain: LocalChain, prizes: Deployed, url: str) -> None:
    pot = "0x" + _opened(chain, prizes, url).hex()
    typed = _printed("agree", pot, "--winners", "second", "--house", url)
    assert typed["message"] == {"pot": pot, "winners": 2}
    assert typed["domain"]["verifyingContract"] == checksummed(prizes.contract.address)
    signed = []
    for wallet in (FIRST, SECOND):
        v, r, s = wallet.sign(_digest(typed))
        signed += ["--signature", "0x" + (r + s + bytes([v])).hex()]
    given = _printed("agree", pot, "--winners", "second", *signed, "--house", url)
    _sent(chain, given, BEN)
    before = chain.machine.balance(SECOND.address)
    _sent(chain, _printed("withdraw", "--house", url), SECOND.address)
    assert chain.machine.balance(SECOND.address) == before + WEI


def _digest(typed: dict[str, Any]) -> bytes:
    """EIP-712 as a wallet computes it from the printed data."""

    def kind(name: str) -> bytes:
        fields = ",".join(f"{it['type']} {it['name']}" for it in typed["types"][name])
        return keccak(f"{name}({fields})".encode())

    def struct(name: str, values: dict[str, Any]) -> bytes:
        words = [kind(name)]
        for it in typed["types"][name]:
            value = values[it["name"]]
            if it["type"] == "string":
                words.append(keccak(value.encode()))
            else:
                number = value if isinstance(value, int) else int(value, 16)
                words.append(number.to_bytes(32, "big"))
        return bytes(keccak(b"".join(words)))

    whole = struct("EIP712Domain", typed["domain"]) + struct(typed["primaryType"], typed["message"])
    return bytes(keccak(b"\x19\x01" + whole))


@pytest.mark.usefixtures("now")
def test_a_pot_without_a_word_is_closed_at_its_end(chain: LocalChain, prizes: Deployed, url: str) -> None:
    pot = "0x" + _opened(chain, prizes, url, "--days", "1").hex()
    chain.pass_time(2 * DAY)
    _sent(chain, _printed("settle", pot, "--house", url), BEN)
    assert prizes.ask("credits", ANNA) == WEI


@pytest.mark.usefixtures("now")
def test_pots_are_read_from_nodes(chain: LocalChain, prizes: Deployed, url: str) -> None:
    with node(chain) as address:
        asked = ("pots", GAME, "--node", address, "--node", f"{address}/again", "--house", url)
        before = len(_run(*asked, "--json").stdout.splitlines())
        pot = _opened(chain, prizes, url)
        assert len(_run(*asked, "--json").stdout.splitlines()) == before
        chain.finalize()
        told = json.loads(_run(*asked, "--json").stdout.splitlines()[-1])
        line = _run(*asked).output
        nothing = _run("pots", str(uuid4()), "--node", address, "--house", url)
    assert (told["event"], told["game"], told["prize"]) == ("Opened", GAME, WEI)
    assert told["pot"] == "0x" + pot.hex()
    assert f"pot {told['pot']} of 1,001 wei on game {GAME}" in line
    assert "There is nothing in these blocks." in nothing.output


def test_nodes_of_another_chain_are_told(url: str) -> None:
    with node(LocalChain(EvmChain(chain_id=5))) as address:
        done = _run("pots", "--node", address, "--house", url)
    assert done.exit_code == 1
    assert "[another_chain]" in done.output
    assert _run("pots", "--house", url).exit_code == 2


def test_addresses_need_their_checksum(url: str) -> None:
    lower = "0x" + FIRST.address.hex()
    done = _run("prize", GAME, "--first", lower, "--second", lower, "--wei", "1", "--house", url)
    assert done.exit_code == 2
    assert "EIP-55" in done.output


def test_one_wallet_can_not_be_both(url: str) -> None:
    same = checksummed(FIRST.address)
    done = _run("prize", GAME, "--first", same, "--second", same, "--wei", "1", "--house", url)
    assert done.exit_code == 2


def test_bytes_have_their_length(url: str) -> None:
    assert _run("settle", "0x1234", "--house", url).exit_code == 2
    short = ["--signature", "0x12", "--signature", "0x12"]
    assert _run("agree", "0x" + "00" * 32, "--winners", "both", *short, "--house", url).exit_code == 2
    one = ["--signature", "0x" + "00" * 65]
    assert _run("agree", "0x" + "00" * 32, "--winners", "both", *one, "--house", url).exit_code == 2


def test_a_house_without_a_contract_is_told(plain: str) -> None:
    done = _run("withdraw", "--house", plain)
    assert done.exit_code == 1
    assert "[no_prizes]" in done.output


def test_a_game_that_there_is_not_has_no_word(url: str) -> None:
    done = _run("word", GAME, "--house", url)
    assert done.exit_code == 1
    assert "[not_found]" in done.output


@pytest.mark.long
def test_the_demonstration() -> None:
    status, text = run(["demo", "--chain", "--rounds", "1", "--seed", "3"])
    assert status == 0, text
    for line in (
        "Nobody has won alone",
        "The house says who has won",
        "The contract holds nothing any more.",
        "Contracts verify",
    ):
        assert line in text


@pytest.mark.long
def test_a_won_copy_leaves_and_comes_back_in_the_demonstration() -> None:
    status, text = run(["demo", "--chain", "--seed", "3"])
    assert status == 0, text
    for line in ("as a token:", "has the copy now, and", "The books are right", "Contracts verify"):
        assert line in text


def test_the_demonstration_wants_a_game_of_two() -> None:
    status, text = run(["demo", "--chain", "--mode", "hearts"])
    assert status == 1
    assert "[not_for_two]" in text


def _deployed(chain: LocalChain, url: str) -> Deployed:
    """A contract of prizes by the transaction that is printed for the house at this address."""
    given = _printed("deploy", "--chain-id", str(chain.machine.chain_id), "--house", url)
    assert "to" not in given
    receipt = chain.send(b"", bytes.fromhex(given["data"][2:]))
    assert receipt.answer.gas <= int(given["gas"], 16)
    return Deployed(Contract(artifacts()["prizes"], receipt.created, chain.machine), chain.machine)


def test_an_operator_deploys_the_contract_and_gives_it_a_new_key(
    chain: LocalChain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with house(tmp_path) as url:
        made = _deployed(chain, url)
    data = tmp_path / "house"
    first = keys.load(data).public
    assert made.ask("key") == first
    assert "[no_contract]" in _run("on-chain", "--data", str(data)).output
    monkeypatch.setenv("CLOCHE_CHAIN_ID", str(chain.machine.chain_id))
    monkeypatch.setenv("CLOCHE_CHAIN_PRIZES", checksummed(made.contract.address))
    assert "[no_new_key]" in _run("on-chain", "--data", str(data)).output
    keys.rotate(data)
    third = keys.rotate(data).newest.public
    # The contract still has the first key, so that of the middle does not speak for it.
    with pytest.raises(Reverted):
        _sent(chain, _printed("on-chain", "--data", str(data)), BEN)
    for unknown in ("A" * 43, "no key"):
        assert "[unknown_key]" in _run("on-chain", "--data", str(data), "--from", unknown).output
    assert "[no_new_key]" in _run("on-chain", "--data", str(data), "--from", b64(third)).output
    with monkeypatch.context() as patch:
        patch.setenv("CLOCHE_CHAIN_PANTRY", checksummed(BEN))
        lines = _run("on-chain", "--data", str(data)).stdout.splitlines()
    assert [json.loads(line)["to"] for line in lines] == [
        checksummed(BEN),
        checksummed(made.contract.address),
    ]
    _sent(chain, _printed("on-chain", "--data", str(data), "--from", b64(first)), BEN)
    assert made.ask("key") == third


def test_a_folder_without_a_house_has_no_key_to_follow(
    tmp_path: Path, prizes: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLOCHE_CHAIN_ID", "1")
    monkeypatch.setenv("CLOCHE_CHAIN_PRIZES", checksummed(prizes.contract.address))
    done = _run("on-chain", "--data", str(tmp_path))
    assert done.exit_code == 2
    assert "[unreadable]" in done.output

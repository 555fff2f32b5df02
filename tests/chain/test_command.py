"""`cloche chain` as people call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chain.contracts import VERIFIERS, artifacts
from chain.deploying import placed
from chain.local import LocalChain, node
from cloche.main import main
from tests.chain.records import as_file, published


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["chain", *arguments], catch_exceptions=False)


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """A record whose statements are few: that of three who have only been asked to enter."""
    path = tmp_path / "short.json"
    path.write_bytes(as_file(published()["record_hearts"][:2]))
    return path


def test_a_record_is_verified_in_memory(short: Path) -> None:
    done = _run("verify", str(short), "--unfinished")
    assert done.exit_code == 0, done.output
    assert "is valid: Chinese Hearts" in done.output
    assert "Judged by contracts on a chain in memory" in done.output
    assert "signatures of players" in done.output
    assert "Judged by this program, and by no contract:" in done.output


def test_the_report_is_json_too(short: Path) -> None:
    done = _run("verify", str(short), "--unfinished", "--json")
    report = json.loads(done.stdout)
    assert report["valid"] is True
    assert report["gas"]["entry"]["statements"] == 2
    assert report["total_gas"] == sum(kind["gas"] for kind in report["gas"].values())
    assert report["not_on_chain"] == {"entries": 2}


def test_a_falsified_record_is_refused(tmp_path: Path) -> None:
    entries = published()["record_hearts"][:1]
    other = {**entries[0], "house_signature": published()["record_hearts"][1]["house_signature"]}
    path = tmp_path / "false.json"
    path.write_bytes(as_file([other]))
    done = _run("verify", str(path), "--unfinished")
    assert done.exit_code == 1
    assert "is not valid at entry 0" in done.output
    assert "bad_signature (/entries/0/house_signature)" in done.output


def test_a_record_of_another_house_is_refused(short: Path) -> None:
    done = _run("verify", str(short), "--unfinished", "--house", "A" * 43)
    assert done.exit_code == 1
    assert "wrong_house" in done.output


def test_what_is_no_record_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(b"no")
    done = _run("verify", str(path))
    assert done.exit_code == 2
    assert "[unreadable]" in done.output
    assert _run("verify", str(tmp_path / "missing.json")).exit_code == 2


def test_a_record_is_verified_on_a_node(short: Path) -> None:
    chain = LocalChain()
    with node(chain) as url:
        without = _run("verify", str(short), "--unfinished", "--node", url)
        assert without.exit_code == 1
        assert "[no_contracts]" in without.output
        chain.deploy_verifiers()
        done = _run("verify", str(short), "--unfinished", "--node", url, "--node", f"{url}/again")
        assert done.exit_code == 0, done.output
        assert "Judged by contracts on chain 31337" in done.output
        listed = json.loads(_run("contracts", "--node", url, "--json").output)
    assert [it["deployed"] for it in listed] == [True] * len(VERIFIERS)


def test_a_node_that_is_away_has_its_own_exit_code(short: Path) -> None:
    done = _run("verify", str(short), "--unfinished", "--node", "http://127.0.0.1:9")
    assert done.exit_code == 3
    assert "[node_unreachable]" in done.output


def test_the_transactions_deploy_the_contracts() -> None:
    lines = _run("contracts", "--transactions", "--chain-id", "1").output.splitlines()
    assert [json.loads(line) for line in lines] == [it.transaction(1) for it in placed().values()]


def test_the_list_names_addresses_and_hashes() -> None:
    done = _run("contracts", "papers")
    assert artifacts()["papers"].digest in done.output
    assert "seals" not in done.output

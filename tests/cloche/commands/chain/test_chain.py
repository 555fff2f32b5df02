"""`cloche chain` where the extra is not installed; `make chain` runs the rest."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from chain import evm
from chain.contracts import VERIFIERS
from cloche.main import main
from crypto.encoding import canonical
from tests.paths import VECTORS


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["chain", *arguments], catch_exceptions=False)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without py-evm, whether it has it or not."""
    evm._machine.cache_clear()
    for name in [name for name in sys.modules if name == "eth" or name.startswith("eth.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "eth", None)


@pytest.fixture
def hearts(tmp_path: Path) -> Path:
    path = tmp_path / "record.json"
    listed = json.loads((VECTORS / "records.json").read_text())
    record = next(item["output"]["record"] for item in listed if item["name"] == "record_hearts")
    path.write_bytes(canonical(record))
    return path


@pytest.mark.usefixtures("bare")
def test_without_the_extra_the_error_says_what_to_install(hearts: Path) -> None:
    done = _run("verify", str(hearts))
    assert done.exit_code == 2
    assert "[no_machine]" in done.output
    assert "pip install 'cloche[chain]'" in done.output


@pytest.mark.usefixtures("bare")
def test_the_contracts_are_listed_without_it() -> None:
    done = _run("contracts")
    assert done.exit_code == 0
    assert all(name in done.output for name in VERIFIERS)

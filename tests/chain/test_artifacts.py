"""What is deployed is what the sources say: constants are written again, and all is compiled again."""

from __future__ import annotations

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from chain.constants import generator_data, written
from chain.contracts import FOLDER, artifacts
from chain.evm import EvmChain
from chain.verifiers import Verifiers
from tests.chain.house_kit import BASE, KEY

SOURCES = sorted(FOLDER.glob("*.vy"))
LIMIT = 24_576
"""The most bytes of a contract's code (EIP-170)."""


def _builder() -> ModuleType:
    spec = spec_from_file_location("build", FOLDER / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_constants_are_as_the_script_writes_them(path: Path) -> None:
    source = path.read_text()
    assert written(source) == source


def test_a_changed_constant_is_written_right_again() -> None:
    """Else the test above would hold for a script that writes nothing."""
    for path in (FOLDER / f"{name}.vy" for name in ("keccak", "transcript", "seals", "ed25519", "group")):
        source = path.read_text()
        at = source.index("# constants: ")
        digit = next(i for i in range(source.index("= ", at), len(source)) if source[i].isdigit())
        changed = source[:digit] + ("2" if source[digit] == "1" else "1") + source[digit + 1 :]
        assert written(changed) == source, path


def test_the_artifacts_are_what_the_sources_compile_to() -> None:
    build = _builder()
    assert json.loads((FOLDER / "artifacts.json").read_text()) == build.artifacts()
    assert (FOLDER / "artifacts.json").read_text() == build.text(build.artifacts())


def test_every_contract_is_below_the_limit() -> None:
    chain = EvmChain()
    deployed = Verifiers.deployed(chain)
    for contract in (deployed.papers, deployed.seals, deployed.decks):
        assert 0 < len(chain.code(contract.address)) <= LIMIT
    for name, arguments in (("pantry", ("Copies of a house", BASE)), ("prizes", ())):
        creation = artifacts()[name].creation(deployed.papers.address, KEY, *arguments)
        assert 0 < len(chain.code(chain.deploy(creation).created)) <= LIMIT


def test_the_generators_are_data() -> None:
    chain = EvmChain()
    created = chain.deploy(artifacts()["generators"].creation()).created
    assert chain.code(created) == generator_data()
    assert len(generator_data()) <= LIMIT

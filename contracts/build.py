"""Write the constants into the contracts' sources, and compile them: `python contracts/build.py`.

It needs requirements-chain.lock. The result is `contracts/artifacts.json`, and nobody else needs a compiler.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EVM = "prague"
DEPLOYED = ("papers", "seals", "decks", "pantry", "prizes")
SHORT = ("pantry", "prizes")
"""Contracts that every house deploys anew, and that compute little themselves: their code is kept short."""


def compiled(name: str) -> dict[str, Any]:
    """The interface and the bytecode that deploys a contract."""
    import vyper
    from vyper.compiler.input_bundle import FilesystemInputBundle
    from vyper.compiler.settings import OptimizationLevel, Settings

    path = HERE / f"{name}.vy"
    level = OptimizationLevel.CODESIZE if name in SHORT else OptimizationLevel.GAS
    bundle = FilesystemInputBundle([HERE])
    with bundle.search_path(HERE):
        made = vyper.compile_from_file_input(
            bundle.load_file(path),
            input_bundle=bundle,
            output_formats=["abi", "bytecode"],
            settings=Settings(evm_version=EVM, optimize=level),
        )
    return {"abi": made["abi"], "bytecode": made["bytecode"]}


def artifacts() -> dict[str, Any]:
    """All contracts; that of the generators has data alone."""
    from chain.constants import generator_bytecode

    found = {"generators": {"abi": [], "bytecode": "0x" + generator_bytecode().hex()}}
    return found | {name: compiled(name) for name in DEPLOYED}


def text(found: dict[str, Any]) -> str:
    """The text of artifacts.json."""
    return json.dumps(found, indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Write all."""
    from chain.constants import written

    for path in sorted(HERE.glob("*.vy")):
        path.write_text(written(path.read_text()))
    (HERE / "artifacts.json").write_text(text(artifacts()))


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    main()

"""The curve engine from the command line: chosen, missing, misspelt."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import record_bytes
from tests.waiting import PATIENCE
from vectors.matches import chef

WITHOUT_THE_FAST_ONE = """
import sys
sys.modules["py_arkworks_bls12381"] = None  # as on a machine without a wheel: importing it fails
from cloche.main import main
main()
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engine") / "record.json"
    path.write_bytes(record_bytes(chef().entries))
    return path


def verify(record: Path, code: str, engine: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "CLOCHE_ENGINE"}
    if engine is not None:
        environment["CLOCHE_ENGINE"] = engine
    command = [sys.executable, "-c", code, "verify", str(record)]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.parametrize("engine", [None, "arkworks"])
def test_without_the_fast_engine_py_ecc_stands_in_and_it_says_so(record: Path, engine: str | None) -> None:
    done = verify(record, WITHOUT_THE_FAST_ONE, engine)
    assert done.returncode == 0, done.stderr
    assert "Engine  py_ecc" in done.stdout
    assert done.stderr.splitlines() == [
        "Note: the fast curve engine (py_arkworks_bls12381) is not installed, so the slow py_ecc is used."
    ]


@pytest.mark.parametrize("engine", ["arkworks", "py_ecc"])
def test_the_engine_can_be_chosen(record: Path, engine: str) -> None:
    done = verify(record, "from cloche.main import main; main()", engine)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Engine  {engine}" in done.stdout


@pytest.mark.parametrize("command", [["verify"], ["serve", "--port", "0", "--data"]])
def test_an_engine_that_does_not_exist_is_a_usage_error(
    tmp_path: Path, record: Path, command: list[str]
) -> None:
    last = str(record) if command == ["verify"] else str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "cloche", *command, last],
        env={**os.environ, "CLOCHE_ENGINE": "abacus"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "Error: CLOCHE_ENGINE=abacus: there are arkworks and py_ecc."

"""Processes that read and write lines of JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.load.json_process import ProcessEnded, json_process

pytestmark = pytest.mark.processes
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\nsys.exit(3)"


def test_a_process_answers_until_its_input_ends(tmp_path: Path) -> None:
    with json_process("An echo", [sys.executable, "-c", ECHO], tmp_path) as process:
        for number in range(2):
            process.tell({"number": number})
            assert process.hear() == {"number": number}
        process.finish()
        with pytest.raises(ProcessEnded, match=r"^An echo ended with 3; ") as caught:
            process.hear()
        assert caught.value.code == 3


def test_a_process_is_ended_with_its_block(tmp_path: Path) -> None:
    with json_process("An echo", [sys.executable, "-c", ECHO], tmp_path) as process:
        assert process.popen.poll() is None
    assert process.popen.poll() is not None
    assert process.input.closed
    assert process.output.closed

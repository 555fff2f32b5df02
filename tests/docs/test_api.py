"""docs/api.md: its match with curl is played as it is printed, and its codes are those that there are."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from referee import verify_record
from tests.paths import ROOT
from tests.stack import Stack

PAGE = (ROOT / "docs" / "api.md").read_text()
PAGES = "".join(path.read_text() for path in (ROOT / "docs").rglob("*.md"))
ADDRESS = "http://127.0.0.1:8040"
SCRIPT = "\n".join(re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL))
MAKERS = {
    "Fault": 0,
    "Problem": 1,
    "Refused": 0,
    "bad_request": 0,
    "conflict": 0,
    "forbidden": 0,
    "invalid": 0,
    "need": 1,
    "unauthorized": 0,
}
"""The functions that make a refusal, and the place of the code among their arguments."""
HEALTH = {"not_migrated", "not_working"}
"""The codes of /readyz and /healthz, which are for programs that look at the status alone."""
LIST = ("validation.py", "checks.py", "message.py", "bodies.py")
"""The files of the referee that judge a message before the rules do."""


@pytest.mark.parametrize("rounds", [1, pytest.param(None, marks=pytest.mark.long)])
def test_a_match_with_curl(open_stack, tmp_path: Path, rounds: int | None) -> None:
    """The blocks of the page in one shell, with the address of another house; or their first round alone."""
    missing = [tool for tool in ("bash", "curl", "jq") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {', '.join(missing)} on this machine")
    house: Stack = open_stack()
    script = replaced(SCRIPT, ADDRESS, house.url)
    if rounds is not None:
        script = replaced(script, "'.over | not'", f"'(.over | not) and .deals <= {rounds + 1}'")
        script = replaced(script, "verify match.json", "verify --unfinished match.json")
    command = tmp_path / ".venv" / "bin" / "cloche"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m cloche "$@"\n')
    command.chmod(0o755)
    played = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script + "\npwd"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert played.returncode == 0, played.stdout[-2000:] + played.stderr
    record = (Path(played.stdout.splitlines()[-1]) / "match.json").read_bytes()
    report = verify_record(record, unfinished=rounds is not None)
    assert report.valid
    assert report.checked["reveals"] >= 2 * (rounds or 4)
    kinds = [entry["kind"] for entry in json.loads(record)["entries"]]
    assert "timeout" not in kinds
    assert (kinds[-1] == "result") == (rounds is None)


def replaced(text: str, old: str, new: str) -> str:
    """Replace one place of a text, which must be there."""
    assert text.count(old) == 1, old
    return text.replace(old, new)


def _made(paths: Iterable[Path]) -> set[str]:
    """The codes of the refusals that these files make."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            at = MAKERS.get(name, len(node.args))
            code = node.args[at] if at < len(node.args) else None
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                found.add(code.value)
    return found


def _told() -> set[str]:
    """The codes in the tables of the page."""
    tables = PAGE.partition("<!-- codes -->")[2]
    rows = [line for line in tables.splitlines() if line.startswith("| ")]
    return {code for row in rows for code in re.findall(r"`([a-z][a-z0-9_]*)`", row)}


def test_every_code_of_the_service_stands_on_a_page() -> None:
    made = _made((ROOT / "service").rglob("*.py"))
    assert len(made) > 80
    assert made - set(re.findall(r"`([a-z][a-z0-9_]*)`", PAGES)) == HEALTH


def test_every_code_of_the_door_stands_on_the_page() -> None:
    made = _made(ROOT / "referee" / name for name in LIST)
    assert len(made) > 25
    assert made <= _told()


def test_every_code_of_the_page_is_made_somewhere() -> None:
    rooms = ("cloche", "service", "referee", "cards", "crypto")
    texts = "".join(path.read_text() for room in rooms for path in (ROOT / room).rglob("*.py"))
    assert not {code for code in _told() if f'"{code}"' not in texts}

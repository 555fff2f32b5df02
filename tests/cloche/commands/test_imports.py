"""Commands of a player start quickly: they import no service, which only the commands of a house need."""

from __future__ import annotations

import json
import subprocess
import sys

from cloche.main import SECTIONS
from tests.paths import ROOT

COMMANDS = [name for section, commands in SECTIONS.items() if section != "Run a house" for name in commands]
PROGRAM = """
import json, sys
from cloche.main import load
for name in json.loads(sys.argv[1]):
    load(name)
print(json.dumps([name for name in json.loads(sys.argv[2]) if name in sys.modules]))
"""
PROTOCOL = ["referee", "crypto", "Crypto"]
SLOW = ["service", "worker", "flask", "sqlalchemy", "celery", "gunicorn"]


def imported(commands: list[str], modules: list[str]) -> list[str]:
    """Those of the modules that a new process has imported once it has loaded the commands."""
    program = [sys.executable, "-c", PROGRAM, json.dumps(commands), json.dumps(modules)]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stdout)
    return found


def test_commands_without_a_house_import_no_service() -> None:
    assert len(COMMANDS) > 20
    assert imported(COMMANDS, SLOW) == []


def test_a_list_of_modes_needs_no_protocol() -> None:
    assert imported(["modes"], [*PROTOCOL, *SLOW]) == []


def test_serve_decides_how_metrics_count_before_they_are_imported() -> None:
    """The library reads at its import whether several processes count together."""
    program = "import sys, cloche.commands.house.serve; print('prometheus_client' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"

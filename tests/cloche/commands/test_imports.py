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
SLOW = ["service", "worker", "flask", "sqlalchemy", "celery", "gunicorn"]


def test_commands_without_a_house_import_no_service() -> None:
    assert len(COMMANDS) > 20
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(COMMANDS), json.dumps(SLOW)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == []


def test_serve_decides_how_metrics_count_before_they_are_imported() -> None:
    """The library reads at its import whether several processes count together."""
    program = "import sys, cloche.commands.house.serve; print('prometheus_client' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"

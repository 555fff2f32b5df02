"""The player's side runs in a Python that has no network, no POSIX files and no terminal."""

from __future__ import annotations

import subprocess
import sys

from tests.paths import ROOT

MISSING = [
    *[
        "httpx",
        "httpx_sse",
        "click",
        "rich",
        "prompt_toolkit",
        "sqlalchemy",
        "sqlmodel",
        "flask",
        "celery",
        "jsonschema",
    ],
    *["fcntl", "pwd", "grp", "termios", "tty", "resource", "ssl", "multiprocessing"],
]
"""Modules that a browser's Python lacks, or that no player's side may need."""

IMPORT_ALL = """
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys(sys.argv[1:]))
import player
print(*[importlib.import_module(m.name).__name__ for m in pkgutil.iter_modules(player.__path__, "player.")])
"""


def test_every_module_is_imported_without_what_a_browser_lacks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, *MISSING], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert {"player.session", "player.vault", "player.boosters"} <= set(done.stdout.split())

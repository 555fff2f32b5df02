"""Where Node.js or its registry is missing, the house opens without the page and says so."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cloche.commands.house import serve
from service.config import Settings
from tests.web.site_kit import SECONDS, need_node, sources


def built(program: Path, out: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What `make run` does before it opens the house."""
    command = [sys.executable, program, "--if-possible", "--out", out]
    given = {**os.environ, **environment}
    return subprocess.run(command, env=given, capture_output=True, text=True, timeout=SECONDS)


def test_without_node(tmp_path: Path) -> None:
    """An older page is removed: it would not fit the house."""
    out = tmp_path / "dist"
    out.mkdir()
    (out / "manifest.json").write_text("{}")
    done = built(sources(tmp_path / "sources"), out, PATH=str(tmp_path))
    assert (done.returncode, out.exists()) == (0, False)
    assert done.stderr.startswith("The house opens without its page: there is no node")


def test_without_a_registry(tmp_path: Path) -> None:
    need_node()
    nobody = {"npm_config_registry": "http://127.0.0.1:1/", "npm_config_cache": str(tmp_path / "cache")}
    program = sources(tmp_path / "sources")
    lock = program.with_name("package-lock.json")
    found = lock.read_text()
    done = built(program, tmp_path / "dist", npm_config_fetch_retries="0", **nobody)
    assert (done.returncode, (tmp_path / "dist").exists()) == (0, False)
    assert done.stderr.startswith("The house opens without its page: npm failed")
    assert lock.read_text() == found
    shutil.rmtree(program.parent)


def test_a_house_without_a_page_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    serve._welcome("http://127.0.0.1:1", (), Settings(), True, lambda: None, None, None)
    assert "Page     not built: this needs Node.js 20" in capsys.readouterr().out

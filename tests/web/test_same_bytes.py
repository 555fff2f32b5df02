"""The same sources give the same bytes, which everybody can compare with those that a house serves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from service.page import Page
from tests.cloche.here_kit import invoke
from tests.stack import Stack
from tests.web.site_kit import SECONDS, WEB, sources


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files_of(folder)}


def files_of(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.timeout(2 * SECONDS)
def test_another_place_time_and_order_give_the_same_bytes(page: Page, tmp_path: Path) -> None:
    """Nothing that an earlier build has compiled or compressed is used."""
    out, other = tmp_path / "built elsewhere", sources(tmp_path / "sources")
    (other.parent / "node_modules").symlink_to((WEB / "node_modules").resolve())
    environment = {**os.environ, "TZ": "Pacific/Auckland", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    command = [sys.executable, other, "--afresh", "--out", out]
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    here, there = contents(page.folder), contents(out)
    assert here.keys() == there.keys()
    assert [name for name in here if here[name] != there[name]] == []


def test_the_digests_that_are_printed_are_those_of_the_files(page: Page, house: Stack) -> None:
    """Those of the files as they are, those of the manifest, and those of what a browser is sent."""
    printed = invoke(("web", "--hash"), {})
    assert printed.exit_code == 0
    first, *rows = printed.stdout.splitlines()
    shown = {path: digest for digest, path in (row.split("  ") for row in rows)}
    told = house.get("/manifest.json").json()
    assert first == f"build {told['build']}"
    assert shown == {path: file["sha256"] for path, file in told["files"].items()}
    for path, digest in shown.items():
        asked = "/" if path == "/index.html" else path
        sent = httpx.get(f"{house.url}{asked}", headers={"Accept-Encoding": "identity"})
        assert sha256(sent.content).hexdigest() == digest, path
        assert len(sent.content) == told["files"][path]["bytes"]
        assert (
            re.search(r"\.[0-9a-f]{16}\.|-[\w-]{8}\.", path)
            or "immutable" not in sent.headers["cache-control"]
        )


def test_a_file_of_another_build_is_named(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "dist"
    shutil.copytree(page.folder, folder)
    (folder / "service.js").write_text("// another")
    (folder / "cloche.webmanifest").unlink()
    other = Page.built(folder)
    assert other is not None
    monkeypatch.setattr(Page, "built", classmethod(lambda cls: other))
    printed = invoke(("web", "--hash"), {})
    assert printed.exit_code == 1
    assert printed.stderr.splitlines()[1:] == ["  /cloche.webmanifest", "  /service.js"]
    assert sha256(b"// another").hexdigest() in printed.stdout

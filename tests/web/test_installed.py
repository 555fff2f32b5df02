"""The page can be installed, under icons of its own, and its About screen lists the digest of every file."""

from __future__ import annotations

import json
import subprocess

import httpx

from service.page import Page
from tests.stack import Stack
from tests.web.site_kit import HERE, SECONDS, WEB, chromium


def test_chromium_finds_nothing_in_the_way(page: Page, house: Stack) -> None:
    command = ["node", HERE / "installed.mjs", house.url, chromium(whole=True)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["faults"], found["obstacles"], found["violations"]) == ([], [], [])
    assert found["address"] == f"{house.url}/cloche.webmanifest"
    sizes = {name: width for name, (width, _) in found["differences"].items()}
    assert sorted(sizes.values()) == [180, 192, 512, 512]
    for icon in found["manifest"]["icons"]:
        assert icon["sizes"] == f"{sizes[icon['src']]}x{sizes[icon['src']]}"
    drawn = {name: difference for name, (_, difference) in found["differences"].items()}
    assert max(drawn.values()) < 2, "icons that web/tools/icons.mjs has not drawn from this picture"
    assert found["listed"] == page.digests


def test_the_manifest_is_served_as_one(page: Page, house: Stack) -> None:
    answer = house.get("/cloche.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    assert answer.headers["cache-control"] == "no-cache"
    told = answer.json()
    for icon in told["icons"]:
        sent = httpx.get(f"{house.url}{icon['src']}")
        assert (sent.headers["content-type"], sent.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
        assert "immutable" in sent.headers["cache-control"]


def test_its_colours_are_those_of_the_page() -> None:
    told = json.loads((WEB / "icons" / "app.webmanifest").read_text())
    front = (WEB / "page" / "index.html").read_text()
    tokens = (WEB / "page" / "tokens.css").read_text()
    assert f'content="{told["theme_color"]}" media="(prefers-color-scheme: light)"' in front
    assert f"--paper: light-dark({told['background_color']}," in tokens

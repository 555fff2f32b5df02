"""The whole build: its size, its calls, and a player's way through it in Chromium at a real house."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from benchmarks.browser import SIZE_BUDGETS, TIME_BUDGETS, measure, read, section, sizes
from service.page import Page
from tests.stack import Stack
from tests.web.site_kit import HERE, SECONDS, chromium


def test_the_sizes_keep_their_budgets(page: Page) -> None:
    """A language that is not asked for is not waited for."""
    found = sizes(page.folder, page.digests)
    assert (
        sum(path.startswith(("/kitchen.", "/pyodide.", "/stdlib.", "/rooms.")) for path in page.digests) == 6
    )
    assert {name for name, (most, _) in SIZE_BUDGETS.items() if not 0 < found[name] <= most} == set()


def test_times_are_measured_in_the_kitchen_itself(page: Page, house: Stack, tmp_path: Path) -> None:
    """Once each: how long it takes here is no matter of a test. `cloche bench --page` reports it."""
    chromium()
    found = measure(house.url, tmp_path, sizes(page.folder, page.digests), times=1)
    assert found.browser.startswith("Chromium ")
    assert {name: len(times) for name, times in found.times.items()} == dict.fromkeys(TIME_BUDGETS, 1)
    assert min(min(times) for times in found.times.values()) > 0
    assert read(found.text()) == found
    assert all(f"`{name}`" in section(found) for name in [*TIME_BUDGETS, *SIZE_BUDGETS])


def test_a_player_in_chromium(page: Page, house: Stack) -> None:
    """Register, play, verify; a second tab, a second device; and nothing that the policy forbids."""
    command = ["node", HERE / "browser.mjs", house.url, chromium()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["violations"], found["refused"]) == ([], ["worker", "blob"])
    assert found["hosts"] == [house.url]
    assert found["over"]["reason"] in ("resigned", "points")
    assert found["report"]["valid"]
    assert found["report"]["known_house"]
    assert found["replay"] == found["report"]["checked"]["entries"]
    assert found["secrets"] == []
    assert (found["second"], found["moved"]) == ("elsewhere", ["disk", "elsewhere"])
    assert (found["wrong"], found["unlocked"]) == ("cant_open", "browserplayer")
    assert (found["boxed"], found["device"], found["same"]) == (True, "browserplayer", True)

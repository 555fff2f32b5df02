"""Every screen of the page in Chromium at a real house: nothing unreadable, cut off, or moving unasked."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from service.page import Page
from tests.stack import Stack
from tests.web.furnished import furnish
from tests.web.pantry_kit import with_pantry
from tests.web.site_kit import HERE, chromium

SILENCE = 240
"""Seconds without a new screen after which the tour is ended. Each of its waits has a limit of 120 s."""
pytestmark = pytest.mark.timeout(2400)  # the way is long; `SILENCE` ends a tour that hangs much sooner
# fmt: off
SCREENS = {
    "landing", "learn", "learn-lid", "learn-sealed", "learn-end", "rules", "about", "lost", "verify",
    "watch", "album-stranger", "lobby-stranger", "register", "sign-in", "new-table", "new-table-dealer",
    "table-waiting", "opening", "table-first", "table-keys", "table", "envelope", "table-sealed",
    "reveal", "proof", "table-bill", "over", "hearts", "cribbage", "flip", "big-c", "lobby", "album",
    "card", "card-outside", "decks", "deck", "deck-cards", "deck-charts", "deck-share", "boosters",
    "boosters-opened", "market", "market-mine", "market-make", "market-prices", "verified", "replay",
    "profile", "results",
    "table-none", "opponents", "opponents-waiting", "challenge-accept", "leaders-none", "leaders",
    "player-self", "player", "challenge", "report", "table-say", "table-menu", "rename", "other-words",
    "order", "order-decide", "order-none", "order-log", "order-act", "order-player", "tournaments",
    "tournaments-none", "tournament-enter", "tournament-open", "tournament", "tournament-rule",
    "new-tournament",
}
# fmt: on
"""Every screen, and every state of one, that the way leads through."""
STOPS = {"wide": 8, "phone": 7}
"""Stops of the focus that every screen has: the header's alone are as many. A phone's tables have no tabs."""


@pytest.fixture(scope="module")
def house(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A house with this page, whose copies may leave as tokens."""
    with with_pantry(tmp_path_factory.mktemp("house")) as stack:
        yield stack


def told_by(tour: subprocess.Popen[str]) -> str:
    """The next line that the tour tells, nothing at its end. It is killed if it tells none for too long."""
    silent = threading.Timer(SILENCE, tour.kill)
    silent.start()
    try:
        return tour.stderr.readline()
    finally:
        silent.cancel()


@pytest.fixture(scope="module")
def tour(house: Stack, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Any:
    """What was found on the way through all screens."""
    known = furnish(house, tmp_path_factory.mktemp("players"))
    command = ["node", HERE / "screens" / "tour.mjs", house.url, chromium(), known.json()]
    if folder := request.config.getoption("--pictures"):
        command.append(Path(folder).resolve())
    printed, told = tmp_path_factory.mktemp("tour") / "found.json", list[str]()
    with printed.open("w") as file, subprocess.Popen(command, stdout=file, stderr=PIPE, text=True) as tour:
        while line := told_by(tour):
            told.append(line)
    assert tour.returncode == 0, "".join(told)[-3000:]
    return json.loads(printed.read_text().splitlines()[-1])


def test_every_screen_keeps_wcag_and_its_layout(tour: Any) -> None:
    """axe with the rules of WCAG 2.2 AA, wide and narrow, light and dark, German too; and readable text."""
    assert tour["screens"] == {name: [] for name in SCREENS}


def test_the_focus_is_seen_and_goes_in_order(tour: Any) -> None:
    assert {name: found["faults"] for name, found in tour["focus"].items()} == {
        name: [] for name in tour["focus"]
    }
    few = {name: found["stops"] for name, found in tour["focus"].items()}
    assert {name: n for name, n in few.items() if n < STOPS[name.rpartition("-")[2]]} == {}


def test_no_note_lies_on_what_has_the_focus(tour: Any) -> None:
    """Three notes that stay go out of the way of the focus, and stay. `focus` has what they would hide."""
    assert tour["notes"] == 3
    assert all(tour["focus"][f"notes-{size}"]["fled"] > 0 for size in ("wide", "phone"))


def test_a_phone_shows_plate_hand_and_seal_at_first_sight(tour: Any) -> None:
    """At the table of Pancake nobody scrolls to lay a card or to seal: at 390 by 844, and at 320 by 640."""
    assert tour["sight"] == []


def test_nothing_moves_for_who_wants_it_still(tour: Any) -> None:
    """With `prefers-reduced-motion` nothing takes longer than a fade of 80 ms."""
    assert tour["motion"] == {name: [] for name in SCREENS}


def test_a_reveal_is_told_once(tour: Any) -> None:
    """The live region says each round once: all its courses, in one text."""
    assert len(tour["said"]) >= 3
    assert {sum("Appetizer" in text for text in said) for said in tour["said"]} == {1}


def test_the_browser_reports_nothing(tour: Any) -> None:
    """No error of a script, and nothing that the policy refused."""
    assert tour["console"] == []

"""The page in Firefox ESR: the taught round, a new player, and a record that is verified there."""

from __future__ import annotations

from pathlib import Path

import pytest

from crypto.encoding import canonical
from tests.referee.table import Table
from tests.stack import Stack
from tests.waiting import until
from tests.web.marionette import Firefox

SECONDS = 180.0
HANDLE = "firefoxplayer"


@pytest.mark.long
def test_a_player_in_firefox(house: Stack, tmp_path: Path) -> None:
    table = Table.chef(5)
    table.play()
    record = tmp_path / "match.json"
    entries = [entry.json() for entry in table.record]
    record.write_bytes(canonical({"protocol": "cloche/v1", "entries": entries}))
    with Firefox(tmp_path, SECONDS) as browser:
        browser.go(f"{house.url}/#/learn")
        browser.find(".taught-hand .tile")
        for number in range(browser.run("return document.querySelectorAll('.taught-hand .tile').length")):
            browser.press(f".taught-hand li:nth-child({number + 1}) .tile")
        browser.press(".taught-end button:not(:disabled)")
        browser.press(".taught-end button:not(:disabled)")
        browser.find(".taught-end a.main")

        browser.go(f"{house.url}/#/register")
        browser.find(".six li")
        browser.write("input[autocomplete=username]", HANDLE)
        browser.press(".starter")
        browser.press(".tick input")
        browser.press("button.main:not(:disabled)")
        until(lambda: browser.run("return location.hash") == "#/lobby", SECONDS, "a new player's lobby")
        assert browser.run("return localStorage.getItem('cloche.file')") == HANDLE

        browser.go(f"{house.url}/#/verify")
        browser.write("input[type=file]", str(record))
        browser.find(".receipt.good")
        shown = browser.run("return document.querySelector('.receipt').innerText")
        assert all(player.name in shown for player in table.game.header.players)

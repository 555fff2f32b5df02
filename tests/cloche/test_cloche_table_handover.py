"""Two players at one terminal: each sees their own cards, and neither finds the other's on the screen."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from cloche.table.screen import CLEAR
from referee import verify_record
from tests.client.guests import PASSPHRASE, Invite
from tests.cloche.terminal import Terminal
from tests.stack import Stack


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


def test_the_terminal_is_handed_over_with_the_screen_cleared(invite: Invite) -> None:
    ada, ben = invite(), invite()
    names = [guest.vault.identity.handle for guest in (ada, ben)]
    slow = ["--option", "turn=300", "--option", "present=300"]
    with Terminal(["play", "big-c", "--hot-seat", str(ben.folder), *slow], ada.environment) as table:
        table.sees(r"Passphrase:")
        table.types(PASSPHRASE)
        while names:  # both present a card, whoever comes first
            name = table.sees(rf"({'|'.join(names)}), press Enter")[1]
            names.remove(name)
            before = table.screen()
            assert "Your hand" not in before, "nothing of the other's is left"
            table.types("")
            table.sees(rf"{name}, present>")
            assert "Your hand" in table.screen()
            assert table.raw.count(CLEAR) >= 2
            table.types("1")
        chooser = table.sees(r"(guest\w+), press Enter")[1]
        assert "Your hand" not in table.screen()
        table.types("")
        table.sees(rf"{chooser}, (lead|present)>")
        table.types("no such card")
        table.sees(r"I don't understand|no card")
        table.types("quit")
        table.sees(r"cloche play --game ([0-9a-f-]{36}) --hot-seat")
    [game] = [game["id"] for game in ada.api.games("running")]
    kinds = [(entry["kind"], entry["actor"]) for entry in json.loads(ada.api.record(game))["entries"]]
    assert {("move", "0"), ("move", "1")} <= {*kinds}
    report = verify_record(ada.api.record(game), unfinished=True)
    assert report.valid, report.fault

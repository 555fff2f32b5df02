"""One player in the page against one at a terminal, to the end of the match. Both verify it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from referee import verify_record
from tests.client.guests import PLAYED_OUT, Invite
from tests.cloche.terminal import Terminal
from tests.stack import Stack
from tests.web.site_kit import Flow

GOAL = 30
"""Points that somebody has at every end of `PLAYED_OUT` (docs/rules/chef.md, section 9)."""
END = r"^(?:You win|\S+ wins|A draw) \("
"""A line that ends the match. Of a course nobody may win, too, behind the name of the course."""


def test_a_browser_against_a_terminal(house: Stack, invite: Invite, tmp_path: Path) -> None:
    guest = invite()
    page = Flow("against_terminal", house.url)
    code = page.hears("http").rpartition("/")[2]
    with Terminal(["play", "--invitation", code], guest.environment, rows=50) as table:
        table.sees(r"redraw>")
        table.types("keep")
        rounds = 0
        while True:
            table.sees(rf"Pancake · round {rounds + 1}\b|{END}")
            if re.search(END, table.text(), re.MULTILINE):
                break
            rounds += 1
            serve(table)
            table.sees(rf"Round {rounds}\b|{END}")
        table.types("quit")
        assert table.ends() == 0
    found = page.found()
    record = guest.api.record(found["game"])
    here = verify_record(record).json()
    assert (here["valid"], here["outcome"]["reason"] in PLAYED_OUT) == (True, True)
    assert max(here["outcome"]["points"]) >= GOAL
    assert "timeout" not in {entry["kind"] for entry in json.loads(record)["entries"]}
    receipt = found["receipt"]
    assert (receipt["good"], receipt["verdict"]) == (True, "The record is valid")
    assert receipt["lines"]["Result"] == " : ".join(map(str, here["outcome"]["points"]))
    file = tmp_path / "record.json"
    file.write_bytes(record)
    with Terminal(["verify", str(file)], guest.environment, columns=200) as verify:
        verify.sees(r"record\.json is valid: Pancake")
        assert verify.ends() == 0
    assert (found["violations"], found["faults"]) == ([], [])


def serve(table: Terminal) -> None:
    """Seal the meal that the terminal suggests, or an empty one."""
    table.types("suggest")
    asked = table.types("serve")
    table.sees(r"\[y/N\]", since=asked)
    table.types("y")

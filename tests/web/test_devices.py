"""A player's devices: others by the box and by a file, a closed laptop, more games than connections."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from client.http import Api
from referee import verify_record
from tests.stack import Stack
from tests.web.site_kit import flow

MOST_STREAMS = 2
"""Streams of a page: the news about the player, and the game on the screen."""


def entries_of(house: Stack, game: str) -> list[dict[str, Any]]:
    """The entries of a record that is valid and in which nobody was late."""
    with Api(house.url) as api:
        record = api.record(game)
    assert verify_record(record).valid
    entries: list[dict[str, Any]] = json.loads(record)["entries"]
    assert [entry for entry in entries if entry["kind"] == "timeout"] == []
    return entries


def counts(entries: list[dict[str, Any]], kind: str) -> Counter[str]:
    """The entries of a kind, by the seat that sent them."""
    return Counter(entry["actor"] for entry in entries if entry["kind"] == kind)


def test_a_match_goes_on_on_other_devices_by_the_box_and_by_a_file(house: Stack) -> None:
    found = flow("second_device", house.url)
    entries = entries_of(house, found["game"])
    assert counts(entries, "seal") == counts(entries, "reveal") == {"0": 4, "1": 4}
    assert found["sealed"][0] == found["sealed"][1]
    # The laptop's file is refused, because the phone has changed the box; then it is merged and taken.
    assert set(found["puts"]) == {200, 412}
    assert found["puts"][-1] == 200
    assert found["devices"] == 3
    assert found["shown"] == ["You have won"] * 2
    assert (found["wrong"], found["faults"]) == ([0, 0], [])


def test_a_laptop_is_closed_with_an_envelope_and_without(house: Stack, tmp_path: Path) -> None:
    found = flow("closed_laptop", house.url, folder=str(tmp_path / "profile"))
    entries = entries_of(house, found["game"])
    assert counts(entries, "reveal") == {"0": 2, "1": 2}
    [ann] = {"0", "1"} - {entry["actor"] for entry in entries if entry["kind"] == "resign"}
    seals = [entry for entry in entries if entry["kind"] == "seal" and entry["actor"] == ann]
    assert ["envelope" in entry["body"] for entry in seals] == [True, False]
    assert found["waits"] == "waits"
    assert found["screen"] == "#/lobby"
    assert (found["shown"], found["faults"]) == ("You have won", [])


def test_a_page_goes_on_with_more_games_than_a_browser_has_connections(house: Stack) -> None:
    """A stream takes one of six for as long as it lasts: with one for each game the page would hang."""
    found = flow("many_games", house.url)
    assert len(set(found["games"])) == len(found["games"]) > 6
    assert max(found["streams"]) <= MOST_STREAMS
    assert found["faults"] == []

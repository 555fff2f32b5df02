"""A house by a name on plain http, where a browser keeps nothing safe."""

from __future__ import annotations

from tests.client.guests import Invite
from tests.stack import Stack
from tests.waiting import until
from tests.web.site_kit import flow


def test_plain_http_shows_and_verifies_and_registers_nobody(house: Stack, invite: Invite) -> None:
    guest = invite()
    table = guest.api.open_table("flip", bots=["easy"], options={"enter": 5})
    assert table.game is not None
    until(lambda: guest.api.game(str(table.game))["over"])  # nobody enters for us
    found = flow("plain_http", house.url, game=table.game)
    assert found["secure"] is False
    assert "The address has no TLS (https)." in found["said"]
    assert "Watching and verifying work here." in found["said"]
    assert found["verdict"] == "The record is valid"
    assert found["hosts"] == [f"cards.example:{house.url.rpartition(':')[2]}"]
    assert (found["faults"], found["violations"]) == ([], [])

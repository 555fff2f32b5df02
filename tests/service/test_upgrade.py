"""A house of an older version is opened by today's: what was over is over, what ran goes on to its end.

`upgrade/house_0003.json` was written by the program of that time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import MetaData

from crypto.encoding import unb64
from player.seat import OwnSeat
from referee import verify_record
from service import keys, migrations
from service.config import Settings
from service.db import Database
from service.operations.audit import audit
from service.runtime import Runtime
from tests.service.match_kit import Chair, Match, at_random, deck_of
from tests.service.service_kit import PASSWORD, Guest, app_of, open_house

OLD = json.loads((Path(__file__).parent / "upgrade" / "house_0003.json").read_text())
PUBLIC = unb64(OLD["house"]["public_key"])


@dataclass
class Upgraded:
    """The house after its upgrade, and its one player."""

    house: Runtime
    clock: list[int]
    ann: Guest

    def match(self, name: str) -> Match:
        """A game of ann's, as her program holds it: by her secrets and the record."""
        game_id, known = next(item for item in OLD["ann"]["games"].items() if item[1]["mode"] == name)
        rng = Random(name)
        deck = deck_of(self.ann, self.house) if name == "chef" else ()
        seat = OwnSeat(known["seat"], self.ann.private, bytes.fromhex(known["match_secret"]), deck)
        chair = Chair(self.ann, game_id, seat, at_random(rng, known["seat"]))
        match = Match(self.house, self.clock, game_id, [chair], rng)
        chair.catch_up()
        return match


@pytest.fixture
def upgraded(empty_url: str, tmp_path: Path) -> Iterator[Upgraded]:
    old = Database(empty_url)
    migrations.upgrade(old.engine, "0003")
    tables = MetaData()
    tables.reflect(old.engine)
    with old.engine.begin() as connection:
        for table in tables.sorted_tables:
            if rows := OLD["tables"].get(table.name):
                connection.execute(table.insert(), rows)
    migrations.upgrade(old.engine)  # as `cloche serve` does first
    old.dispose()
    data = tmp_path / "var"
    data.mkdir(mode=0o700)
    (data / keys.FILE).write_text(json.dumps(OLD["house"]))
    settings = Settings(
        database=empty_url,
        data=data,
        broker="memory://upgrade",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
    )
    clock = [OLD["now"]]
    house = open_house(settings, clock)
    ann = Guest(app_of(house).test_client(), "ann", bytes.fromhex(OLD["ann"]["private"]))
    issued = ann.post("/tokens", {"handle": "ann", "password": PASSWORD})
    assert issued.status_code == 201, issued.text
    ann.headers = {"Authorization": f"Bearer {issued.json['token']}"}
    yield Upgraded(house, clock, ann)
    house.close()


@pytest.mark.parametrize("name", ["chef", "hearts"])
def test_a_match_that_ran_goes_on_to_its_end(upgraded: Upgraded, name: str) -> None:
    """Pancake from a round's seals on: seals, reveals, an account; hearts in the middle of a round."""
    match = upgraded.match(name)
    began, chair = match.fold.seq, match.chairs[0]
    kinds: set[str] = set()
    for _ in range(200):
        match.step()
        kinds = {entry["kind"] for entry in _entries(upgraded, match)[began + 1 :]}
        if kinds >= ({"seal", "reveal", "account"} if name == "chef" else {"move"}):
            break
    assert "timeout" not in kinds
    assert match.fold.seq > began
    chair.catch_up()
    chair.send(chair.seat.resign(chair.game))
    match.work()
    report = verify_record(upgraded.ann.get(f"/games/{match.id}/record").data, PUBLIC)
    assert report.valid, report.fault
    assert report.game is not None
    assert report.game.outcome == match.fold.outcome


def test_what_was_over_verifies_as_before(upgraded: Upgraded) -> None:
    match = upgraded.match("over")
    assert match.fold.over
    assert verify_record(upgraded.ann.get(f"/games/{match.id}/record").data, PUBLIC).valid


def test_the_house_is_the_same_and_what_was_owned_is_owned(upgraded: Upgraded) -> None:
    assert upgraded.house.keys.public == PUBLIC
    copies = upgraded.ann.get("/collection").json["items"]
    assert sum(item["owned"] for item in copies) == len(OLD["tables"]["copy"])
    shown = upgraded.ann.get("/collection/copies?limit=200").json["items"]
    assert {(copy["soulbound"], copy["origin"]) for copy in shown} == {(True, "starter:trattoria")}
    assert {copy["id"]: copy["held_by"] for copy in shown} == {
        row["id"]: [row["held_by"]] if row["held_by"] else [] for row in OLD["tables"]["copy"]
    }
    with upgraded.house.read() as session:
        books = audit(session)
    assert (books.findings, books.copies) == ([], len(shown))
    begun = {game["id"] for game in upgraded.ann.get("/games").json["items"]}
    assert begun == set(OLD["ann"]["games"])


def _entries(upgraded: Upgraded, match: Match) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = upgraded.ann.get(f"/games/{match.id}/entries").json["entries"]
    return found

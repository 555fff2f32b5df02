"""A disk without room: nothing is changed by halves, the house says so, and goes on later."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from flask.testing import FlaskClient
from sqlalchemy import event, text
from structlog.testing import capture_logs

from service import db, disk
from service.app import create_app
from service.config import Settings
from service.runtime import Runtime
from tests.service.service_kit import Guest

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def with_least(house: Runtime, mib: int) -> FlaskClient:
    """Somebody at the same house, where so much must be free."""
    return create_app(house=replace(house, settings=replace(house.settings, disk_mib=mib))).test_client()


def fill(house: Runtime) -> Any:
    """Let no connection to an SQLite file add a page to it. SQLite reports that like a full disk."""

    def stop(connection: sqlite3.Connection, *_: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")

    house.database.dispose()
    event.listen(house.database.engine, "connect", stop)
    return stop


def free(house: Runtime, stop: Any) -> None:
    event.remove(house.database.engine, "connect", stop)
    house.database.dispose()


def test_a_house_with_too_little_room_is_not_ready(house: Runtime) -> None:
    more = (disk.free(house.settings.data) >> 20) + 1_000_000  # this machine does not have that
    with capture_logs() as logs:
        answer = with_least(house, more).get("/readyz")
    assert (answer.status_code, answer.json["code"]) == (503, "disk_full")
    [line] = [line for line in logs if line["event"] == "not_ready"]
    assert (line["reason"], line["log_level"], line["least_mib"]) == ("disk_full", "error", more)
    assert set(line["free_mib"]) == set(disk.folders(house.settings))
    assert with_least(house, 1).get("/readyz").status_code == 200
    assert with_least(house, 0).get("/readyz").status_code == 200


@ON_SQLITE
def test_a_full_disk_is_told_and_goes_by(house: Runtime, ann: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(db, "FULL_SECONDS", 3600.0)  # not too soon for a slow machine
    before = ann.get("/decks").json
    body = {"name": "Large", "cards": before["items"][0]["cards"]}
    stop = fill(house)
    with capture_logs() as logs:
        answers = [ann.post("/decks", body) for _ in range(30)]
        ready = ann.client.get("/readyz")
    refused = answers[-1]
    assert (refused.status_code, refused.json["code"]) == (503, "disk_full")
    assert int(refused.headers["Retry-After"]) > 0
    assert {answer.status_code for answer in answers} <= {201, 503}
    assert (ready.status_code, ready.json["code"]) == (503, "disk_full")
    told = [line["event"] for line in logs if line["log_level"] == "error"]
    assert set(told) == {"disk_full", "not_ready"}
    assert told.count("disk_full") == [answer.status_code for answer in answers].count(503)
    made = len(ann.get("/decks?limit=200").json["items"]) - len(before["items"])
    assert made == [answer.status_code for answer in answers].count(201)
    free(house, stop)
    assert ann.post("/decks", body).status_code == 201
    monkeypatch.setattr(db, "FULL_SECONDS", 0.0)
    assert ann.client.get("/readyz").status_code == 200


def test_what_both_databases_say_of_a_full_disk() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA max_page_count=1")
    with pytest.raises(sqlite3.OperationalError) as full:
        connection.execute("CREATE TABLE t (x)")
    with pytest.raises(sqlite3.OperationalError) as other:
        connection.execute("SELECT nothing")
    connection.close()
    assert disk.is_full(full.value)
    assert disk.is_full(psycopg.errors.DiskFull())
    assert not disk.is_full(other.value)
    assert not disk.is_full(psycopg.errors.OutOfMemory())
    assert not disk.is_full(None)


def test_an_error_of_another_kind_is_no_full_disk(house: Runtime) -> None:
    with pytest.raises(Exception, match="nothing"), house.read() as session:
        session.execute(text("SELECT nothing"))
    assert not house.database.full


def test_where_a_house_writes() -> None:
    assert disk.folders(Settings(database="postgresql://h/n")).keys() == {"data"}
    assert disk.folders(Settings()).keys() == {"data", "database"}

"""Whole card sets to take away: what the index says is what one gets, byte for byte."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from cards.catalog import card_sets
from cards.catalog.cards import Card
from cards.catalog.changes import digest
from cards.catalog.downloads import files
from service.config import UNLIMITED, Settings
from service.runtime import Runtime
from tests.service.service_kit import API, app_of


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    """One house for all; nobody plays here, so it has no tables."""
    folder = tmp_path_factory.mktemp("house")
    return Runtime.open(Settings(database=f"sqlite:///{folder}/house.sqlite3", data=folder, **UNLIMITED))


@pytest.fixture(scope="module")
def client(house: Runtime) -> FlaskClient:
    return app_of(house).test_client()


def index(client: FlaskClient) -> list[Any]:
    answer = client.get(f"{API}/bulk")
    assert answer.status_code == 200
    return list(answer.json["items"])


def test_every_file_is_what_the_index_says(client: FlaskClient, house: Runtime) -> None:
    items, newest = index(client), house.catalog.sets[0]
    versions = [known.version for known in (newest, *newest.earlier)]
    assert [item["name"] for item in items] == [
        f"PB-{version}.{form}" for version in versions for form in ("jsonl", "json", "yaml")
    ]
    for item in items:
        answer = client.get(item["uri"])
        assert (answer.status_code, answer.content_type) == (200, item["content_type"])
        assert len(answer.data) == item["size"]
        assert sha256(answer.data).hexdigest() == item["sha256"]
        assert answer.headers["ETag"] == f'"{item["sha256"]}"'
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert item["newest"] is (item["version"] == newest.version)
    assert client.get(f"{API}/bulk/PB-0.9.0.json").status_code == 404


def test_the_cards_are_those_of_the_house(client: FlaskClient, house: Runtime) -> None:
    version = house.catalog.sets[0].version
    text = client.get(f"{API}/bulk/PB-{version}.jsonl").text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["number"] for line in lines] == list(house.catalog.cards)
    for line in lines[::20]:
        shown = client.get(f"{API}/cards/{line['number']}").json
        assert {**line, "moved_to": None} == shown
        assert Card.from_text({name: line[name] for name in house.catalog.cards[1001].text()})
    whole = client.get(f"{API}/bulk/PB-{version}.json").json
    assert whole["cards"] == lines
    assert whole["set"]["version"] == version
    assert {starter["slug"] for starter in whole["starters"]} == set(house.catalog.starters)


@pytest.mark.parametrize("version", ["1.1.0", "1.0.0"])
def test_the_yaml_is_a_set_that_can_be_read(client: FlaskClient, tmp_path: Path, version: str) -> None:
    (tmp_path / "set.yaml").write_bytes(client.get(f"{API}/bulk/PB-{version}.yaml").data)
    read, ours = card_sets.load(tmp_path).sets[0], card_sets.load().sets[0].at(version)
    assert ours is not None
    assert digest(read) == digest(ours)
    assert read.printings == ours.printings


def test_the_bytes_are_the_same_whenever_they_are_made() -> None:
    files.cache_clear()
    first = {name: file.data for name, file in files(card_sets.load()).items()}
    files.cache_clear()
    card_sets._default.cache_clear()
    assert {name: file.data for name, file in files(card_sets.load()).items()} == first


def test_what_is_published_later_changes_no_file_of_before() -> None:
    """A later version, with an id that changed, leaves the files of the versions before as they are."""
    catalog = card_sets.load()
    before = files(catalog)
    newest = catalog.sets[0]
    later = replace(newest, version="9.0.0", earlier=(newest, *newest.earlier))
    after = files(type(catalog)([later]))
    assert {name: after[name].sha256 for name in before} == {n: f.sha256 for n, f in before.items()}


NEGOTIATED = [
    ("gzip", True),
    ("gzip, deflate, br", True),
    ("gzip;q=0.5", True),
    ("*", True),
    ("gzip;q=0", False),
    ("identity", False),
    ("gzip;q=0.5, identity", False),
    ("br", False),
    ("", False),
]


def test_it_is_compressed_for_who_wants_it(client: FlaskClient) -> None:
    for accept, packed in NEGOTIATED:
        _negotiate(client, accept, packed)


def _negotiate(client: FlaskClient, accept: str, packed: bool) -> None:
    plain = client.get(f"{API}/bulk/PB-1.1.0.json")
    answer = client.get(f"{API}/bulk/PB-1.1.0.json", headers={"Accept-Encoding": accept})
    assert answer.headers.get("Content-Encoding") == ("gzip" if packed else None)
    assert (gzip.decompress(answer.data) if packed else answer.data) == plain.data
    assert (answer.headers["ETag"] != plain.headers["ETag"]) is packed
    had = {"Accept-Encoding": accept, "If-None-Match": answer.headers["ETag"]}
    again = client.get(f"{API}/bulk/PB-1.1.0.json", headers=had)
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == answer.headers["ETag"]
    if packed:  # one form's tag does not stand for the other
        assert client.get(f"{API}/bulk/PB-1.1.0.json", headers={"If-None-Match": had["If-None-Match"]}).data

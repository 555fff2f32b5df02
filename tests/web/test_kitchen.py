"""The kitchen of a build, outside a browser: the rooms make and refuse the same bytes there as here."""

from __future__ import annotations

from pathlib import Path

import pytest

from cards import games
from cards.catalog import card_sets
from cards.catalog.changes import digest
from cards.decks import formats
from crypto.encoding import canonical
from referee import verify_record
from tests.paths import ROOT, VECTORS
from tests.referee.table import Table
from tests.web.site_kit import WEB, in_kitchen

MODES = {"chef": 2, "hearts": 4, "cribbage": 2, "flip": 2, "big-c": 3}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record of each mode, and with one whose last account was changed."""
    folder = tmp_path_factory.mktemp("records")
    for mode, seats in MODES.items():
        table = Table.chef(5) if mode == "chef" else Table.open(mode, seats, seed=5)
        table.play()
        entries = [entry.json() for entry in table.record]
        data = canonical({"protocol": "cloche/v1", "entries": entries})
        assert verify_record(data).valid
        (folder / f"{mode}.json").write_bytes(data)
    return folder


def test_every_vector_is_the_published_one() -> None:
    """Good ones have the same bytes, and bad ones are refused for the published reason."""
    found = in_kitchen("vectors_again", vectors=ROOT / "vectors", published=VECTORS)
    assert found["engines"] == ["mcl", "mcl"]
    assert [name for name, same in found["groups"].items() if not same] == []
    assert set(found["groups"]) == set(found["published"])


def test_a_record_of_each_mode_is_verified(records: Path) -> None:
    reports = in_kitchen("records_read", records=records)
    assert {report["mode"] for report in reports.values()} == set(MODES) <= set(games.names())
    for name, report in reports.items():
        here = verify_record((records / name).read_bytes()).json()
        assert {field: report[field] for field in here} == here, name


def test_a_falsified_byte_is_found(records: Path, tmp_path: Path) -> None:
    for mode in MODES:
        data = (records / f"{mode}.json").read_bytes()
        at = data.index(b'"house_signature":"', len(data) // 2) + 24
        changed = data[:at] + (b"A" if data[at : at + 1] != b"A" else b"B") + data[at + 1 :]
        (tmp_path / f"{mode}.json").write_bytes(changed)
    reports = in_kitchen("records_read", records=tmp_path)
    for name, report in reports.items():
        here = verify_record((tmp_path / name).read_bytes()).json()
        assert not here["valid"]
        assert report["fault"] == here["fault"], name


def test_the_card_sets_are_the_published_ones() -> None:
    """They come as JSON, which is read without PyYAML; each version has the digest that it has here."""
    found = in_kitchen("card_sets_read")
    here = card_sets.load()
    assert found["digests"] == [[digest(each) for each in (s, *s.earlier)] for s in here.sets]
    assert found["starters"] == {starter.slug: len(starter.counts) for starter in here.starters.values()}
    assert found["formats"] == {name: repr(each) for name, each in formats.load(here).items()}
    assert not found["yaml"]


def test_the_standard_library_of_the_build_is_what_the_rooms_load(records: Path) -> None:
    """No module is missing that some call would load, and the list does not grow by itself."""
    used = {name.removesuffix("c") for name in in_kitchen("modules_used", records=records)}
    kept = set((WEB / "stdlib.txt").read_text().split())
    assert used <= kept

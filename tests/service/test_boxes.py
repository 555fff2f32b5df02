"""The box: a locked file that the house keeps for a player's other devices."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest
from werkzeug.test import TestResponse

from player.seat import SealedChoice
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, GameNote, Identity
from service.operations.boxes import LONGEST
from tests.player.memory_disk import MemoryDisk
from tests.service.service_kit import Guest, codes

FILE = '{"kind": "cloche-player/1", "box": "bG9ja2Vk"}\n'


def tag(answer: TestResponse) -> str:
    """The tag that a change must name, computed from the answer alone."""
    return f'"{sha256(answer.data).hexdigest()}"'


def put(guest: Guest, file: str | None, if_match: str | None) -> TestResponse:
    headers = {} if if_match is None else {"If_Match": if_match}
    return guest.put("/me/box", {"file": file}, **headers)


def test_an_empty_box_has_a_tag_too(ann: Guest) -> None:
    empty = ann.get("/me/box")
    assert empty.json == {"file": None, "changed_at": None}
    assert empty.headers["ETag"] == tag(empty)
    assert empty.headers["Cache-Control"].startswith("private")


def test_what_was_put_is_there_until_it_is_taken_out(ann: Guest, bob: Guest) -> None:
    made = put(ann, FILE, tag(ann.get("/me/box")))
    assert made.status_code == 200
    found = ann.get("/me/box")
    assert (found.json["file"], found.headers["ETag"]) == (FILE, tag(made))
    assert bob.get("/me/box").json["file"] is None
    assert put(ann, None, tag(made)).json == {"file": None, "changed_at": None}
    assert ann.get("/me/box").json["file"] is None
    assert put(ann, None, "*").status_code == 200


def test_of_two_devices_one_is_told_to_read_first(ann: Guest) -> None:
    seen = tag(ann.get("/me/box"))
    assert put(ann, FILE, seen).status_code == 200
    crossed = put(ann, "other", seen)
    assert (crossed.status_code, crossed.json["code"]) == (412, "precondition_failed")
    blind = put(ann, "other", None)
    assert (blind.status_code, blind.json["code"]) == (428, "precondition_required")
    assert ann.get("/me/box").json["file"] == FILE


@pytest.mark.parametrize("length", [0, LONGEST + 1])
def test_a_file_of_no_length_or_too_long(ann: Guest, length: int) -> None:
    refused = put(ann, "x" * length, "*")
    assert (refused.status_code, codes(refused)) == (422, [("box_too_large", "/file")])
    assert bounds_of(ann)["most"] == LONGEST
    assert put(ann, "x" * LONGEST, "*").status_code == 200


def bounds_of(guest: Guest) -> dict[str, Any]:
    """What the house publishes of boxes."""
    [found] = [each for each in guest.get("/limits").json["bounds"] if each["name"] == "box"]
    return dict(found)


def test_two_devices_merge_what_both_have_begun(ann: Guest) -> None:
    """A device takes in what the other has put into the box, so no seal of either is lost."""
    who = Identity("ann", "http://house.test", bytes(32), bytes(range(32)), "password")
    here, there = MemoryDisk(), MemoryDisk()
    first = PlayerVault.create_on(here, "passphrase", who, LOWEST_COST)
    there.replace(here.read())
    second = PlayerVault.open_on(there, "passphrase")
    first.keep("a", GameNote(0, bytes(32), kept=SealedChoice(3, {"dishes": []}, bytes(32))))
    second.keep("b", GameNote(1, bytes(32)))
    unread = tag(ann.get("/me/box"))
    assert put(ann, here.read().decode(), unread).status_code == 200
    assert put(ann, there.read().decode(), unread).status_code == 412
    box = ann.get("/me/box")
    theirs = MemoryDisk()
    theirs.replace(box.json["file"].encode())
    second.take_in(PlayerVault.open_on(theirs, "passphrase").contents)
    assert put(ann, there.read().decode(), tag(box)).status_code == 200
    assert set(second.contents.games) == {"a", "b"}
    assert second.note("a") == first.note("a")

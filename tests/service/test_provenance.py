"""Every copy says where it came from and whose it has been, in a file that the house has signed."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import jsonschema
import pytest

from cards.pictures.token_metadata import SCHEMA
from crypto.encoding import canonical, parse, timestamp
from referee.ownership import CopyReport, verify_copy
from service import keys
from service.runtime import Runtime
from tests.service.booster_kit import bought, opened
from tests.service.service_kit import Guest

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


def provenance(guest: Guest, copy: str) -> tuple[bytes, CopyReport]:
    answer = guest.get(f"/collection/copies/{copy}/provenance")
    assert answer.status_code == 200, answer.text
    assert canonical(parse(answer.data)) == answer.data
    return answer.data, verify_copy(answer.data)


def first(guest: Guest) -> Any:
    return guest.get("/collection/copies").json["items"][0]


def test_a_copy_of_a_starter_deck(ann: Guest, house: Runtime) -> None:
    copy = first(ann)
    _, report = provenance(ann, copy["id"])
    assert report.valid, report.fault
    assert report.origin is not None
    assert report.origin.json() == {
        "copy": copy["id"],
        "card": copy["number"],
        "set": "PB",
        "number": copy["number"] - 1000,
        "serial": copy["serial"],
        "origin": "starter:trattoria",
        "soulbound": True,
        "at": copy["created_at"],
    }
    (owner,) = report.owners
    assert (owner.player, owner.kind, owner.transaction) == (ann.id, "starter", 1)
    assert timestamp(owner.at) == copy["created_at"]
    assert report.house_key == house.keys.public
    assert ann.get(f"/collection/copies/{copy['id']}").json == copy


def test_a_copy_out_of_a_booster(ann: Guest, house: Runtime) -> None:
    (booster,) = bought(house, ann)
    (*_, copy) = opened(ann, booster).json["copies"]
    _, report = provenance(ann, copy["id"])
    assert report.valid, report.fault
    assert report.origin is not None
    assert (report.origin.origin, report.origin.soulbound) == (f"booster:{booster}", False)
    assert [owner.kind for owner in report.owners] == ["opening"]


@ONE
def test_no_handle_is_in_it(ann: Guest) -> None:
    data, _ = provenance(ann, first(ann)["id"])
    assert ann.handle.encode() not in data
    assert ann.id.encode() in data


@ONE
def test_only_who_has_it_can_ask(ann: Guest, bob: Guest) -> None:
    copy = first(ann)["id"]
    for path in (f"/collection/copies/{copy}", f"/collection/copies/{copy}/provenance"):
        assert bob.get(path).status_code == 404
        assert ann.get(path.replace(copy, str(uuid4()))).status_code == 404
        assert ann.get(path.replace(copy, "x")).status_code == 404


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_new_key_of_the_house_signs_the_same(ann: Guest, house: Runtime) -> None:
    copy, old = first(ann)["id"], house.keys.public
    before = parse(provenance(ann, copy)[0])
    keys.rotate(house.settings.data)
    data, report = provenance(ann, copy)
    after = parse(data)
    assert report.house_key != old
    assert verify_copy(data, old, house.key_generations.successions).valid
    for document in (before, after):
        for statement in (document["origin"], *document["owners"], document["holder"]):
            del statement["signature"]
    assert (before["origin"], before["owners"]) == (after["origin"], after["owners"])


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_copy_can_be_taken_elsewhere_as_the_metadata_of_a_token(ann: Guest, house: Runtime) -> None:
    """The metadata has the published form, and the house's word in it is a file that verifies."""
    copy = first(ann)
    answer = ann.get(f"/collection/copies/{copy['id']}/metadata.json")
    assert answer.status_code == 200, answer.text
    document: Any = answer.json
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert document["name"].endswith(f"#{copy['serial']}")
    traits = {trait["trait_type"]: trait["value"] for trait in document["attributes"]}
    assert (traits["Serial"], traits["Origin"]) == (copy["serial"], "starter:trattoria")
    report = verify_copy(canonical(document["certificate"]), house.keys.public)
    assert report.valid, report.fault
    by_url = ann.get(f"/collection/copies/{copy['id']}/metadata.json?image=url").json
    assert by_url["image"].startswith("http")

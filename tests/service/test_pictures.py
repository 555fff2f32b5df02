"""Pictures over HTTP: of cards, and of the dishes of a match, for everybody who may look at it."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from hashlib import sha256
from xml.etree import ElementTree

import jsonschema
import pytest
from flask.testing import FlaskClient

from cards.pictures import picture
from cards.pictures.token_metadata import SCHEMA
from referee import read_entry, read_header
from referee.pictures import shown
from referee.record import parse_record
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.service_kit import API, Guest

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def test_a_card_has_a_picture_that_need_not_be_sent_twice(client: FlaskClient, house: Runtime) -> None:
    tuna = house.catalog.printings[house.catalog.by_slug("tuna").number]
    answer = client.get(f"{API}/cards/PB/{tuna.number_in_set}/picture.svg")
    assert answer.status_code == 200
    assert answer.mimetype == "image/svg+xml"
    assert answer.data.decode() == picture(tuna, "Pancake Base")
    tag = answer.headers["ETag"]
    assert tag == f'"{sha256(answer.data).hexdigest()}"'
    assert "max-age=86400" in answer.headers["Cache-Control"]
    again = client.get(f"{API}/cards/PB/27/picture.svg", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/cards/PB/999/picture.svg", "/cards/XX/27/picture.svg", "/cards/PB/0/picture.svg"]
)
def test_what_is_no_card_has_none(client: FlaskClient, path: str) -> None:
    answer = client.get(API + path)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_the_dishes_of_a_match_are_shown_to_whom_the_match_is(
    client: FlaskClient, house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    guest = seat("Mallory")
    match = sit_down(house, clock, (ann, bob), spectators=False)
    while not ann.get(f"/games/{match.id}/pictures").json["items"]:
        match.step()
        assert not match.fold.over
    path = f"/games/{match.id}/pictures"
    listed = ann.get(path)
    assert listed.headers["Cache-Control"] == "private, no-cache"
    assert client.get(API + path).status_code == 401
    assert guest.get(path).status_code == 403
    first, *others = listed.json["items"]
    assert guest.get(f"{path}/{first['name']}.svg").status_code == 403
    answer = bob.get(f"{path}/{first['name']}.svg")
    assert ElementTree.fromstring(answer.data).tag.endswith("svg")
    assert ann.get(f"{path}/1-1.svg").status_code == 404

    # The same picture is drawn from the record, by everybody who has it.
    entry, *entries = [read_entry(item) for item in parse_record(ann.get(f"/games/{match.id}/record").data)]
    drawn = list(shown(read_header(entry), entries))
    assert [each.name for each in drawn] == [item["name"] for item in (first, *others)]
    assert drawn[0].picture.draw().encode() == answer.data
    assert drawn[0].picture.title == first["title"]


def test_a_card_is_given_as_metadata_of_a_token(client: FlaskClient, house: Runtime) -> None:
    path = f"{API}/cards/PB/27/metadata.json"
    made = client.get(path).json
    jsonschema.validate(made, json.loads(SCHEMA.read_text(encoding="utf-8")))
    drawn = b64decode(made["image"].removeprefix("data:image/svg+xml;base64,"))
    assert drawn == client.get(f"{API}/cards/PB/27/picture.svg").data
    linked = client.get(f"{path}?image=url").json
    assert linked["image"] == "http://localhost/api/v1/cards/PB/27/picture.svg"
    assert client.get(linked["external_url"].removeprefix("http://localhost")).json["slug"] == "tuna"
    assert client.get(f"{path}?image=x").status_code == 422

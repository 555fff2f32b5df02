"""Entity tags: what one has is not sent again, and nobody's edit is lost under another's."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import Schema, fields
from sqlmodel import select
from werkzeug.test import TestResponse

from crypto.identity import new_private_key
from service.api import RESOURCES
from service.app import create_app
from service.models import Player
from service.problems import Problem, not_found
from service.runtime import Runtime
from service.web.blueprint import Blueprint
from service.web.context import house as this_house
from service.web.context import me
from service.web.etags import IF_MATCH, IF_NONE_MATCH, OWN, PUBLIC, read, unchanged
from tests.service.service_kit import API, PASSWORD, Guest, codes, house_in, registration
from tests.service.trade_kit import enrich

TAGGED = [
    *("/sets", "/sets/PB", "/cards", "/cards?q=t:recipe&limit=3", "/cards/tomato", "/starters"),
    *("/modes", "/limits", "/formats", "/formats/open", "/boosters/odds", "/rewards"),
]


@pytest.fixture(scope="module")
def house(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """One house for all: making an application takes longer than any of these tests."""
    opened = house_in(tmp_path_factory.mktemp("house"), migrated_file, [1_790_000_000_000])
    yield opened
    opened.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def somebody(app: Flask, handle: str, starter: str = "trattoria") -> Guest:
    """A player with a handle of this test's own."""
    guest = Guest(app.test_client(), f"{handle}-{uuid4().hex[:8]}", new_private_key())
    made = guest.post("/players", registration(guest, guest.handle, guest.private, starter))
    assert made.status_code == 201, made.json
    guest.id = made.json["id"]
    issued = guest.post("/tokens", {"handle": guest.handle, "password": PASSWORD})
    guest.headers = {"Authorization": f"Bearer {issued.json['token']}"}
    return guest


@pytest.fixture
def ann(app: Flask) -> Guest:
    return somebody(app, "ann")


@pytest.fixture
def bob(app: Flask) -> Guest:
    return somebody(app, "bob", "night-market")


# -- What only looks ----------------------------------------------------------


def test_a_tag_is_the_digest_of_the_body(client: FlaskClient) -> None:
    for path in TAGGED:
        answer = client.get(API + path)
        assert answer.headers["ETag"] == f'"{sha256(answer.data).hexdigest()}"'
        assert answer.headers["Cache-Control"] == PUBLIC
        assert client.get(API + path).headers["ETag"] == answer.headers["ETag"]


HAVING = ["{}", "W/{}", '"other", {}', '"a,b" ,, W/{} ,', '\t{}\t,"x"', "*", " * "]


def test_what_one_has_is_not_sent_again(client: FlaskClient) -> None:
    for path, method, form in product(TAGGED, ("GET", "HEAD"), HAVING):
        fresh = client.open(API + path, method=method)
        had = {IF_NONE_MATCH: form.format(fresh.headers["ETag"])}
        answer = client.open(API + path, method=method, headers=had)
        assert (answer.status_code, answer.data) == (304, b"")
        for name in ("ETag", "Cache-Control", "Vary"):  # RFC 9110, section 15.4.5
            assert answer.headers.get(name) == fresh.headers.get(name)
        assert "Content-Type" not in answer.headers


def test_a_head_says_what_a_get_would(client: FlaskClient) -> None:
    head, get = client.head(f"{API}/cards/tomato"), client.get(f"{API}/cards/tomato")
    assert head.data == b""
    assert head.headers["ETag"] == get.headers["ETag"]
    assert head.headers["Content-Length"] == str(len(get.data))


@pytest.mark.parametrize("header", ['"other"', 'W/"other"', '"", "x"'])
def test_what_one_lacks_is_sent(client: FlaskClient, header: str) -> None:
    answer = client.get(f"{API}/cards/tomato", headers={IF_NONE_MATCH: header})
    assert (answer.status_code, answer.json["slug"]) == (200, "tomato")


def test_two_cards_have_two_tags(client: FlaskClient, house: Runtime) -> None:
    tags = {client.get(f"{API}/cards/{number}").headers["ETag"] for number in list(house.catalog.cards)[:60]}
    assert len(tags) == 60


MALFORMED = [
    "",
    " ",
    ",",
    "tag",
    '"',
    '"a',
    'a"',
    '"a" "b"',
    '*, "a"',
    '"a", *',
    'w/"a"',
    "W/",
    'W/ "a"',
    '"a b"',
    "**",
]


def test_a_header_that_cannot_be_read_is_a_400(client: FlaskClient) -> None:
    for header, text in product((IF_MATCH, IF_NONE_MATCH), MALFORMED):
        answer = client.get(f"{API}/cards/tomato", headers={header: text})
        assert (answer.status_code, answer.json["code"]) == (400, "bad_precondition")
        assert codes(answer) == [("bad_precondition", header)]
        assert "ETag" not in answer.headers


def test_a_refusal_has_no_tag_and_is_not_kept(client: FlaskClient) -> None:
    answer = client.get(f"{API}/cards/no-such-card", headers={IF_NONE_MATCH: "*"})
    assert answer.status_code == 404
    assert "ETag" not in answer.headers
    assert answer.headers["Cache-Control"] == "no-store"


def test_if_match_holds_for_what_only_looks_too(client: FlaskClient) -> None:
    tag = client.get(f"{API}/cards/tomato").headers["ETag"]
    for header, status in ((tag, 200), ("*", 200), (f"W/{tag}", 200), ('"other"', 412), ('W/"other"', 412)):
        assert client.get(f"{API}/cards/tomato", headers={IF_MATCH: header}).status_code == status
    both = {IF_MATCH: '"other"', IF_NONE_MATCH: tag}  # RFC 9110, section 13.2.2: If-Match comes first
    assert client.get(f"{API}/cards/tomato", headers=both).status_code == 412


def test_what_depends_on_who_asks_is_kept_by_them_alone(client: FlaskClient, ann: Guest, bob: Guest) -> None:
    strangers = client.get(f"{API}/cards?limit=1")
    assert (strangers.headers["Cache-Control"], strangers.headers["Vary"]) == (PUBLIC, "Authorization")
    mine, theirs = (guest.get("/cards?limit=200&q=own>=3") for guest in (ann, bob))
    assert (mine.headers["Cache-Control"], mine.headers["Vary"]) == (OWN, "Authorization")
    assert mine.headers["ETag"] != theirs.headers["ETag"]
    assert "Vary" not in client.get(f"{API}/cards/tomato").headers


@settings(max_examples=40, deadline=None)
@given(
    tags=st.lists(
        st.tuples(
            st.booleans(),
            st.text(
                st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters='"\x7f'),
                min_size=1,
                max_size=8,
            ).filter(lambda text: not any("\x80" <= c <= "\x9f" for c in text)),
        ),
        min_size=1,
        max_size=5,
    ),
    gap=st.sampled_from([",", ", ", "\t,\t", ", ,"]),
)
def test_every_list_of_tags_is_read(tags: list[tuple[bool, str]], gap: str) -> None:
    text = gap.join(f'{"W/" if weak else ""}"{opaque}"' for weak, opaque in tags)
    with Flask("tags").test_request_context(headers={IF_MATCH: text}):
        found = read(IF_MATCH)
        assert found is not None
        for _weak, opaque in tags:
            strong = (False, opaque) in tags
            assert found.contains(opaque) is strong
            assert found.contains_weak(opaque)


@given(text=st.text(st.sampled_from('"*W/, a'), max_size=10))
def test_what_is_read_is_a_list_by_the_grammar(text: str) -> None:
    """Against a reading of our own, character by character: RFC 9110, sections 5.6.1.2 and 8.8.3."""
    with Flask("tags").test_request_context(headers={IF_MATCH: text}):
        try:
            found = read(IF_MATCH)
        except Problem:
            found = None
    assert (found is not None) == (text.strip(" ") == "*" or _is_list(text))


def _is_list(text: str) -> bool:
    tags, parts, inside = 0, [""], False
    for c in text:
        inside ^= c == '"'
        if c == "," and not inside:
            parts.append("")
        else:
            parts[-1] += c
    for part in (part.strip(" ") for part in parts):
        bare = part.removeprefix("W/")
        if bare and not (len(bare) >= 2 and bare[0] == bare[-1] == '"' and not set(bare[1:-1]) & set('" ')):
            return False
        if part and not bare:
            return False
        tags += bool(part)
    return tags > 0


# -- What changes -------------------------------------------------------------

notes = Blueprint("notes", "What a player is called: something that can be read and changed.")


class NoteView(Schema):
    handle = fields.String(required=True)


@notes.route("/note")
@notes.cached(OWN)
@notes.signed_in
@notes.gives(NoteView)
def get_note() -> Player:
    """My handle."""
    with this_house().read() as session:
        return session.get_one(Player, me().id)


def _rename(handle: str, check: Any) -> Player:
    with this_house().write() as session:
        player = session.exec(select(Player).where(Player.id == me().id).with_for_update()).one()
        if handle == "nobody":
            raise not_found("handle")
        check(player)
        player.handle = handle
        return player


@notes.route("/note", "PUT")
@notes.signed_in
@notes.needs_if_match
@notes.takes(NoteView)
@notes.gives(NoteView)
@notes.refuses(404)
def put_note(body: dict[str, str]) -> Player:
    """Change it."""
    return _rename(body["handle"], unchanged(NoteView))


@notes.route("/note", "DELETE")
@notes.signed_in
@notes.needs_if_match
@notes.gives(None, 204)
def delete_note() -> None:
    """Forget it."""
    _rename("forgotten", unchanged(NoteView))


@pytest.fixture(scope="module")
def app(house: Runtime) -> Flask:
    return create_app(house=house, resources=[*RESOURCES, notes])


def change(guest: Guest, handle: str, tag: str | None, key: str | None = None) -> TestResponse:
    """PUT /note."""
    given = {IF_MATCH: tag, "Idempotency-Key": key}
    headers = {**guest.headers, **{name: value for name, value in given.items() if value is not None}}
    return guest.client.put(f"{API}/note", json={"handle": handle}, headers=headers)


def etag(guest: Guest) -> str:
    """The tag of what is there."""
    return guest.get("/note").headers["ETag"]


def test_a_change_of_what_one_has_seen_is_made(ann: Guest) -> None:
    # A proxy that compresses an answer marks its tag as weak, and the client sends back what it has read.
    for number, form in enumerate(("{}", "*", '"x", {}', '{}, W/"x"', "W/{}", '"x", W/{}')):
        answer = change(ann, f"anna{number}", form.format(etag(ann)))
        assert (answer.status_code, answer.json) == (200, {"handle": f"anna{number}"})
        assert "ETag" not in answer.headers  # RFC 9110, section 9.3.4
        assert f'"{sha256(answer.data).hexdigest()}"' == etag(ann)


def test_a_change_of_anything_else_is_refused(ann: Guest) -> None:
    now = etag(ann)
    for form in ('"x"', 'W/"x"', 'W/"x", "y"'):
        answer = change(ann, "anna", form)
        assert (answer.status_code, answer.json["code"]) == (412, "precondition_failed")
        assert answer.json["etag"] == now == etag(ann)


def test_a_change_must_say_what_it_changes(ann: Guest) -> None:
    now = etag(ann)
    answer = change(ann, "anna", None)
    assert (answer.status_code, answer.json["code"]) == (428, "precondition_required")
    assert codes(answer) == [("required", IF_MATCH)]
    assert etag(ann) == now


def test_of_two_who_change_the_same_one_is_told(ann: Guest) -> None:
    seen = etag(ann)
    assert change(ann, "first", seen).status_code == 200
    assert change(ann, "second", seen).status_code == 412
    assert ann.get("/note").json == {"handle": "first"}


def test_a_precondition_that_cannot_be_read_changes_nothing(ann: Guest) -> None:
    before = etag(ann)
    for text in MALFORMED:
        answer = change(ann, "anna", text)
        assert (answer.status_code, answer.json["code"], etag(ann)) == (400, "bad_precondition", before)


def test_other_refusals_come_before_a_failed_precondition(ann: Guest, client: FlaskClient) -> None:
    """RFC 9110, section 13.2.1; nobody but its owner is told whether a tag is current."""
    assert change(ann, "nobody", '"x"').status_code == 404
    invalid = ann.client.put(f"{API}/note", json={}, headers={**ann.headers, IF_MATCH: '"x"'})
    assert invalid.status_code == 422
    assert client.put(f"{API}/note", json={"handle": "x"}, headers={IF_MATCH: "*"}).status_code == 401


def test_a_repeat_under_its_key_gets_the_first_answer(ann: Guest) -> None:
    seen, key = etag(ann), str(uuid4())
    first = change(ann, "anna", seen, key)
    again = change(ann, "anna", seen, key)
    assert (again.status_code, again.data) == (first.status_code, first.data) == (200, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert change(ann, "anna", seen).status_code == 412  # which is what it would have been told


def test_a_repeated_deletion_gets_the_first_answer(ann: Guest) -> None:
    headers = {**ann.headers, IF_MATCH: etag(ann), "Idempotency-Key": "gone"}
    answers = [ann.client.delete(f"{API}/note", headers=headers) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [204, 204]


def test_after_a_failed_precondition_the_key_is_free(ann: Guest) -> None:
    key = str(uuid4())
    assert change(ann, "anna", '"x"', key).status_code == 412
    assert change(ann, "anna", None, key).status_code == 428
    answer = change(ann, "anna", etag(ann), key)
    assert answer.status_code == 200
    assert "Idempotency-Replayed" not in answer.headers


def test_the_document_tells_of_the_headers(client: FlaskClient) -> None:
    paths = client.get("/api/openapi.json").json["paths"]
    put, get = paths["/api/v1/note"]["put"], paths["/api/v1/note"]["get"]
    assert {(p["name"], p["required"]) for p in put["parameters"]} == {
        (IF_MATCH, True),
        ("Idempotency-Key", False),
    }
    assert {"409", "412", "428"} <= set(put["responses"])
    assert [(p["name"], p["required"]) for p in get["parameters"]] == [(IF_NONE_MATCH, False)]
    assert {"304", "412"} <= set(get["responses"])
    assert "ETag" in get["responses"]["200"]["headers"]


# -- What is created ----------------------------------------------------------


def _created(guest: Guest, house: Runtime, app: Flask) -> dict[str, TestResponse]:
    """An answer with 201 of each operation that creates something with an address, by the address."""
    body = registration(guest, f"new-{uuid4().hex[:8]}", new_private_key())
    deck = guest.post("/decks", {"name": "Mine", "cards": {"tuna": 1}})
    enrich(house, guest, coins=1)
    hook = {"url": "https://example.org/", "events": ["*"]}
    return {
        "/players/{handle}": Guest(app.test_client(), "new", b"").post("/players", body),
        "/decks/{id}": deck,
        "/decks/{id} of a copy": guest.post(f"/decks/{deck.json['id']}/copy", {}),
        "/offers/{id}": guest.post("/offers", {"gives": {"coins": 1}, "wants": {"cards": {"tuna": 1}}}),
        "/tables/{id}": guest.post("/tables", {"mode": "hearts"}),
        "/webhooks/{id}": guest.post("/webhooks", hook),
    }


def test_what_was_created_is_where_the_answer_says(ann: Guest, house: Runtime, app: Flask) -> None:
    for path, made in _created(ann, house, app).items():
        assert made.status_code == 201, (path, made.text)
        assert made.location == API + path.partition(" ")[0].format_map(made.json)
        found = ann.client.get(made.location, headers=ann.headers)
        assert found.status_code == 200, path
        assert found.json == {name: made.json[name] for name in found.json}, path
        assert made.headers.get("ETag") == found.headers.get("ETag"), path


def test_a_new_deck_can_be_edited_by_the_tag_that_it_came_with(ann: Guest) -> None:
    ann.headers["Idempotency-Key"] = str(uuid4())
    made, again = (ann.post("/decks", {"name": "Mine", "cards": {"tuna": 1}}) for _ in range(2))
    assert (again.headers["ETag"], again.location) == (made.headers["ETag"], made.location)
    del ann.headers["Idempotency-Key"]
    headers = {**ann.headers, IF_MATCH: made.headers["ETag"]}
    changed = ann.client.patch(made.location, json={"name": "Better"}, headers=headers)
    assert (changed.status_code, changed.json["name"]) == (200, "Better")


def test_the_document_tells_where_what_was_created_is(client: FlaskClient) -> None:
    paths = client.get("/api/openapi.json").json["paths"]
    told = paths["/api/v1/decks"]["post"]["responses"]["201"]["headers"]
    assert {"Location", "ETag", "X-RateLimit-Limit"} <= told.keys()
    assert "ETag" not in paths["/api/v1/tables"]["post"]["responses"]["201"]["headers"]

"""Idempotency keys: what is sent again under its key is answered again, and done once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select
from werkzeug.test import TestResponse

from crypto.encoding import b64
from crypto.identity import new_private_key
from service.app import create_app
from service.config import Settings
from service.models import AnswerRow, Token
from service.models.base import metadata
from service.operations import collection, decks, idempotency
from service.runtime import Runtime
from tests.service.match_kit import deck_id, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import API, PASSWORD, Guest, codes, registration
from tests.service.trade_kit import offer_one
from tests.waiting import PATIENCE

HOUR = 3_600_000
Ready = tuple[Guest, str, Any]


def ask(guest: Guest, path: str, body: Any, key: str | None = None) -> TestResponse:
    """POST under a key."""
    headers = {**guest.headers, **({} if key is None else {"Idempotency-Key": key})}
    return guest.client.post(API + path, json=body, headers=headers)


def rows(house: Runtime) -> dict[str, list[str]]:
    """All that the database holds."""
    with house.read() as session:
        return {
            table.name: sorted(repr(tuple(row)) for row in session.execute(table.select()))
            for table in metadata.sorted_tables
        }


def register(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    return ann, "/players", registration(ann, "carol", new_private_key())


def sign_in(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    return ann, "/tokens", {"handle": "ann", "password": PASSWORD}


def mint(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    return ann, "/collection/basics", {"cards": {"salt": 2}}


def build(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    return ann, "/decks", {"name": "Soup", "cards": {"salt": 2}}


def open_table(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    return ann, "/tables", {"mode": "chef", "deck": deck_id(ann)}


def join(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    table = ann.post("/tables", {"mode": "chef", "deck": deck_id(ann)}).json
    return bob, f"/tables/{table['id']}/join", {"deck": deck_id(bob)}


def leave(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    table = ann.post("/tables", {"mode": "hearts", "seats": 4}).json
    bob.post(f"/tables/{table['id']}/join", {})
    return bob, f"/tables/{table['id']}/leave", None


def certify(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    match = sit_down(house, [house.now()], [ann, bob])
    return ann, f"/games/{match.id}/certificate", {"seat": 0, "seed": b64(bytes(32))}


def enter(ann: Guest, bob: Guest, house: Runtime) -> Ready:
    match = sit_down(house, [house.now()], [ann, bob])
    return ann, match.chairs[0].path, match.chairs[0].message().json()


@pytest.mark.parametrize("prepare", [register, sign_in, mint, build, open_table, join, leave, certify, enter])
def test_the_same_request_gets_the_same_answer_and_does_nothing_more(
    prepare: Callable[..., Ready], ann: Guest, bob: Guest, house: Runtime
) -> None:
    guest, path, body = prepare(ann, bob, house)
    key = str(uuid4())
    first = ask(guest, path, body, key)
    assert first.status_code in (200, 201), first.text
    assert "Idempotency-Replayed" not in first.headers
    before = rows(house)
    second = ask(guest, path, body, key)
    assert (second.status_code, second.data) == (first.status_code, first.data)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.content_type == first.content_type
    assert second.headers["X-Request-Id"] != first.headers["X-Request-Id"]
    assert rows(house) == before


def _posts(client: FlaskClient) -> list[tuple[str, dict[str, Any]]]:
    document: Any = client.get("/api/openapi.json").json
    return [(path, methods["post"]) for path, methods in document["paths"].items() if "post" in methods]


_ASKED = ("validate", "convert", "statistics", "statistics.svg", "hands", "suggestions", "missing")
ONLY_ASKS = {
    *(f"/api/v1/decks/{name}" for name in _ASKED),
    *(f"/api/v1/{name}" for name in ("market/cost", "me/export", "tokens/challenge")),
}
"""POSTs that change nothing."""
ENDS_ALL = "/api/v1/me/deletion"
"""The POST that keeps nothing under a key because it deletes what is kept. Its repeat finds no account."""
KNOWS_REPEATS = "/api/v1/games/{game_id}/entries"
"""The POST that keeps nothing under a key: an accepted message tells its repeats, and no refusal is kept."""


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_every_post_that_changes_something_honours_a_key(ann: Guest, bob: Guest) -> None:
    named, nobody = set(), replace(ann, headers={})
    for path, operation in _posts(ann.client):
        parameters = {p["name"]: p for p in operation.get("parameters", ())}
        for guest in (ann, bob, nobody):
            guest.headers.update({"If-Match": "*"} if "If-Match" in parameters else {})
        url = path.replace("{number}", "1").replace("{", "").replace("}", "").removeprefix(API)
        if "Idempotency-Key" not in parameters:
            assert "Idempotency-Replayed" not in ask(ann, url, {}, "k").headers
            continue
        named.add(path)
        assert parameters["Idempotency-Key"]["in"] == "header"
        assert "409" in operation["responses"]
        odd = ask(ann, url, {}, "not one word")
        assert (odd.status_code, odd.json["code"]) == (400, "bad_idempotency_key"), path
        first, second = ask(ann, url, {}, "k"), ask(ann, url, {}, "k")
        if path == KNOWS_REPEATS:
            assert "Idempotency-Replayed" not in second.headers
            continue
        assert (first.status_code, first.data) == (second.status_code, second.data), path
        assert second.headers["Idempotency-Replayed"] == "true", path
        if "security" in operation:  # nobody else gets it by the key
            assert ask(nobody, url, {}, "k").status_code == 401, path
            assert "Idempotency-Replayed" not in ask(bob, url, {}, "k").headers, path
    assert named == {path for path, _ in _posts(ann.client)} - ONLY_ASKS - {ENDS_ALL}


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize("key", ["", " ", "two words", "x" * 256, "caf\xe9", "a\tb"])
def test_a_key_is_visible_ascii(ann: Guest, house: Runtime, key: str) -> None:
    before = rows(house)
    answer = ask(ann, "/decks", {"name": "x", "cards": {}}, key)
    assert answer.status_code == 400
    assert codes(answer) == [("bad_idempotency_key", "Idempotency-Key")]
    assert rows(house) == before
    assert ask(ann, "/decks", {"name": "x", "cards": {}}, "!" * 254 + "~").status_code == 201


def test_a_key_is_for_one_body(ann: Guest, house: Runtime) -> None:
    first = ask(ann, "/decks", {"name": "one", "cards": {}}, "k")
    before = rows(house)
    other = ask(ann, "/decks", {"name": "two", "cards": {}}, "k")
    assert (other.status_code, other.json["code"]) == (409, "idempotency_key_reused")
    assert rows(house) == before
    assert ask(ann, "/decks", {"name": "one", "cards": {}}, "k").data == first.data


def test_a_key_is_of_one_player_method_and_path(ann: Guest, bob: Guest) -> None:
    body = {"name": "one", "cards": {}}
    made = {ask(guest, "/decks", body, "k").json["id"] for guest in (ann, bob)}
    assert len(made) == 2
    assert ask(ann, "/collection/basics", {"cards": {"salt": 1}}, "k").status_code == 201
    # The player counts, not the token with which they ask.
    token = ann.post("/tokens", {"handle": "ann", "password": PASSWORD}).json["token"]
    elsewhere = replace(ann, headers={"Authorization": f"Bearer {token}"})
    assert ask(elsewhere, "/decks", body, "k").json["id"] in made


def test_without_a_key_everything_is_new(ann: Guest, house: Runtime) -> None:
    body = {"name": "one", "cards": {}}
    assert ask(ann, "/decks", body).json["id"] != ask(ann, "/decks", body).json["id"]
    assert rows(house)["idempotency"] == []


def test_a_refusal_stands(ann: Guest, bob: Guest) -> None:
    table = ann.post("/tables", {"mode": "hearts", "seats": 4}).json["id"]
    bob.post(f"/tables/{table}/join", {})
    refused = ask(bob, f"/tables/{table}/join", {}, "k")
    assert (refused.status_code, refused.json["code"]) == (409, "already_seated")
    bob.post(f"/tables/{table}/leave", None)
    again = ask(bob, f"/tables/{table}/join", {}, "k")
    assert again.data == refused.data
    assert again.content_type == "application/problem+json"
    assert again.headers["Idempotency-Replayed"] == "true"
    assert ask(bob, f"/tables/{table}/join", {}, "l").status_code == 200


def test_a_refusal_that_has_changed_something_is_kept_with_the_change(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    table = ann.post("/tables", {"mode": "chef", "deck": deck_id(ann)}).json["id"]
    offer_one(house, ann)
    body = {"deck": deck_id(bob)}
    refused = ask(bob, f"/tables/{table}/join", body, "k")  # a copy of ann's deck lies in an offer
    assert (refused.status_code, refused.json["code"]) == (409, "table_cancelled")
    assert ann.get(f"/tables/{table}").json["state"] == "cancelled"
    assert ask(bob, f"/tables/{table}/join", body, "k").data == refused.data


def test_who_is_not_signed_in_or_not_understood_may_try_again(ann: Guest, house: Runtime) -> None:
    body = {"name": "one", "cards": {}}
    nobody = replace(ann, headers={})
    assert ask(nobody, "/decks", body, "k").status_code == 401
    headers = {**ann.headers, "Idempotency-Key": "k"}
    for data, kind, status in (
        (b"{", "application/json", 400),
        (b"a=b", "application/x-www-form-urlencoded", 415),
        (b"x" * 70_000, "application/json", 413),
    ):
        answer = ann.client.post(f"{API}/decks", data=data, content_type=kind, headers=headers)
        assert answer.status_code == status
    wrong = {"handle": "ann", "password": "not this one"}
    assert ask(nobody, "/tokens", wrong, "k").status_code == 401
    assert rows(house)["idempotency"] == []
    assert ask(ann, "/decks", body, "k").status_code == 201


def test_too_many_requests_are_no_answer(settings: Settings, house: Runtime) -> None:
    tight = replace(house, settings=replace(settings, registration_limit="1/minute"))
    nobody = Guest(create_app(house=tight).test_client(), "", b"")
    statuses = [ask(nobody, "/players", {}, key).status_code for key in ("a", "b")]
    assert statuses == [422, 429]
    assert len(rows(house)["idempotency"]) == 1


def test_a_fault_of_ours_undoes_the_change(
    app: Flask, ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = decks.create

    def fails(*arguments: Any, **named: Any) -> Any:
        real(*arguments, **named)
        raise RuntimeError("after the write")

    before = rows(house)
    with monkeypatch.context() as patch:
        patch.setattr(decks, "create", fails)
        assert ask(ann, "/decks", {"name": "x", "cards": {}}, "k").status_code == 500
    assert rows(house) == before
    assert ask(ann, "/decks", {"name": "x", "cards": {}}, "k").status_code == 201
    assert len(rows(house)["deck"]) == len(before["deck"]) + 1


def _same(results: list[object]) -> TestResponse:
    """The one answer that all have got; one of them first, all others again."""
    assert all(isinstance(answer, TestResponse) for answer in results), results
    answers: list[Any] = results
    assert {(a.status_code, a.data) for a in answers} == {(answers[0].status_code, answers[0].data)}
    assert sum("Idempotency-Replayed" not in a.headers for a in answers) == 1
    return answers[0]


def test_one_key_at_the_same_moment_is_done_once(app: Flask, ann: Guest, house: Runtime) -> None:
    def asks(path: str, body: Any) -> list[Callable[[], object]]:
        one = replace(ann, client=app.test_client())
        return [lambda: ask(one, path, body, "k")] * 6

    before = rows(house)
    minted = _same(at_once(asks("/collection/basics", {"cards": {"salt": 2}})))
    assert minted.status_code == 201
    assert len(rows(house)["copy"]) == len(before["copy"]) + 2
    assert _same(at_once(asks("/players", registration(ann, "carol", new_private_key())))).status_code == 201
    assert len(rows(house)["player"]) == len(before["player"]) + 1
    assert _same(at_once(asks("/tables", {"mode": "hearts", "seats": 3}))).status_code == 201
    assert len(rows(house)["game_table"]) == 1


def test_who_comes_second_is_undone_even_after_its_change(
    app: Flask, ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both have found no answer yet when they write: the database decides.
    real, gate = collection.mint_basics, threading.Barrier(2)

    def together(*arguments: Any) -> Any:
        gate.wait(PATIENCE)
        return real(*arguments)

    monkeypatch.setattr(collection, "mint_basics", together)
    before = rows(house)
    one = replace(ann, client=app.test_client())
    _same(at_once([lambda: ask(one, "/collection/basics", {"cards": {"salt": 2}}, "k")] * 2))
    assert len(rows(house)["copy"]) == len(before["copy"]) + 2


def test_who_comes_second_and_is_refused_gets_the_first_answer(
    app: Flask, bob: Guest, ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.operations import tables

    path = f"/tables/{ann.post('/tables', {'mode': 'hearts', 'seats': 4}).json['id']}/join"
    real, gate = tables.join, threading.Barrier(2)

    def together(*arguments: Any) -> Any:
        gate.wait(PATIENCE)
        return real(*arguments)

    monkeypatch.setattr(tables, "join", together)
    one = replace(bob, client=app.test_client())
    assert _same(at_once([lambda: ask(one, path, {}, "k")] * 2)).status_code == 200


def test_an_answer_is_kept_for_a_day(ann: Guest, house: Runtime, clock: list[int]) -> None:
    body = {"name": "one", "cards": {}}
    first = ask(ann, "/decks", body, "k").json["id"]
    clock[0] += 24 * HOUR - 1
    assert ask(ann, "/decks", body, "k").json["id"] == first
    clock[0] += 1
    later = ask(ann, "/decks", body, "k").json["id"]
    assert later != first
    assert ask(ann, "/decks", body, "k").json["id"] == later
    clock[0] += 24 * HOUR
    other = ask(ann, "/decks", {"name": "two", "cards": {}}, "k")  # nor does the old one stand in the way
    assert other.status_code == 201


def test_old_answers_are_forgotten(
    ann: Guest, house: Runtime, clock: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "_AT_ONCE", 2)
    for number in range(5):
        ask(ann, "/decks", {"name": "x", "cards": {}}, f"old-{number}")
    clock[0] += 12 * HOUR
    ask(ann, "/decks", {"name": "x", "cards": {}}, "young")
    assert idempotency.forget_old(house, clock[0]) == 0
    assert idempotency.forget_old(house, clock[0] + 12 * HOUR) == 5
    assert idempotency.forget_old(house, clock[0] + 12 * HOUR) == 0
    assert "Idempotency-Replayed" in ask(ann, "/decks", {"name": "x", "cards": {}}, "young").headers


def test_the_row_gives_nothing_away(ann: Guest, house: Runtime) -> None:
    key = "a-key-that-nobody-else-knows"
    token = ask(ann, "/tokens", {"handle": "ann", "password": PASSWORD}, key).json["token"]
    with house.read() as session:
        kept = session.exec(select(AnswerRow)).one()
    for secret in (token, key, PASSWORD, ann.id, "/tokens", "ann", sha256(key.encode()).hexdigest()):
        assert secret.encode() not in kept.sealed
        assert secret not in kept.id
    # Neither the key alone opens it, nor the request at a house with other secrets.
    keyed = idempotency.KeyedRequest(
        "nobody",
        "POST",
        f"{API}/tokens",
        key,
        f'{{"handle": "ann", "password": "{PASSWORD}"}}'.encode(),
    )
    assert keyed.place == kept.id
    found = idempotency.find(house, keyed)
    assert found is not None
    assert token.encode() in found.body
    elsewhere = replace(house, settings=replace(house.settings, data=house.settings.data / "other"))
    for where, request in ((house, replace(keyed, body=b"")), (elsewhere, keyed)):
        with pytest.raises(Exception, match="idempotency_key_reused"):
            idempotency.find(where, request)
    assert key not in repr(keyed)
    assert PASSWORD not in repr(keyed)
    assert token not in repr(found)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_the_file_of_the_database_gives_nothing_away(ann: Guest, settings: Settings) -> None:
    token = ask(ann, "/tokens", {"handle": "ann", "password": PASSWORD}, "secret-key").json["token"]
    path = Path(settings.database.removeprefix("sqlite:///"))
    for file in path.parent.glob(f"{path.name}*"):
        data = file.read_bytes()
        assert token.encode() not in data
        assert b"secret-key" not in data
        assert PASSWORD.encode() not in data


def test_nobody_gets_a_token_by_a_key_alone(ann: Guest, client: FlaskClient, house: Runtime) -> None:
    ask(ann, "/tokens", {"handle": "ann", "password": PASSWORD}, "k")
    thief = Guest(client, "", b"")
    answer = ask(thief, "/tokens", {"handle": "ann", "password": "guess"}, "k")
    assert (answer.status_code, answer.json["code"]) == (409, "idempotency_key_reused")
    with house.read() as session:
        assert len(session.exec(select(Token)).all()) == 2

"""One face for faults, whatever goes wrong."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from service.app import create_app
from service.config import Settings
from service.runtime import Runtime
from tests.service.service_kit import API, PASSWORD, Guest, registration

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def _is_problem(answer: TestResponse, status: int, code: str) -> None:
    document: Any = answer.json
    assert answer.status_code == status, answer.text
    assert answer.content_type == "application/problem+json"
    assert document["code"] == code
    assert document["status"] == status
    assert document["type"] == "about:blank"
    assert document["title"]
    assert document["detail"]
    assert document["request_id"] == answer.headers["X-Request-Id"]


def test_unknown_paths_and_methods(client: FlaskClient) -> None:
    _is_problem(client.get("/nowhere"), 404, "not_found")
    _is_problem(client.get(f"{API}/nowhere"), 404, "not_found")
    answer = client.put(f"{API}/players")
    _is_problem(answer, 405, "method_not_allowed")
    assert "POST" in answer.headers["Allow"]


def test_bodies_of_64_kib_are_read_and_longer_ones_refused(client: FlaskClient) -> None:
    def send(size: int) -> TestResponse:
        head, tail = b'{"handle": "', b'"}'
        data = head + b"a" * (size - len(head) - len(tail)) + tail
        return client.post(f"{API}/tokens", data=data, content_type="application/json")

    assert send(65536).status_code == 422
    _is_problem(send(65537), 413, "body_too_large")


def test_a_body_of_unknown_length_is_refused_too(client: FlaskClient) -> None:
    answer = client.post(
        f"{API}/tokens",
        input_stream=io.BytesIO(b"{" + b" " * 70_000 + b"}"),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )
    _is_problem(answer, 413, "body_too_large")


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"[1]",
        b'"text"',
        b"null",
        b'{"handle": "a", "handle": "b"}',
        b'{"handle": 1.5}',
        b'{"handle": NaN}',
        b'{"handle": 99999999999999999999}',
        b'{"handle": ' + b"9" * 5000 + b"}",
        b'{"handle": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        b'{"handle": "\\ud800"}',
        b'{"handle": "\\u0000"}',
        b'{"\\u0000": 1}',
        b'{"handle": "\xff"}',
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_not_plain_json_is_a_400(client: FlaskClient, data: bytes) -> None:
    answer = client.post(f"{API}/tokens", data=data, content_type="application/json")
    _is_problem(answer, 400, "malformed_json")


def test_a_body_must_be_there_and_be_json(client: FlaskClient) -> None:
    _is_problem(client.post(f"{API}/tokens"), 400, "no_body")
    answer = client.post(f"{API}/tokens", data={"handle": "a", "password": "b"})
    _is_problem(answer, 415, "not_json")


def test_fields_are_pointed_at(client: FlaskClient) -> None:
    answer = client.post(f"{API}/tokens", json={"handle": 1, "label": None, "~/": 2})
    _is_problem(answer, 422, "invalid_request")
    faults = {(fault["code"], fault["pointer"]) for fault in answer.json["errors"]}
    assert faults == {
        ("invalid", "/handle"),
        ("required", "/password"),
        ("null", "/label"),
        ("unknown_field", "/~0~1"),
    }


def test_a_parameter_that_there_is_not_is_no_slip_to_be_passed_over(client: FlaskClient) -> None:
    answer = client.get(f"{API}/cards?limt=5&limit=0")
    _is_problem(answer, 422, "invalid_request")
    faults = {(fault["code"], fault["parameter"]) for fault in answer.json["errors"]}
    assert faults == {("unknown_field", "limt"), ("invalid", "limit")}


def test_who_sends_is_asked_before_what(client: FlaskClient) -> None:
    answer = client.post(f"{API}/decks", data=b"{", content_type="application/json")
    _is_problem(answer, 401, "not_signed_in")


def test_a_nul_is_refused_wherever_it_stands(client: FlaskClient) -> None:
    _is_problem(client.get(f"{API}/players/a%00b"), 400, "bad_request")
    _is_problem(client.get(f"{API}/cards?set=%00"), 400, "bad_request")


def test_a_fault_of_ours_tells_nothing_but_its_number(app: Flask, house: Runtime) -> None:
    @app.get("/broken")
    def broken() -> str:
        raise RuntimeError("the seed is 4711")

    with capture_logs() as logs:
        answer = app.test_client().get("/broken")
    _is_problem(answer, 500, "internal_error")
    assert "4711" not in answer.text
    assert [line["event"] for line in logs] == ["unexpected", "request"]


def test_a_database_that_is_away_is_a_503(settings: Settings) -> None:
    nowhere = replace(settings, database="postgresql://nobody@127.0.0.1:1/nothing")
    client = create_app(nowhere).test_client()
    answer = client.post(f"{API}/tokens", json={"handle": "ann", "password": PASSWORD})
    _is_problem(answer, 503, "no_database")
    assert answer.headers["Retry-After"] == "1"
    assert "127.0.0.1" not in answer.text
    assert client.get(f"{API}/cards").status_code == 200


def test_logs_have_the_request_and_no_secret(ann: Guest) -> None:
    twice = registration(ann, "eve", ann.private)
    with capture_logs() as logs:
        ann.post("/tokens", {"handle": "ann", "password": PASSWORD})
        ann.post("/tokens", {"handle": "ann", "password": "guess number one"})
        ann.get("/me?token=abc")
        ann.post("/players", twice)
    text = json.dumps(logs, default=str)
    for secret in (PASSWORD, "guess number one", ann.token, "token=abc"):
        assert secret not in text
    assert [line["status"] for line in logs] == [201, 401, 200, 409]
    assert logs[2]["player"] == ann.id
    assert logs[2]["route"] == "/api/v1/me"


def test_a_request_keeps_the_id_that_it_brings(client: FlaskClient) -> None:
    given = client.get("/healthz", headers={"X-Request-Id": "from-the-proxy-1"})
    assert given.headers["X-Request-Id"] == "from-the-proxy-1"
    odd = client.get("/healthz", headers={"X-Request-Id": 'x"; drop'})
    assert odd.headers["X-Request-Id"] != 'x"; drop'


def test_a_database_that_may_only_be_read_is_a_503_and_changes_nothing(
    house: Runtime, ann: Guest, kind: str
) -> None:
    """A database may become read-only by a fail-over to a standby, or by its file system."""
    deck = {"name": "Mine", "cards": {"tomato": 1}}
    before = ann.get("/decks").json
    database = house.database
    if kind == "sqlite":
        event.listen(database.engine, "connect", lambda opened, _: opened.execute("PRAGMA query_only=ON"))
    else:
        with database.engine.begin() as connection:
            name = database.engine.url.database
            connection.exec_driver_sql(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on')
    database.dispose()
    client = create_app(house=house).test_client()
    answer = client.post(f"{API}/decks", json=deck, headers=ann.headers)
    _is_problem(answer, 503, "no_database")
    assert answer.headers["Retry-After"] == "1"
    assert client.get(f"{API}/decks", headers=ann.headers).json == before

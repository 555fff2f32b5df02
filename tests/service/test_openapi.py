"""The OpenAPI document: valid, whole, and browsable without the network."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

from crypto.identity import new_private_key
from service.api.tokens import SignIn
from tests.service.service_kit import Guest, registration

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture
def document(client: FlaskClient) -> dict[str, Any]:
    """The document."""
    answer = client.get("/api/openapi.json")
    assert answer.status_code == 200
    return dict(answer.json)


def _operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (method, path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in ("get", "post", "put", "delete", "patch")
    ]


def test_it_is_valid_openapi_31(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    validate(document)


def test_every_route_is_in_it(app: Flask, document: dict[str, Any]) -> None:
    served = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if rule.rule.startswith("/api/v1/") and method not in ("HEAD", "OPTIONS")
    }
    assert served == {(method, path) for method, path, _ in _operations(document)}


def test_every_operation_says_what_it_does_and_who_may(document: dict[str, Any]) -> None:
    for method, path, operation in _operations(document):
        assert operation.get("summary"), (method, path)
        assert ("401" in operation["responses"]) or "security" not in operation


def test_problems_are_documented_as_such(document: dict[str, Any]) -> None:
    for answer in document["components"]["responses"].values():
        assert list(answer["content"]) == ["application/problem+json"]


def test_it_can_be_browsed_from_this_house_alone(client: FlaskClient) -> None:
    page = client.get("/api/docs/")
    assert page.status_code == 200
    sources = re.findall(r'(?:src|href)="([^"#]+)"', page.text)
    assert sources
    for source in sources:
        assert "//" not in source, source
        url = source if source.startswith("/") else f"/api/docs/{source.removeprefix('./')}"
        assert client.get(url).status_code == 200, url
    assert "/api/openapi.json" in page.text


def test_the_page_fits_a_phone_and_runs_nothing_else(client: FlaskClient) -> None:
    page = client.get("/api/docs/")
    assert '<meta name="viewport" content="width=device-width' in page.text
    policy = page.headers["Content-Security-Policy"]
    nonces = re.findall(r'<script nonce="([\w-]+)">', page.text)
    assert [f"script-src 'self' 'nonce-{nonce}'" for nonce in nonces] == [
        part.strip() for part in policy.split(";") if "script-src" in part
    ]
    assert client.get("/api/docs/").headers["Content-Security-Policy"] != policy
    assert client.get("/api/docs/swagger-ui.css").status_code == 200


def test_the_front_door_leads_to_the_documentation(client: FlaskClient) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.location) == (302, "/api/docs/")


@pytest.mark.parametrize("path", ["/api/docs", "/api/docs?x=%2F%2Felsewhere.example"])
def test_no_redirection_leads_to_a_host_that_the_request_names(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "elsewhere.example"})
    assert (answer.status_code, answer.location) == (308, path.replace("docs", "docs/"))


def test_every_operation_has_an_id_of_its_own(document: dict[str, Any]) -> None:
    """Generated clients name their functions by it."""
    ids = [operation.get("operationId", "") for _, _, operation in _operations(document)]
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in ids), ids
    assert len(set(ids)) == len(ids)


def test_every_body_has_an_example_that_is_read(document: dict[str, Any], ann: Guest) -> None:
    sent, nobodys = 0, "/api/v1/tokens/by-key"  # an answer that is shown can be nobody's
    signing_in = SignIn.example
    ada = registration(ann, signing_in["handle"], new_private_key())
    ada["password"] = signing_in["password"]
    assert ann.post("/players", ada).status_code == 201
    for method, path, operation in _operations(document):
        if "requestBody" not in operation:
            continue
        shown = operation["requestBody"]["content"]["application/json"]["example"]
        url = re.sub(r"\{(\w+)\}", lambda name: "1" if name[1] == "number" else "nowhere", path)
        headers = {**ann.headers, "If-Match": "*"}
        answer = ann.client.open(url, method=method.upper(), json=shown, headers=headers)
        assert answer.status_code not in (400, 401, 405, 415) or path == nobodys, (method, path, answer.text)
        assert not answer.is_json or answer.json.get("code") != "invalid_request", (method, path, answer.text)
        sent += 1
    assert sent > 20


def test_the_document_says_what_holds_for_all_operations(document: dict[str, Any]) -> None:
    for word in ("Bearer", "RFC 9457", "Idempotency-Key", "If-Match", "cursor", "X-RateLimit-Limit"):
        assert word in document["info"]["description"]
    answers = document["components"]["responses"]
    assert "Retry-After" in answers["TOO_MANY_REQUESTS"]["headers"]
    assert "Retry-After" in answers["SERVICE_UNAVAILABLE"]["headers"]
    for answer in answers.values():
        for content in answer["content"].values():
            assert set(content.get("example", {})) <= {*PROBLEM, "etag", "errors"}


PROBLEM = ("type", "title", "status", "code", "detail", "request_id")

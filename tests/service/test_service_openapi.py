"""The OpenAPI document: valid, whole, and browsable without the network."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from openapi_spec_validator import validate

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


def test_the_front_door_leads_to_the_documentation(client: FlaskClient) -> None:
    answer = client.get("/")
    assert (answer.status_code, answer.location) == (302, "/api/docs/")

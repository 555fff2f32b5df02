"""Whatever is sent, the house answers as its document says, and never with a fault of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.service.service_kit import Guest

LOOK = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXT = st.one_of(
    st.text(max_size=30), st.sampled_from(["tomato", "1001", "ann", "", "\0", "\ud800", "0" * 400])
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=8,
)


def _answers(guest: Guest) -> dict[tuple[str, str], set[str]]:
    """The answers that the document knows, by method and path."""
    document: Any = guest.client.get("/api/openapi.json").json
    return {
        (method, path.removeprefix("/api/v1")): set(operation["responses"])
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method in ("get", "post", "put", "delete")
    }


def _fields(guest: Guest, method: str, path: str) -> list[str]:
    document: Any = guest.client.get("/api/openapi.json").json
    body = document["paths"][f"/api/v1{path}"][method].get("requestBody")
    if body is None:
        return []
    name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    return list(document["components"]["schemas"][name]["properties"])


@pytest.fixture
def guest(seat: Callable[..., Guest]) -> Guest:
    """Somebody with a token."""
    return seat("fuzz")


def test_no_body_and_no_path_breaks_the_house(guest: Guest) -> None:
    known = _answers(guest)
    fields = {key: _fields(guest, *key) for key in known}

    @LOOK
    @given(st.data())
    def look(data: st.DataObject) -> None:
        method, path = data.draw(st.sampled_from(sorted(known)))
        url = re.sub(r"\{\w+\}", lambda _: quote(data.draw(TEXT), safe="", errors="replace") or "x", path)
        names = st.sampled_from(fields[method, path]) if fields[method, path] else TEXT
        body = data.draw(JSON | st.dictionaries(names, JSON, max_size=6))
        query = data.draw(
            st.dictionaries(st.sampled_from(["cursor", "limit", "set", "card"]), TEXT, max_size=2)
        )
        text = "&".join(f"{name}={quote(value, errors='replace')}" for name, value in query.items())
        answer = guest.request(method.upper(), f"{url}?{text}", body)
        assert answer.status_code < 500, (method, url, body, answer.text)
        if answer.status_code >= 400:
            assert answer.content_type == "application/problem+json"
            assert answer.json["code"]

    look()

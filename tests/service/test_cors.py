"""Pages of other origins: none may use the API, unless the house names them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import ConfigError, Settings
from service.runtime import Runtime
from service.web.cors import SENT, SHOWN
from tests.service.service_kit import API, Guest

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
MINE, OTHER = "https://play.example", "https://elsewhere.example"


def opened(house: Runtime, origins: str) -> FlaskClient:
    settings = replace(house.settings, cors_origins=origins)
    return create_app(house=replace(house, settings=settings)).test_client()


def asked(
    client: FlaskClient, origin: str, path: str = f"{API}/decks", method: str = "POST"
) -> dict[str, str]:
    """Return what a browser is told before it sends a request from a page of that origin."""
    headers = {"Origin": origin, "Access-Control-Request-Method": method}
    answer = client.options(path, headers=headers)
    assert answer.status_code == 200
    return {name: value for name, value in answer.headers.items() if name.startswith("Access-Control")}


def test_by_default_no_other_origin_may(client: FlaskClient) -> None:
    assert asked(client, MINE) == {}
    answer = client.get(f"{API}/cards/tomato", headers={"Origin": MINE})
    assert not [name for name in dict(answer.headers) if name.startswith("Access-Control")]
    assert "Origin" not in answer.headers.get("Vary", "")


def test_a_named_origin_may_and_another_may_not(house: Runtime, ann: Guest) -> None:
    client = opened(house, f"{MINE},http://localhost:5173")
    for origin in (MINE, "http://localhost:5173"):
        told = asked(client, origin)
        assert told["Access-Control-Allow-Origin"] == origin
        assert set(told["Access-Control-Allow-Headers"].split(", ")) == set(SENT)
        assert "DELETE" in told["Access-Control-Allow-Methods"]
        assert "Access-Control-Allow-Credentials" not in told
    for origin in (OTHER, "null", MINE + ".example", MINE + ":8443", "http://play.example", "*"):
        assert asked(client, origin) == {}
    body = {"name": "From a page", "cards": {}}
    made = client.post(f"{API}/decks", json=body, headers={**ann.headers, "Origin": MINE})
    assert (made.status_code, made.headers["Access-Control-Allow-Origin"]) == (201, MINE)
    assert set(made.headers["Access-Control-Expose-Headers"].split(", ")) == set(SHOWN)
    assert {"ETag", "Location", "X-Request-Id"} <= set(made.headers.keys())


def test_a_page_can_read_refusals_too(house: Runtime) -> None:
    client = opened(house, MINE)
    for path in ("/decks", "/no-such-path", "/cards/no-such-card"):
        refused = client.get(API + path, headers={"Origin": MINE})
        assert refused.status_code in (401, 404)
        assert refused.headers["Access-Control-Allow-Origin"] == MINE


def test_a_cache_keeps_the_answers_to_origins_apart(house: Runtime) -> None:
    client = opened(house, MINE)
    for headers in ({}, {"Origin": OTHER}, {"Origin": MINE}):
        assert "Origin" in client.get(f"{API}/cards/tomato", headers=headers).headers["Vary"]
        assert "Origin" in client.get(f"{API}/cards?limit=1", headers=headers).headers["Vary"]


def test_what_is_for_the_operator_stays_here(house: Runtime) -> None:
    client = opened(house, MINE)
    for path in ("/metrics", "/healthz", "/readyz"):
        assert "Access-Control-Allow-Origin" not in client.get(path, headers={"Origin": MINE}).headers


@pytest.mark.parametrize(
    "text", ["*", "play.example", "https://play.example/", "https://Play.example", "ftp://a", "null"]
)
def test_what_is_no_origin_is_refused_at_the_start(text: str, kind: str) -> None:
    with pytest.raises(ConfigError, match="CLOCHE_CORS_ORIGINS"):
        Settings.from_environment({"CLOCHE_CORS_ORIGINS": text})


def test_origins_are_read_from_the_environment(kind: str) -> None:
    text = " https://play.example , http://[::1]:5173,"
    found = Settings.from_environment({"CLOCHE_CORS_ORIGINS": text}).cors_origins
    assert found == "https://play.example,http://[::1]:5173"

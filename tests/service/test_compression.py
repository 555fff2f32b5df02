"""What is public is compressed for clients that want it, and nothing else is."""

from __future__ import annotations

import gzip
from hashlib import sha256

import pytest
from flask.testing import FlaskClient

from service.web.compression import SHORTEST
from tests.service.service_kit import API, Guest

GZIP = {"Accept-Encoding": "gzip"}
PUBLIC = (f"{API}/modes", f"{API}/cards?limit=50", f"{API}/limits", f"{API}/bulk", "/api/openapi.json")
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@ON_SQLITE
@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_answer_is_compressed_and_says_so(client: FlaskClient, path: str) -> None:
    plain, small = client.get(path), client.get(path, headers=GZIP)
    assert len(plain.data) >= SHORTEST
    assert gzip.decompress(small.data) == plain.data
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data)
    assert (plain.headers.get("Content-Encoding"), small.headers["Content-Encoding"]) == (None, "gzip")
    for answer in (plain, small):
        assert "Accept-Encoding" in answer.headers["Vary"]
    assert plain.headers["ETag"] == f'"{sha256(plain.data).hexdigest()}"'
    assert small.headers["ETag"] == plain.headers["ETag"][:-1] + '-gzip"'


@ON_SQLITE
@pytest.mark.parametrize("path", [f"{API}/modes", "/api/openapi.json"])
def test_both_forms_have_tags_of_their_own(client: FlaskClient, path: str) -> None:
    plain, small = client.get(path), client.get(path, headers=GZIP)
    for asked, answer, status in (
        ({}, plain, 304),
        (GZIP, small, 304),
        ({}, small, 200),
        (GZIP, plain, 200),
    ):
        again = client.get(path, headers={**asked, "If-None-Match": answer.headers["ETag"]})
        assert again.status_code == status
        assert "Accept-Encoding" in again.headers["Vary"]


@ON_SQLITE
def test_a_client_that_would_rather_not_is_obeyed(client: FlaskClient) -> None:
    for accepted in ("identity", "gzip;q=0", "gzip;q=0.2, identity;q=0.9", "br"):
        answer = client.get(f"{API}/modes", headers={"Accept-Encoding": accepted})
        assert "Content-Encoding" not in answer.headers, accepted


@ON_SQLITE
def test_what_is_not_for_everybody_is_never_compressed(client: FlaskClient, ann: Guest) -> None:
    for path in ("/me", "/collection?limit=100", "/games", "/decks", "/starters", "/feed"):
        answer = client.get(f"{API}{path}", headers={**GZIP, **ann.headers})
        public = answer.headers["Cache-Control"].startswith("public")
        assert public or "Content-Encoding" not in answer.headers, path
    assert len(client.get(f"{API}/collection?limit=100", headers=ann.headers).data) >= SHORTEST

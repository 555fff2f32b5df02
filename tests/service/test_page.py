"""The page at `/`: its policy, how long browsers keep its files, and compressed files beside them."""

from __future__ import annotations

import gzip
import json
from hashlib import sha256
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.page import POLICY, Page
from service.runtime import Runtime

SCRIPT = b"export const answer = 42;\n" * 80
FILES = {
    "index.html": b'<!doctype html><meta name="cloche-build" content="0123abcd"><title>Cloche</title>\n',
    "kitchen.0123456789abcdef.js": SCRIPT,
    "assets/index-AbCd1234.css": b"body { margin: 0 }\n",
    "service.js": b"addEventListener('install', () => 0);\n",
}


@pytest.fixture
def kind() -> str:
    """No word of SQL is spoken here."""
    return "sqlite"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built page of four files."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    small = tmp_path / "kitchen.0123456789abcdef.js.gz"
    small.write_bytes(gzip.compress(SCRIPT, mtime=0))
    told = {
        f"/{name}": {"sha256": sha256(data).hexdigest(), "bytes": len(data)} for name, data in FILES.items()
    }
    (tmp_path / "manifest.json").write_text(json.dumps({"build": "0123abcd", "files": told}))
    return tmp_path


@pytest.fixture
def page(folder: Path) -> Page:
    found = Page.built(folder)
    assert found is not None
    return found


@pytest.fixture
def browser(house: Runtime, page: Page) -> FlaskClient:
    return create_app(house=house, page=page).test_client()


def test_every_file_runs_under_the_policy(browser: FlaskClient) -> None:
    for path in ("/", "/service.js", "/manifest.json", "/kitchen.0123456789abcdef.js"):
        answer = browser.get(path)
        assert (answer.status_code, answer.headers["Content-Security-Policy"]) == (200, POLICY)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "unsafe-inline" not in POLICY
    assert "'unsafe-eval'" not in POLICY
    assert browser.get("/").data == FILES["index.html"]


def test_files_named_by_digest_are_kept_and_the_others_asked_for(browser: FlaskClient) -> None:
    assert "immutable" in browser.get("/kitchen.0123456789abcdef.js").headers["Cache-Control"]
    assert "immutable" in browser.get("/assets/index-AbCd1234.css").headers["Cache-Control"]
    for path in ("/", "/service.js", "/manifest.json", "/house.json"):
        assert browser.get(path).headers["Cache-Control"] == "no-cache"
    tag = browser.get("/").headers["ETag"]
    again = browser.get("/", headers={"If-None-Match": f"W/{tag}"})
    assert (again.status_code, again.data) == (304, b"")


def test_a_browser_that_takes_gzip_gets_the_file_beside(browser: FlaskClient) -> None:
    path = "/kitchen.0123456789abcdef.js"
    small = browser.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == browser.get(path).data == SCRIPT
    assert "Content-Encoding" not in browser.get(path, headers={"Accept-Encoding": "gzip;q=0"}).headers
    assert small.headers["Vary"] == "Accept-Encoding"


@pytest.mark.parametrize(
    "path", ["/index.html", "/kitchen.0123456789abcdef.js.gz", "/../manifest.json", "/x"]
)
def test_nothing_else_is_served(browser: FlaskClient, path: str) -> None:
    answer = browser.get(path)
    assert (answer.status_code, answer.json["code"]) == (404, "not_found")


def test_the_api_is_where_it_was(browser: FlaskClient) -> None:
    assert browser.get("/api/v1/house").status_code == 200
    assert browser.get("/api/docs/").status_code == 200
    assert browser.get("/house.json").json == {"url": None}


def test_without_a_page_a_browser_is_led_to_the_documentation(client: FlaskClient, tmp_path: Path) -> None:
    assert client.get("/").headers["Location"] == "/api/docs/"
    assert Page.built(tmp_path) is None
    (tmp_path / "manifest.json").write_text("{}")
    assert Page.built(tmp_path) is None


def test_a_page_elsewhere_says_whose_it_is(page: Page) -> None:
    told = page.answer("/house.json", house="https://house.test")
    assert json.loads(told.body) == {"url": "https://house.test"}
    with pytest.raises(KeyError):
        page.answer("/index.html")

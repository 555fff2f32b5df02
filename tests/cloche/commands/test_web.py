"""`cloche web`: the page from the player's own machine, and the house's API behind it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from client.http import Api
from cloche.commands.account.web import WebServer, serving
from service.page import POLICY, Page
from tests.stack import Stack
from tests.waiting import PATIENCE

FRONT = b"<!doctype html><title>Cloche</title>\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


@pytest.fixture
def page(tmp_path: Path) -> Page:
    (tmp_path / "index.html").write_bytes(FRONT)
    told = {"/index.html": {"sha256": sha256(FRONT).hexdigest(), "bytes": len(FRONT)}}
    (tmp_path / "manifest.json").write_text(json.dumps({"build": "0123abcd", "files": told}))
    found = Page.built(tmp_path)
    assert found is not None
    return found


@pytest.fixture
def server(page: Page, house: Stack) -> Iterator[WebServer]:
    opened = serving(page, house.url, 0)
    thread = threading.Thread(target=opened.serve_forever, daemon=True)
    thread.start()
    yield opened
    opened.shutdown()
    opened.server_close()
    thread.join(PATIENCE)


def test_the_page_is_served_here_and_requests_are_passed_on(server: WebServer, house: Stack) -> None:
    front = httpx.get(f"{server.address}/")
    assert (front.content, front.headers["content-security-policy"]) == (FRONT, POLICY)
    assert httpx.get(f"{server.address}/house.json").json() == {"url": house.url}
    with Api(server.address) as here, Api(house.url) as there:
        assert here.house().key == there.house().key
        assert here.modes() == there.modes()
    missing = httpx.get(f"{server.address}/api/v1/players/nobody")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert httpx.get(f"{server.address}/elsewhere").status_code == 404


def test_another_name_is_refused(server: WebServer) -> None:
    """A site whose name leads to this machine gets no answer, so it can't use the player's page."""
    refused = httpx.get(f"{server.address}/", headers={"Host": "evil.test"})
    assert (refused.status_code, refused.content) == (421, b"")


def test_a_house_that_has_gone(page: Page) -> None:
    server = serving(page, "http://127.0.0.1:1", 0)
    threading.Thread(target=server.handle_request, daemon=True).start()
    assert httpx.get(f"{server.address}/api/v1/house").status_code == 502
    server.server_close()

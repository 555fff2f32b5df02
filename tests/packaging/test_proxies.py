"""docs/examples: nginx and Caddy before a house, as their files say, with the programs themselves."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from client.http import Api
from tests.client.guests import Guest
from tests.packaging.deploy_kit import NAME, Caddy, Nginx, Proxy, run, tool
from tests.stack import Stack
from tests.waiting import PATIENCE, until

PROXIES = {"caddy": Caddy, "nginx": Nginx}
LONG = 1 << 17
"""Bytes of a body that the house refuses, and the proxy passes on."""


@pytest.fixture(params=PROXIES)
def proxy(
    request: pytest.FixtureRequest, open_stack: Callable[..., Stack], tmp_path: Path
) -> Iterator[Proxy]:
    """A proxy, and behind it a whole house that trusts one proxy and lets an address sign in three times."""
    tool(request.param)
    house = open_stack("embedded", proxies=1, sign_in_limit="3/hour")
    at = urlsplit(house.url).netloc
    with PROXIES[request.param](tmp_path / "proxy", at, at).running() as running:
        yield running


@pytest.fixture
def client(proxy: Proxy) -> Iterator[httpx.Client]:
    """Somebody on the other side of the proxy."""
    with httpx.Client(base_url=proxy.url, verify=proxy.context(), timeout=PATIENCE) as opened:
        until(lambda: opened.get("/readyz").status_code == 200, what="the house answers")
        yield opened


def test_nginx_and_caddy_find_no_fault_in_the_examples(tmp_path: Path) -> None:
    nginx, caddy = (
        PROXIES[name](tmp_path / name, "127.0.0.1:1", "127.0.0.1:2") for name in ("nginx", "caddy")
    )
    checked = run(tool("nginx"), "-t", "-p", nginx.folder, "-e", "stderr", "-c", nginx.config())
    assert checked.returncode == 0, checked.stdout
    assert "warn" not in checked.stdout
    words = ("--config", str(caddy.config()), "--adapter", "caddyfile")
    checked = run(tool("caddy"), "validate", *words, env=caddy.environment())
    assert checked.returncode == 0, checked.stdout
    assert '"level":"warn"' not in checked.stdout


def test_a_proxy_tells_the_house_whose_request_it_is(client: httpx.Client) -> None:
    """The address is the client's, whatever it writes in headers that proxies set."""

    def sign_in(number: int) -> httpx.Response:
        said = {
            "X-Forwarded-For": f"203.0.113.{number}",
            "Forwarded": f"for=203.0.113.{number}",
            "X-Forwarded-Prefix": "/metrics",
            "X-Forwarded-Host": "elsewhere.example",
        }
        body = {"handle": "nobody", "password": "wrong wrong wrong", "label": "x"}
        return client.post("/api/v1/tokens", json=body, headers=said)

    answers = [sign_in(number) for number in range(4)]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert "elsewhere" not in answers[0].text + str(answers[0].headers)


def test_what_is_for_the_operator_does_not_get_out(client: httpx.Client, proxy: Proxy) -> None:
    assert client.get("/metrics").status_code == 404
    assert "cloche_" not in client.get("//metrics").text
    plain = httpx.get(f"http://{NAME}:{proxy.plain_port}/api/v1/house", follow_redirects=False)
    assert plain.status_code in (301, 308)
    assert plain.headers["location"].startswith("https://")
    assert "max-age" in client.get("/api/v1/house").headers["strict-transport-security"]


def test_the_house_itself_says_what_is_too_long(client: httpx.Client) -> None:
    answer = client.post("/api/v1/tokens", content=b" " * LONG, headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["code"] == "body_too_large"
    assert client.post("/api/v1/tokens", content=b" " * (LONG << 4)).status_code == 413


def test_the_house_hears_of_a_request_when_it_is_whole(
    client: httpx.Client, proxy: Proxy, open_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    """The proxy is put before a listener of ours, which sees what arrives and when."""
    body = json.dumps({"handle": "x"}).encode()
    with socket.create_server(("127.0.0.1", 0)) as upstream:
        at = f"127.0.0.1:{upstream.getsockname()[1]}"
        with (
            type(proxy)(tmp_path / "second", at, at).running() as second,
            socket.create_connection(("127.0.0.1", second.port)) as line,
        ):
            head = f"POST /api/v1/tokens HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: {len(body)}\r\n\r\n"
            with second.context().wrap_socket(line, server_hostname=NAME) as sent:
                sent.sendall(head.encode() + body[:-1])
                upstream.settimeout(1)
                with pytest.raises(TimeoutError):
                    upstream.accept()
                sent.sendall(body[-1:])
                upstream.settimeout(PATIENCE)
                arrived, _ = upstream.accept()
                with arrived:
                    text = b""
                    while body not in text:
                        text += arrived.recv(65536)
                    arrived.sendall(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
                assert b" 204 " in sent.recv(4096)
    assert b"x-forwarded-for: 127.0.0.1\r\n" in text.lower()
    assert f"\r\nhost: {NAME}".encode() in text.lower()


def test_events_come_through_one_by_one(
    client: httpx.Client, proxy: Proxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(proxy.authority))
    guest = Guest.register(proxy.url, tmp_path / "guest", 0)
    token = {"Authorization": f"Bearer {guest.vault.identity.token}"}
    with client.stream("GET", "/api/v1/events", headers=token) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        with Api(proxy.url, guest.vault.identity.token) as api:
            api.open_table("chef", deck=guest.deck.id, bots=["greedy"])
        # The stream is still open: what was told has not waited for its end.
        assert any("game." in line for line in lines)

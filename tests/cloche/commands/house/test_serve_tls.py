"""`cloche serve --tls`: a friend on the same network who trusts the house plays, and nobody else gets in."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Iterator
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
import segno
from click.testing import CliRunner

from client.http import Api
from client.transport import Untrusted
from client.wire import AUTHORITIES
from cloche.commands.qr import qr_code
from cloche.main import main
from cloche.operate import certificates, nearby
from tests.cloche.here_kit import invoke, player_environment
from tests.cloche.operate.lines_kit import closed, connect, many
from tests.stack import Stack
from tests.waiting import until

SHARE = 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("house")
    with Stack("embedded", folder, tls=1, host="127.0.0.1", connections_per_address=SHARE) as stack:
        yield stack


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def fingerprint(house: Stack) -> str:
    return sha256(ssl.PEM_cert_to_DER_cert(house.authority.read_text())).digest().hex(":").upper()


def test_it_says_what_to_trust(house: Stack) -> None:
    assert house.serve is not None
    text = house.serve.text()
    assert re.search(r"open at https://127\.0\.0\.1:\d+\n", text)
    assert str(house.authority) in text
    assert fingerprint(house) in text
    assert "http://" not in text


def test_a_player_who_does_not_trust_it_is_told_at_once(house: Stack, home: Path) -> None:
    began = time.monotonic()
    with Api(house.url) as api, pytest.raises(Untrusted):
        api.house()
    found = invoke(("register", "stranger", "--house", house.url), player_environment(home))
    assert time.monotonic() - began < 15  # it does not ask for half a minute whether that changes
    assert found.exit_code == 3
    assert found.stderr.startswith("Error [untrusted]:")
    assert f"`cloche certificate {house.url}`" in found.stderr
    assert not (home / "player.json").exists()


def test_a_player_who_trusts_its_file_plays_a_match(house: Stack, home: Path) -> None:
    environment = {**player_environment(home), "CLOCHE_HOUSE": house.url, "CLOCHE_CA": str(house.authority)}
    assert invoke(("register", "filetruster"), environment).exit_code == 0
    played = invoke(("bot", "flip", "--against", "easy"), environment)
    assert played.exit_code == 0, played.output


def test_a_player_who_trusts_its_fingerprint_plays_a_match(house: Stack, home: Path) -> None:
    environment = {**player_environment(home), "CLOCHE_HOUSE": house.url}
    wrong = invoke(("certificate", house.url, "--fingerprint", "00" * 32), environment)
    assert (wrong.exit_code, "[wrong_fingerprint]" in wrong.stderr) == (1, True)
    assert not (home / AUTHORITIES).exists()
    asked = invoke(("certificate", house.url), environment, input="n\n")
    assert (asked.exit_code, (home / AUTHORITIES).exists()) == (1, False)
    for _ in range(2):  # twice is once
        trusted = invoke(("certificate", house.url, "--fingerprint", fingerprint(house)), environment)
        assert trusted.exit_code == 0, trusted.output
    assert (home / AUTHORITIES).read_text().count("BEGIN CERTIFICATE") == 1
    assert (home / AUTHORITIES).stat().st_mode & 0o077 == 0
    assert invoke(("register", "printtruster"), environment).exit_code == 0
    assert invoke(("bot", "flip", "--against", "easy"), environment).exit_code == 0


def test_a_file_that_is_no_certificate_is_named(house: Stack, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("nothing")
    environment = {**player_environment(home), "CLOCHE_CA": str(file)}
    found = invoke(("tables", "list"), environment | {"CLOCHE_HOUSE": house.url})
    result = invoke(("register", "nobody", "--house", house.url), environment)
    assert result.exit_code == 3
    assert str(file) in result.stderr
    assert found.exit_code != 0


def test_it_hands_out_the_authority_and_no_key(house: Stack) -> None:
    answer = house.get("/authority.crt")
    assert answer.headers["content-type"] == "application/x-x509-ca-cert"
    assert ssl.DER_cert_to_PEM_cert(answer.content) == house.authority.read_text()
    for name in ("authority.key", "house.pem", "tls/authority.key"):
        assert house.get(f"/{name}").status_code == 404


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
def test_old_versions_of_tls_get_no_answer(house: Stack) -> None:
    context = ssl.create_default_context(cafile=house.authority)
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    with connect(house) as line, pytest.raises((ssl.SSLError, ConnectionError)):
        context.wrap_socket(line, server_hostname="127.0.0.1")


def test_a_visit_by_plain_http_is_sent_on_to_https(house: Stack) -> None:
    plain = house.url.replace("https://", "http://")
    answer = httpx.get(f"{plain}/about?x=1#top")
    assert (answer.status_code, answer.headers["location"]) == (308, f"{house.url}/about?x=1")
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    ("request_line", "host"),
    [
        (b"POST /api/v1/tables HTTP/1.1", b"house:8040"),
        (b"GET //evil.example/ HTTP/1.1", b"evil.example/x\r\nSet-Cookie: a=b"),
        (b"GET http://house/ HTTP/1.1", b"house"),
        (b"SSH-2.0-x", b""),
    ],
)
def test_whatever_else_comes_by_plain_http_is_refused(house: Stack, request_line: bytes, host: bytes) -> None:
    with connect(house) as line:
        line.sendall(request_line + b"\r\nHost: " + host + b"\r\n\r\n")
        line.settimeout(20)
        answer = b"".join(iter(lambda: line.recv(65_536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"https" in answer
    assert b"Set-Cookie" not in answer


def test_a_handshake_may_come_byte_by_byte(house: Stack) -> None:
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context(cafile=house.authority)
    shaken = context.wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
    with connect(house) as line:
        line.settimeout(20)
        for _ in range(20):
            try:
                shaken.do_handshake()
                break
            except ssl.SSLWantReadError:
                hello = outgoing.read()
                for part in (hello[:1], hello[1:7], hello[7:]):
                    line.sendall(part)
                    time.sleep(0.05)
                incoming.write(line.recv(65_536))
        line.sendall(outgoing.read())
        shaken.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        line.sendall(outgoing.read())
        while b"200 OK" not in (told := _read(shaken)):
            assert told == b""
            incoming.write(line.recv(65_536))


def _read(shaken: ssl.SSLObject) -> bytes:
    """What has been said so far; nothing while the rest is on its way."""
    try:
        return shaken.read()
    except ssl.SSLWantReadError:
        return b""


def test_clients_that_never_shake_hands_hold_up_nobody(house: Stack) -> None:
    """They count among the connections of their address, and the oldest makes way for the next."""
    with many(lambda _: connect(house), SHARE + 5) as lines:
        until(lambda: sum(closed(line) for line in lines) >= 5, 20, "the oldest are closed")
        answer = house.get("/healthz")
        assert answer.status_code == 200
        until(lambda: all(closed(line) for line in lines), 40, "the others are closed at their deadline")


def test_news_and_long_polls_come_over_tls_too(house: Stack) -> None:
    with httpx.Client(base_url=house.url, verify=house.trusted()) as client:
        for _ in range(3):  # over one connection
            assert client.get("/api/v1/modes").json()["items"]
        with client.stream("GET", "/api/v1/events") as refused:
            assert refused.status_code == 401


def test_without_a_certificate_of_its_own_a_house_has_none_to_trust(open_stack, home: Path) -> None:
    house: Stack = open_stack()
    found = invoke(("certificate", house.url), player_environment(home))
    assert (found.exit_code, "[no_certificate]" in found.stderr) == (1, True)
    assert not (house.data / "tls").exists()


def test_the_address_to_listen_on_is_everyones_with_tls() -> None:
    shown = CliRunner().invoke(main, ["serve", "--help"]).output
    assert "127.0.0.1; with --tls 0.0.0.0" in " ".join(shown.split())


def test_an_address_is_drawn_as_a_qr_code() -> None:
    """Two rows of it to a line: read back from the blocks they are the code of that address."""
    address = "https://192.168.1.20:8040"
    lines = qr_code(address).splitlines()
    upper, lower = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}, len(lines)
    rows = [[upper[block][half] for block in line] for line in lines for half in (0, 1)]
    wanted = [list(row) for row in segno.make(address, error="m").matrix_iter(border=2)]
    assert rows[: len(wanted)] == wanted
    assert lower == (len(wanted) + 1) // 2


def test_loopback_is_no_address_for_friends(monkeypatch: pytest.MonkeyPatch) -> None:
    own = tuple(ip_address(text) for text in ("192.168.7.9", "fd00::7", "fe80::1"))
    monkeypatch.setattr(certificates, "addresses", lambda: own)
    assert nearby.urls("127.0.0.1", 8040, True) == nearby.urls("/run/cloche.sock", 0, True) == ()
    assert nearby.urls("0.0.0.0", 8040, True) == ("https://192.168.7.9:8040", "https://[fd00::7]:8040")
    assert nearby.urls("192.168.7.9", 8040, False) == ("http://192.168.7.9:8040",)

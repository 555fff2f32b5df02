"""The certificates of a house's own: made once, renewed in time, and good for this network alone."""

from __future__ import annotations

import socket
import ssl
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from threading import Thread

import httpx
import pytest
from cryptography import x509

from cloche.operate import certificates
from cloche.operate.certificates import Certificates
from cloche.operate.front import loop
from cloche.operate.front.loop import Front, Limits
from service.api import RESOURCES
from service.app import create_app
from service.runtime import Runtime
from tests.waiting import PATIENCE, until

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


@pytest.fixture
def made(tmp_path: Path) -> Certificates:
    return certificates.ensure(tmp_path)


def handshake(server: Path, authority: Path, name: str) -> None:
    """Shake hands in memory, as a client that trusts this authority alone. Raises ssl.SSLError."""
    there = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    there.load_cert_chain(server)
    here = ssl.create_default_context(cafile=authority)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (here.wrap_bio(down, up, server_hostname=name), there.wrap_bio(up, down, server_side=True))
    done = [False, False]
    while not all(done):
        for number, end in enumerate(ends):
            try:
                end.do_handshake()
                done[number] = True
            except ssl.SSLWantReadError:
                continue


def serial(made: Certificates) -> int:
    return x509.load_pem_x509_certificate(made.house.read_bytes()).serial_number


def test_only_the_owner_reads_them(made: Certificates) -> None:
    folder = made.house.parent
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = [path for path in folder.iterdir() if path.name != ".lock"]
    assert {path.name for path in files} == {"authority.crt", "authority.key", "house.pem"}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert b"PRIVATE" not in made.authority.read_bytes()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1"])
def test_a_client_that_trusts_the_authority_reaches_this_machine(made: Certificates, name: str) -> None:
    handshake(made.house, made.authority, name)


def test_every_private_address_of_the_machine_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [ip_address(text) for text in ("192.168.7.9", "10.1.2.3", "fd00::7", "8.8.8.8")]
    monkeypatch.setattr(certificates, "addresses", lambda: tuple(own))
    made = certificates.ensure(tmp_path)
    for address in own[:3]:
        handshake(made.house, made.authority, str(address))
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(made.house, made.authority, "8.8.8.8")


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8", "2001:db8::1"])
def test_the_authority_vouches_for_nothing_of_the_internet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A person who has its key, and signs for another site with it, is refused by every client."""
    made = certificates.ensure(tmp_path)
    pair = certificates._authority(made.authority.parent)
    assert pair is not None
    forged = tmp_path / "forged.pem"
    named = x509.DNSName(name) if name.endswith("example") else x509.IPAddress(ip_address(name))
    certificates._new_house(forged, *pair, (named,), NOW)
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        handshake(forged, made.authority, name)


def test_nothing_changes_while_they_will_do(made: Certificates, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in made.house.parent.iterdir()}
    again = certificates.ensure(tmp_path, now=NOW + 50 * DAY)
    assert again == made
    assert {path.name: path.read_bytes() for path in made.house.parent.iterdir()} == before


@pytest.mark.parametrize("days", [61, 100, 3000])
def test_the_house_has_another_before_its_certificate_ends(
    made: Certificates, tmp_path: Path, days: int
) -> None:
    before = serial(made)
    again = certificates.ensure(tmp_path, now=NOW + days * DAY)
    assert serial(again) != before
    assert again.fingerprint == made.fingerprint  # friends trust it still


def test_the_authority_is_made_anew_before_it_ends(made: Certificates, tmp_path: Path) -> None:
    again = certificates.ensure(tmp_path, now=NOW + 3600 * DAY)
    assert again.fingerprint != made.fingerprint


def test_a_new_address_is_named_at_once(
    made: Certificates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A laptop gets another address in another network."""
    before = serial(made)
    monkeypatch.setattr(certificates, "addresses", lambda: (ip_address("192.168.77.77"),))
    again = certificates.ensure(tmp_path)
    assert serial(again) != before
    handshake(again.house, again.authority, "192.168.77.77")


@pytest.mark.parametrize("file", ["authority.key", "authority.crt", "house.pem"])
@pytest.mark.parametrize("damage", [b"", b"not PEM"])
def test_a_file_that_is_damaged_or_gone_is_made_anew(
    made: Certificates, tmp_path: Path, file: str, damage: bytes
) -> None:
    path = made.house.parent / file
    if damage:
        path.write_bytes(damage)
    else:
        path.unlink()
    again = certificates.ensure(tmp_path)
    handshake(again.house, again.authority, "localhost")
    assert (again.fingerprint == made.fingerprint) == (file == "house.pem")


def test_processes_that_ask_at_once_get_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: certificates.ensure(tmp_path), range(8)))
    assert len({each.der for each in found}) == 1
    assert len({serial(each) for each in found}) == 1


async def nothing() -> None:
    """Look after nothing."""


def test_a_running_house_takes_a_new_certificate(
    house: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New connections get it, and those that are open go on. Whoever trusts the authority trusts both."""
    monkeypatch.setattr(loop, "HOUR", 0.01)
    today = [NOW - 61 * DAY]

    def given() -> Path:
        return certificates.ensure(tmp_path, now=today[0]).house

    app = create_app(house=house, resources=RESOURCES)
    front = Front(app, house, Limits(2, house.settings, given), nothing, grace=1)
    first = given()
    trusted = ssl.create_default_context(cafile=certificates.ensure(tmp_path, now=today[0]).authority)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = listener.getsockname()
        serving = Thread(target=front.serve, args=([listener],))
        serving.start()
        try:

            def served() -> str:
                return ssl.get_server_certificate(address)

            url = f"https://127.0.0.1:{address[1]}/api/v1/house"
            before = until(served)
            assert before in first.read_text()
            with httpx.Client(verify=trusted) as friend:
                assert friend.get(url).status_code == 200
                today[0] = NOW
                until(lambda: served() != before)
                assert friend.get(url).status_code == 200
            assert httpx.get(url, verify=trusted).status_code == 200
        finally:
            front.ask_to_stop()
            serving.join(PATIENCE)
    assert not serving.is_alive()

"""Webhooks over TLS: an endpoint proves who it is, to an authority that the house or its operator trusts."""

from __future__ import annotations

import select
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service import outgoing
from service.operations import webhooks
from service.runtime import Runtime
from tests.faults.servers import program
from tests.service.service_kit import Guest
from tests.service.webhook_kit import carry, happen, hook, log, receiving, verified
from tests.waiting import until

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)

_NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


@dataclass(frozen=True)
class Authority:
    """A private certificate authority, made for these tests and thrown away with them."""

    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "authority.pem"

    def make(self) -> None:
        self._openssl("-out", str(self.certificate), "-keyout", "authority.key", "-subj", "/CN=An authority")

    def signs(self, name: str) -> ssl.SSLContext:
        """Make the certificate of a server of that name ("IP:..." or "DNS:...")."""
        issuer = ("-CA", str(self.certificate), "-CAkey", "authority.key")
        about = ("-subj", "/CN=An endpoint", "-addext", f"subjectAltName={name}")
        self._openssl(*issuer, "-out", "server.pem", "-keyout", "server.key", *about)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "server.pem", self.folder / "server.key")
        return context

    def _openssl(self, *words: str) -> None:
        command = [program("openssl"), "req", "-x509", *_NEW_KEY, *words]
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    made = Authority(tmp_path)
    made.make()
    return made


@pytest.fixture
def trust(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Start the house anew with SSL_CERT_FILE set to this file."""

    def started(file: Path) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        outgoing._context.cache_clear()

    outgoing._context.cache_clear()
    yield started
    outgoing._context.cache_clear()


def test_an_event_arrives_over_tls_from_whom_a_trusted_authority_knows(
    near: Runtime, clock: list[int], ann: Guest, authority: Authority, trust: Callable[[Path], None]
) -> None:
    trust(authority.certificate)
    with receiving(authority.signs("IP:127.0.0.1")) as receiver:
        made = hook(ann, receiver)
        assert made["url"].startswith("https://")
        happen(near, ann, game="g")
        assert carry(near) == 1
    (got,) = receiver.got
    assert verified(got, made["secret"], clock[0] / 1000)
    (sent,) = log(ann, made)
    assert (sent["state"], [each["status"] for each in sent["attempts"]]) == ("delivered", [204])


@pytest.mark.parametrize(("name", "trusted"), [("IP:127.0.0.1", False), ("DNS:other.example", True)])
def test_who_does_not_prove_who_it_is_gets_nothing_and_has_failed(
    near: Runtime,
    clock: list[int],
    ann: Guest,
    authority: Authority,
    trust: Callable[[Path], None],
    name: str,
    trusted: bool,
) -> None:
    if trusted:
        trust(authority.certificate)
    with receiving(authority.signs(name)) as receiver:
        made = hook(ann, receiver)
        happen(near, ann, game="g")
        assert carry(near) == 1
        assert receiver.got == []
    (sent,) = log(ann, made)
    (attempt,) = sent["attempts"]
    assert (sent["state"], attempt["status"], attempt["error"]) == ("waiting", None, "bad_certificate")
    assert ann.get(f"/webhooks/{made['id']}").json["failing_since"] is not None
    assert carry(near) == 0  # it is tried again later, as after any failure
    clock[0] += 6_001
    assert carry(near) == 1
    assert len(log(ann, made)[0]["attempts"]) == 2


def test_a_name_with_a_dot_at_its_end_is_the_same_name(
    near: Runtime,
    ann: Guest,
    authority: Authority,
    trust: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trust(authority.certificate)
    with receiving(authority.signs("DNS:hooks.example")) as receiver:
        here = socket.getaddrinfo("127.0.0.1", urlsplit(receiver.url).port, type=socket.SOCK_STREAM)
        monkeypatch.setattr(outgoing.socket, "getaddrinfo", lambda *_a, **_k: here)
        receiver.url = receiver.url.replace("127.0.0.1", "hooks.example.")
        made = hook(ann, receiver)
        happen(near, ann, game="g")
        carry(near)
    assert log(ann, made)[0]["attempts"][0]["error"] is None
    assert len(receiver.got) == 1


class _Late(ssl.SSLSocket):
    """Begins its handshake once the connection is cut off."""

    def do_handshake(self, block: bool = False) -> None:
        line = select.poll()
        line.register(self.fileno(), 0)
        until(lambda: line.poll(0), what="the time is up")
        super().do_handshake(block)


def test_time_that_is_up_before_the_handshake_is_a_timeout(
    near: Runtime, ann: Guest, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = ssl.create_default_context(cafile=authority.certificate)
    context.sslsocket_class = _Late
    monkeypatch.setattr(outgoing, "_context", lambda: context)
    monkeypatch.setattr(webhooks, "SECONDS", 0.3)
    with receiving(authority.signs("IP:127.0.0.1")) as receiver:
        made = hook(ann, receiver)
        happen(near, ann, game="g")
        assert carry(near) == 1
        assert receiver.got == []
    (sent,) = log(ann, made)
    (attempt,) = sent["attempts"]
    assert (sent["state"], attempt["status"], attempt["error"]) == ("waiting", None, "timeout")

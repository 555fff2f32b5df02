"""Requests to addresses that others name: how much is read of an answer, and which address is taken."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from service import outgoing
from service.outgoing import Failed, read_url

BODY = b"{}"


@contextmanager
def answering(first: bytes, again: bytes = b"") -> Iterator[int]:
    """A server that answers with these bytes, and then with those as long as somebody reads; its port."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):
                line, _ = server.accept()
                with line:
                    asked = b""
                    while not asked.endswith(BODY):
                        asked += line.recv(65_536)
                    line.sendall(first)
                    while again:
                        line.sendall(again)

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]


def post(port: int, most: int = 0, host: str = "127.0.0.1") -> outgoing.FetchedResponse:
    target = read_url(f"http://{host}:{port}/")
    return outgoing.post(target, BODY, {}, may=lambda _: True, seconds=5, most=most)


HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
ENDLESS = {
    "heads that announce one": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "fields": (b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 50_000 + b"\r\n"),
    "a field of no length": (b"HTTP/1.1 200 OK\r\nX-More: ", b"x" * 50_000),
    "parts of the body that say more of themselves than they hold": (
        HEAD,
        b"1;" + b"x" * 50_000 + b"\r\nx\r\n",
    ),
}


@pytest.mark.parametrize("what", ENDLESS)
def test_no_more_is_read_of_an_answer_than_it_may_have(what: str) -> None:
    begun = time.monotonic()
    with answering(*ENDLESS[what]) as port, pytest.raises(Failed) as fault:
        post(port, most=1_000_000)
    assert fault.value.code in ("too_large", "bad_answer")
    assert time.monotonic() - begun < 5  # it did not end by the clock of `post`


def test_an_answer_of_just_that_size_is_read() -> None:
    with answering(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + b"x" * 100_000) as port:
        assert len(post(port, most=100_000).body) == 100_000


def test_another_address_of_a_name_is_tried_where_one_takes_no_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A name may have an address of both kinds, and a server that listens on one of them.
    with answering(b"HTTP/1.1 204 No Content\r\n\r\n") as port:
        found = [
            each
            for address in ("127.0.0.2", "127.0.0.1")
            for each in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)
        ]
        real = socket.getaddrinfo
        monkeypatch.setattr(
            outgoing.socket,
            "getaddrinfo",
            lambda host, *more, **named: found if host == "hooks.example" else real(host, *more, **named),
        )
        assert post(port, host="hooks.example").status == 204

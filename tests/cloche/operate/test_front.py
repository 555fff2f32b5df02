"""A house that slow clients, crowds and strange requests can't stop."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from bots import bots_for
from client.http import LONGEST_WAIT
from player.bot import by_bot
from player.session import SendResult, Session
from tests.client.guests import Guest
from tests.cloche.operate.lines_kit import HALF, closed, connect, exchange, half_open, many, read
from tests.stack import Stack
from tests.waiting import PATIENCE, until

CLOCKS = dict.fromkeys(("enter", "ready", "link", "expose", "card"), 600)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """An embedded house that stays open, with a place for 200 connections of an address."""
    folder = tmp_path_factory.mktemp("front")
    with Stack("embedded", folder, connections_per_address=200) as stack:
        yield stack


@pytest.fixture
def guest(house: Stack, tmp_path: Path) -> Iterator[Guest]:
    """A new player."""
    found = Guest.register(house.url, tmp_path / "guest", 0)
    yield found
    found.api.close()


def begin(guest: Guest) -> str:
    """A game of hearts against two bots."""
    table = guest.api.open_table("hearts", seats=3, bots=["random", "random"], options=CLOCKS)
    assert table.game is not None
    return table.game


def receipts(guest: Guest, game: str, many: int) -> None:
    """Send so many messages of a game, each with a receipt that the client has checked."""
    session = Session(guest.api, guest.vault, game)
    session.start()
    choose = by_bot(bots_for("hearts")["random"], session.seat.number, Random(7))
    sent, deadline = 0, time.monotonic() + PATIENCE
    while sent < many:
        assert time.monotonic() < deadline, f"only {sent} receipts"
        if session.answer(choose) is SendResult.SENT:
            sent += 1
        else:
            session.catch_up(LONGEST_WAIT)


def figures(house: Stack, name: str) -> dict[str, float]:
    """The values of a metric by the value of its label."""
    text = house.get("/metrics").text
    lines = [line for line in text.splitlines() if line.startswith(f"{name}{{")]
    return {line.split('"')[1]: float(line.rpartition(" ")[2]) for line in lines}


# Slow clients


def test_half_open_connections_stop_nobody(house: Stack, guest: Guest) -> None:
    game = begin(guest)

    def attacker(number: int) -> socket.socket:
        source = "127.0.0.2" if number < 1000 else f"127.0.1.{number % 250 + 1}"
        return half_open(house, source)

    with many(attacker, 1300) as lines:
        receipts(guest, game, 6)
        assert sum(not closed(line) for line in lines[:1000]) <= 200


def test_half_open_connections_from_the_players_own_address_stop_nobody(house: Stack, guest: Guest) -> None:
    game = begin(guest)
    with many(lambda _: half_open(house, "127.0.0.1"), 500) as lines:
        receipts(guest, game, 6)
        assert sum(not closed(line) for line in lines) <= 200


def test_a_client_has_a_time_for_the_head_and_for_the_body(house: Stack) -> None:
    with (
        closing(connect(house)) as silent,
        closing(half_open(house, "127.0.0.1")) as head,
        closing(connect(house)) as body,
    ):
        body.sendall(HALF + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{")
        for line in (silent, head, body):
            line.settimeout(60)
        assert silent.recv(1) == b""
        answers = [read(head), read(body)]
        assert [(answer.status, answer.json["code"]) for answer in answers] == [(408, "too_slow")] * 2
        assert [answer.headers["connection"] for answer in answers] == ["close"] * 2


def test_bytes_that_trickle_do_not_stretch_the_time_for_a_head(house: Stack) -> None:
    with closing(half_open(house, "127.0.0.1")) as line:
        deadline = time.monotonic() + 60
        while not closed(line):
            assert time.monotonic() < deadline, "it may go on for ever"
            line.setblocking(True)
            try:
                line.sendall(b"X: y\r\n")
            except ConnectionError:
                break
            time.sleep(0.25)


def test_a_slow_body_takes_no_thread(house: Stack) -> None:
    def slow(_: int) -> socket.socket:
        line = connect(house, "127.0.0.3")
        line.sendall(HALF + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{")
        return line

    with many(slow, 100):
        assert until(lambda: figures(house, "cloche_connections")["receiving"] >= 100)
        assert sum(figures(house, "cloche_threads_busy").values()) <= 2
        assert house.get("/api/v1/modes").status_code == 200


def test_bodies_that_never_come_make_way_for_players(open_stack: Callable[..., Stack]) -> None:
    house = open_stack(connections=40, connections_per_address=20)

    def slow(number: int) -> socket.socket:
        line = connect(house, f"127.0.0.{number % 4 + 2}")
        line.sendall(HALF + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{")
        return line

    with many(slow, 60) as lines:
        assert until(lambda: figures(house, "cloche_connections")["receiving"] >= 30)
        for _ in range(10):
            assert house.get("/api/v1/modes").status_code == 200
        assert sum(not closed(line) for line in lines) <= 40


# Caps


def test_an_address_with_too_many_requests_in_hand_is_refused(open_stack: Callable[..., Stack]) -> None:
    house = open_stack(connections_per_address=10)

    def slow(_: int) -> socket.socket:
        line = connect(house, "127.0.0.2")
        line.sendall(HALF + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{")
        return line

    with many(slow, 10):
        until(lambda: figures(house, "cloche_connections")["receiving"] >= 10)
        refused = exchange(house, b"", "127.0.0.2")
        assert (refused.status, refused.json["code"]) == (503, "too_many_connections")
        assert int(refused.headers["retry-after"]) > 0
        assert house.get("/healthz").status_code == 200


def test_behind_a_proxy_the_forwarded_address_counts(open_stack: Callable[..., Stack]) -> None:
    house = open_stack(connections_per_address=10, proxies=1)

    def slow(_: int) -> socket.socket:
        line = connect(house)
        head = HALF + b"X-Forwarded-For: 10.9.9.9, 192.0.2.7\r\n"
        line.sendall(head + b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{")
        return line

    def ask(forwarded: str) -> httpx.Response:
        return house.get("/api/v1/modes", headers={"X-Forwarded-For": forwarded})

    with many(slow, 10):
        refused = until(lambda: (found := ask("192.0.2.7")).status_code == 503 and found)
        assert refused.json()["code"] == "crowded"
        assert ask("192.0.2.7, 192.0.2.8").status_code == 200
    assert until(lambda: ask("192.0.2.7").status_code == 200)


# Requests


def test_a_chunked_body_over_the_limit_is_too_large(house: Stack) -> None:
    head = b"POST /api/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
    found = exchange(house, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 4 + b"0\r\n\r\n")
    assert (found.status, found.json["code"]) == (413, "body_too_large")
    assert found.headers["connection"] == "close"
    small = b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    assert exchange(house, head + small).json["code"] == "invalid_request"


def test_pages_of_named_origins_may_read_refusals_of_the_event_loop(open_stack: Callable[..., Stack]) -> None:
    house = open_stack(cors_origins="https://play.example")
    head = b"POST /api/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\nOrigin: %s\r\n\r\n"
    found = exchange(house, head % b"https://play.example")
    assert (found.status, found.json["code"]) == (413, "body_too_large")
    assert found.headers["access-control-allow-origin"] == "https://play.example"
    assert found.headers["vary"] == "Origin"
    other = exchange(house, head % b"https://other.example")
    assert other.status == 413
    assert "access-control-allow-origin" not in other.headers


def test_headers_that_a_server_may_take_for_its_own_count_for_nothing(house: Stack) -> None:
    given = b"GET /api/v1/modes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s: /api\r\n\r\n"
    for name in (b"SCRIPT_NAME", b"SCRIPT-NAME", b"PATH_INFO", b"X_FORWARDED_PREFIX", b"REMOTE_USER"):
        assert exchange(house, given % name).status == 200, name


def test_a_trailer_is_no_header(house: Stack, guest: Guest) -> None:
    token = guest.vault.identity.token
    request = (
        b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
        b"Content-Type: application/json\r\n\r\n2\r\n{}\r\n0\r\n"
    )
    found = exchange(house, request + f"Authorization: Bearer {token}\r\n\r\n".encode())
    assert (found.status, found.json["code"]) == (401, "not_signed_in")


def test_requests_on_one_connection_are_answered_in_order(house: Stack) -> None:
    paths = [b"/api/v1/modes", b"/healthz", b"/nowhere", b"/api/v1/modes"]
    asked = b"".join(b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n" % path for path in paths[:-1])
    with closing(connect(house)) as line:
        line.settimeout(60)
        line.sendall(asked + b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % paths[-1])
        text = b"".join(iter(lambda: line.recv(65_536), b""))
    statuses = [part[:3] for part in text.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"200", b"200", b"404", b"200"]


# Listeners


@pytest.mark.slow
def test_a_house_admits_a_thousand_listeners_and_all_hear_of_an_entry(
    open_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    house = open_stack()
    guests = [Guest.register(house.url, tmp_path / str(number), 0) for number in range(4)]
    game = begin(guests[0])
    tokens = [guest.vault.identity.token for guest in guests]

    def until_listening(many: int) -> None:
        until(lambda: figures(house, "cloche_connections")["listening"] == many, what=f"{many} listen")

    def listener(number: int) -> socket.socket:
        if number % 50 == 0:  # of a thousand that ask at once, a busy house refuses those who wait too long
            until_listening(number)
        line = connect(house)
        line.settimeout(PATIENCE)
        head = f"GET /api/v1/games/{game}/events?after=0 HTTP/1.1\r\nHost: x\r\n"
        line.sendall(f"{head}Authorization: Bearer {tokens[number % 4]}\r\n\r\n".encode())
        return line

    def heard(line: socket.socket) -> bytes:
        text = b""
        while b"event: enter\n" not in text:
            part = line.recv(65_536)
            assert part, text
            text += part
        return text

    with many(listener, 1000) as lines:
        until_listening(1000)
        receipts(guests[0], game, 1)
        assert all(heard(line).startswith(b"HTTP/1.1 200") for line in lines)
        assert house.get("/api/v1/modes").status_code == 200
    until_listening(0)
    for guest in guests:
        guest.api.close()

"""A process that is told to end answers whoever has connected, and ends all the same."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable

import pytest

from tests.cloche.operate.lines_kit import HALF, closed, connect, read
from tests.stack import Stack
from tests.waiting import until

ASK = b"GET /api/v1/house HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
def house(open_stack: Callable[..., Stack]) -> Stack:
    return open_stack("embedded")


def opening(house: Stack) -> float:
    """How many connections have asked nothing yet, as the house counts them every second."""
    text = house.get("/metrics").text
    [found] = re.findall(r'^cloche_connections\{kind="opening"\} (\S+)$', text, re.M) or ["0"]
    return float(found)


def begin_to_end(house: Stack) -> None:
    """Tell the house to end; returns when nobody takes new connections any more."""
    assert house.serve is not None
    house.serve.popen.send_signal(signal.SIGTERM)

    def refused() -> bool:
        try:
            connect(house).close()
        except ConnectionRefusedError:
            return True
        except ConnectionResetError:
            return False  # the socket was closed while we connected: the next connection is refused
        return False

    until(refused, what="nobody listens")


def test_who_has_connected_is_answered_once_and_then_the_house_is_gone(house: Stack) -> None:
    assert house.serve is not None
    with connect(house) as silent, connect(house) as half:
        half.sendall(ASK[:10])
        until(lambda: opening(house) >= 2, what="both are taken from the queue")
        begin_to_end(house)
        silent.sendall(ASK)
        half.sendall(ASK[10:])
        for line in (silent, half):
            line.settimeout(30)
            answer = read(line)  # until the house closes the connection
            assert answer.status == 200
            assert answer.headers["connection"] == "close"
    assert house.serve.stop() == 0


def test_who_says_nothing_more_does_not_keep_the_house_open(house: Stack) -> None:
    assert house.serve is not None
    with connect(house) as silent, connect(house) as half, connect(house) as kept:
        half.sendall(HALF)
        kept.sendall(ASK)
        kept.settimeout(30)
        assert kept.recv(65_536)
        until(lambda: opening(house) >= 2, what="both are taken from the queue")
        begin_to_end(house)
        assert house.serve.stop() == 0
        assert all(closed(line) for line in (silent, half, kept))

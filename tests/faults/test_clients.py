"""Clients that say everything twice, and clients that vanish in the middle of a sentence."""

from __future__ import annotations

import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from player.house import Acknowledgement
from referee import Message
from tests.faults.aftermath import check_database, check_pair, timeouts
from tests.faults.people import Notebook, Pair
from tests.stack import Stack


class Twice(Notebook):
    """Sends every message twice at once; the answers must be one."""

    def send(self, message: Message) -> Acknowledgement:
        """Post, and post."""
        with ThreadPoolExecutor(2) as pool:
            one, other = [pool.submit(Notebook.send, self, message) for _ in range(2)]
            assert one.result().receipt == other.result().receipt
        return one.result()


def test_what_is_sent_twice_at_once_and_again_later_counts_once(
    open_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    stack = open_stack("embedded")
    pair = Pair.sit(stack.url, tmp_path / "pair", Random(0))
    for person in pair.people:
        person.notebook = Twice(stack.url, person.guest.vault.identity.token)
    with pair.playing():
        pass
    before = check_pair(pair)
    for person in pair.people:
        for message, accepted in person.notebook.receipts:
            assert person.guest.api.send(message).receipt == accepted.receipt
    assert check_pair(pair) == before
    check_database(stack.database, 1)


def test_who_vanishes_in_mid_request_holds_nobody_up(
    open_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    stack = open_stack("embedded", threads=16)
    pair = Pair.sit(stack.url, tmp_path / "pair", Random(0))
    token = pair.people[0].guest.vault.identity.token
    path = f"/api/v1/games/{pair.game_id}/entries"
    ask = f"GET {path} HTTP/1.1\r\nHost: house\r\nAuthorization: Bearer {token}\r\n\r\n"
    half = f"POST {path} HTTP/1.1\r\nHost: house\r\nAuthorization: Bearer {token}\r\nContent-Length: 900\r\n"
    said = [half, f'{half}Content-Type: application/json\r\n\r\n{{"step": 0, "seat"', ask[:20], "P", "", ask]
    address = urlsplit(stack.url)
    with ExitStack() as lines:
        for text in said:
            line = lines.enter_context(socket.create_connection((address.hostname, address.port)))
            line.sendall(text.encode())  # and nothing more; what is answered, nobody reads
        with pair.playing():
            for _ in range(20):
                with socket.create_connection((address.hostname, address.port)) as gone:
                    gone.sendall(ask.encode())
    assert not timeouts(check_pair(pair))
    check_database(stack.database, 1)

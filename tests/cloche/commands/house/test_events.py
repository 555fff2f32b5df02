"""Streams of events from real processes: resumed after kill -9, freed after a client, ended in time."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from click.testing import CliRunner
from httpx_sse import connect_sse

from cards.catalog import card_sets
from cloche.main import main
from crypto.encoding import b64, unb64
from referee.sign_in import write_registration
from service import keys
from tests.stack import Stack
from tests.waiting import PATIENCE, until

HEARTS = {"mode": "hearts", "seats": 3, "bots": ["random", "random"]}


def sign_in(house: Stack, handle: str = "Anna") -> httpx.Client:
    """A new player of a house, signed in."""
    api = httpx.Client(base_url=f"{house.url}/api/v1", timeout=PATIENCE)
    body = {"handle": handle, "password": "a long password", "starter": min(card_sets.load().starters)}
    ours, house_key = keys.fresh(), unb64(api.get("/house").json()["house_key"], 32)
    proof = write_registration(ours.signing_key, house_key, handle)
    registered = api.post("/players", json={**body, "key": b64(ours.public), "proof": proof})
    assert registered.status_code == 201, registered.text
    issued = api.post("/tokens", json={"handle": handle, "password": body["password"]})
    api.headers["Authorization"] = f"Bearer {issued.json()['token']}"
    return api


def begin(api: httpx.Client, seconds: int = 600) -> str:
    """A game of hearts against two bots, which is over after so many seconds: its player never enters."""
    table = api.post("/tables", json={**HEARTS, "options": {"enter": seconds}})
    assert table.status_code == 201, table.text
    return str(table.json()["game"])


class Ear:
    """An EventSource: comes back with the last id after whatever broke the line."""

    def __init__(self, api: httpx.Client, path: str) -> None:
        self.events: list[tuple[int, str]] = []
        self.entries: list[Any] = []
        self.lines = 0
        self._api, self._path = api, path
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            last = {"Last-Event-ID": str(self.events[-1][0])} if self.events else {}
            try:
                with connect_sse(self._api, "GET", self._path, headers=last) as source:
                    if source.response.status_code == 204:
                        return
                    source.response.raise_for_status()
                    self.lines += 1
                    for event in source.iter_sse():
                        if event.data:
                            self.events.append((int(event.id), event.event))
                            self.entries.append(event.json())
            except httpx.TransportError:
                time.sleep(0.05)

    def end(self, seconds: float = PATIENCE) -> None:
        """Wait for the end of the game."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), self.events


def record(api: httpx.Client, game: str) -> list[Any]:
    """The entries of a game."""
    return list(api.get(f"/games/{game}/entries").raise_for_status().json()["entries"])


def test_a_stream_goes_on_where_it_was_after_kill_9(open_stack: Callable[..., Stack]) -> None:
    house = open_stack()
    with closing(sign_in(house)) as api:
        game = begin(api, seconds=6)
        ear = Ear(api, f"/games/{game}/events")
        until(lambda: ear.events, what="the first entries")
        house.kill9("api")
        ear.end()
        assert ear.lines > 1
        entries = record(api, game)
        assert ear.entries == entries
        assert ear.events == [(entry["seq"], entry["kind"]) for entry in entries]
        assert ear.events[-1][1] == "result"
    house.stop()


def _raw(house: Stack, api: httpx.Client, path: str) -> socket.socket:
    """A listener who says nothing after the request and takes what comes when it likes."""
    address = urlsplit(house.url)
    line = socket.create_connection((address.hostname or "", address.port or 0), timeout=20)
    token = api.headers["Authorization"]
    line.sendall(f"GET /api/v1{path} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n\r\n".encode())
    return line


def _status(line: socket.socket) -> int:
    return int(line.recv(12, socket.MSG_WAITALL).split()[1])


def test_a_listener_who_is_gone_frees_their_place(open_stack: Callable[..., Stack]) -> None:
    house = open_stack(listeners=1)
    with closing(sign_in(house)) as api:
        path = f"/games/{begin(api)}/events"
        first = _raw(house, api, path)
        assert _status(first) == 200
        refused = api.get(path)
        assert (refused.status_code, refused.json()["code"]) == (503, "too_many_listeners")
        assert api.get(f"{house.url}{refused.json()['instead'].replace('wait=25', 'wait=0')}").is_success
        first.close()

        def admitted() -> bool:
            with closing(_raw(house, api, path)) as line:
                return _status(line) == 200

        until(admitted, 10, "a free place")  # long before the first heartbeat
    house.stop()


def test_listeners_take_no_thread_from_others_and_end_with_the_house(
    open_stack: Callable[..., Stack],
) -> None:
    house = open_stack(listeners=64, threads=2)
    with closing(sign_in(house)) as api:
        path = f"/games/{begin(api)}/events"
        lines = [_raw(house, api, path) for _ in range(16)]  # a quarter: all that one player may have
        assert [_status(line) for line in lines] == [200] * 16
        assert api.get(path).status_code == 503
        assert {api.get("/me").status_code for _ in range(5)} == {200}
        began = time.monotonic()
        assert house.serve is not None
        assert house.serve.stop() == 0
        assert time.monotonic() - began < 20  # the streams would not end by themselves
        for line in lines:
            while line.recv(65536):  # to the end
                pass
            line.close()


@pytest.mark.servers
def test_entries_of_another_process_come_at_once(open_stack: Callable[..., Stack]) -> None:
    house = open_stack("postgresql+redis", processes=2)
    with closing(sign_in(house)) as api:
        game = begin(api, seconds=5)
        ears = [Ear(api, f"/games/{game}/events") for _ in range(4)]
        for ear in ears:
            ear.end()
        entries = record(api, game)
        assert entries[-1]["kind"] == "result"
        assert [ear.entries for ear in ears] == [entries] * 4
    assert [line for line in house.log() if line["event"] == "listening_lost"] == []
    house.stop()


@pytest.mark.servers
def test_a_process_of_their_own_tells_listeners_what_others_commit(
    open_stack: Callable[..., Stack], tmp_path: Path
) -> None:
    house = open_stack("postgresql+redis")
    house.environment["CLOCHE_DATA"] = str(tmp_path / "elsewhere")  # where there are no keys
    house.start_events()
    there = f"{house.listen_there()}/api/v1"
    with closing(sign_in(house)) as api:
        game = begin(api, seconds=5)
        with httpx.Client(base_url=there, headers=api.headers, timeout=PATIENCE) as listener:
            ear = Ear(listener, f"/games/{game}/events")
            with connect_sse(listener, "GET", "/events") as source:
                feed = []
                for event in source.iter_sse():
                    feed += [(event.id, event.event)] if event.data else []
                    if event.event == "game.over":
                        break
            ear.end()
            assert listener.get("/me").status_code == 404
            assert listener.get("/events", headers={"Authorization": ""}).status_code == 401
        assert ear.entries == record(api, game)
        polled = api.get("/feed").json()["events"]
        assert feed == [(str(event["id"]), event["event"]) for event in polled]
        assert [name for _, name in feed] == ["game.begun", "game.asked", "game.timed_out", "game.over"]
    assert httpx.get(f"{house.events_url}/readyz").json() == {"status": "ready"}
    assert not list((tmp_path / "elsewhere").rglob("house*.json"))
    house.stop()


@pytest.mark.servers
def test_the_process_for_listeners_can_be_killed(open_stack: Callable[..., Stack]) -> None:
    house = open_stack("postgresql+redis")
    events = house.start_events()
    there = f"{house.listen_there()}/api/v1"
    with closing(sign_in(house)) as api, httpx.Client(base_url=there, headers=api.headers) as listener:
        game = begin(api, seconds=6)
        ear = Ear(listener, f"/games/{game}/events")
        until(lambda: ear.events, what="the first entries")
        events.kill()
        house.events = house.run("events", "--port", there.split(":")[2].split("/")[0])
        ear.end()
        assert ear.entries == record(api, game)
        assert ear.lines > 1
    house.stop()


def test_the_process_for_listeners_needs_postgresql(tmp_path: Path) -> None:
    refused = CliRunner().invoke(main, ["events", "--data", str(tmp_path)])
    assert refused.exit_code == 2
    assert "postgresql://" in refused.output

"""Every process is restarted, and a newer version takes over, while people play: nobody is refused."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import httpx
import pytest

from service import migrations
from service.db import Database
from tests.faults.aftermath import check_database, check_pair, timeouts
from tests.faults.people import Pair
from tests.faults.rolling_kit import NEWER, Strict, Unit, newer_version
from tests.paths import ROOT
from tests.stack import Stack, need
from tests.waiting import until

MATCHES = 3


@pytest.fixture
def units(tmp_path: Path) -> Iterator[list[Unit]]:
    """Two processes of the API on one queue, one of events, two workers; thrown away at the end."""
    need("postgresql+redis")
    stack = Stack("postgresql+redis", tmp_path / "house", first=True)
    with ExitStack() as ends:
        ends.callback(stack.close)
        ports = [ends.enter_context(socket.create_server(("127.0.0.1", 0), backlog=1024)) for _ in range(2)]
        api, events = ports
        made = [
            *(Unit(f"serve{n}", ["serve"], stack.environment, tmp_path, api) for n in (1, 2)),
            Unit("events", ["events"], stack.environment, tmp_path, events),
            *(Unit(f"worker{n}", ["worker"], stack.environment, tmp_path) for n in (1, 2)),
        ]
        for unit in made:
            ends.callback(unit.kill)
            unit.start(ROOT)
        yield made


@pytest.mark.servers
@pytest.mark.processes
def test_a_newer_version_takes_over_process_by_process(units: list[Unit], tmp_path: Path) -> None:
    url, events_url = (
        f"http://127.0.0.1:{unit.listener.getsockname()[1]}" for unit in (units[0], units[2]) if unit.listener
    )
    database = Database(units[0].environment["CLOCHE_DATABASE"])
    assert migrations.current(database.engine) == migrations.head()
    newer = newer_version(tmp_path / "newer")
    closing = threading.Event()
    pairs = [
        Pair.sit(url, tmp_path / str(number), Random(number), rounds=2, closing=closing)
        for number in range(MATCHES)
    ]
    watched, player = pairs[0], pairs[0].people[0]
    token = player.guest.vault.identity.token
    assert token is not None
    strict = Strict(url, events_url, token, watched.game_id)
    with strict.asking(), ExitStack() as matches:
        for pair in pairs:
            matches.enter_context(pair.playing())
        for unit in units:
            before = strict.answered
            unit.stop()
            if unit is units[0]:
                # Nobody of the new version is there yet: the other process answers alone.
                until(lambda before=before: strict.answered > before, what="the others answer")
            unit.start(newer)
            until(lambda before=before: strict.answered > before + 3, what="requests are answered")
        assert b"cloche_http_requests_total{" in httpx.get(f"{url}/metrics").content
        closing.set()
    assert migrations.current(database.engine) == NEWER
    assert strict.entries == [entry["seq"] for entry in check_pair(watched)]
    for pair in pairs:
        assert not timeouts(check_pair(pair))
    check_database(database.url, MATCHES)
    database.dispose()

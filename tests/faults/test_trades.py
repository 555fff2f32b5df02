"""Processes that trade and play die without warning: no copy is in two places, no coin appears or is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlmodel import col, func, select

from crypto.identity import new_private_key
from service.app import create_app
from service.config import UNLIMITED, Settings
from service.models import Account, Copy, GameRow, LedgerTransaction, Offer
from service.runtime import Runtime
from tests.faults.traders_kit import COINS, COPIES, TRADERS
from tests.service.service_kit import Guest, Server, registration
from tests.service.trade_kit import enrich, findings
from tests.tables import migrate
from tests.waiting import until


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runtime]:
    """A house of our own with people in it who have goods."""
    server = None
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/house.sqlite3"
        migrate(url)
    else:
        server = _server()
        url = server.migrated()
    settings = Settings(
        database=url,
        data=tmp_path,
        broker="memory://none",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        **UNLIMITED,
    )
    opened = Runtime.open(settings)
    app = create_app(house=opened)
    for number in range(TRADERS):
        guest = Guest(app.test_client(), f"trader{number}", new_private_key())
        made = guest.post("/players", registration(guest, guest.handle, guest.private))
        guest.id = made.json["id"]
        enrich(opened, guest, coins=COINS, tuna=COPIES, saffron=COPIES)
    yield opened
    opened.close()
    if server is not None:
        server.close()


def _server() -> Server:
    import psycopg

    try:
        return Server()
    except psycopg.OperationalError as error:
        if os.environ.get("CI"):
            pytest.fail(f"no PostgreSQL: {error}")
        pytest.skip(f"no PostgreSQL: {error}")


def _begin(house: Runtime, seed: int) -> subprocess.Popen[bytes]:
    call = f"trade({house.settings.database!r}, {str(house.settings.data)!r}, {seed})"
    code = f"from tests.faults.traders_kit import trade; {call}"
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)


def _entered(house: Runtime, kind: str) -> int:
    with house.read() as session:
        query = select(func.count()).select_from(LedgerTransaction).where(LedgerTransaction.kind == kind)
        return session.exec(query).one()


def _until_three_more(house: Runtime, running: list[subprocess.Popen[bytes]]) -> None:
    before = _entered(house, "trade")

    def traded() -> bool:
        assert all(process.poll() is None for process in running), "a trader has given up"
        return _entered(house, "trade") >= before + 3

    until(traded, what="three more trades")


@pytest.mark.parametrize("kills", [2, pytest.param(8, marks=pytest.mark.long)])
def test_trades_outlive_kill_9(house: Runtime, kills: int) -> None:
    rng = Random(f"trades {house.database.is_sqlite}")
    running = [_begin(house, seed) for seed in (1, 2)]
    try:
        for number in range(kills):
            _until_three_more(house, running)  # so that it dies in the midst of things
            time.sleep(rng.uniform(0.0, 0.1))
            victim = running.pop(0)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            if number < kills - 1:
                running.append(_begin(house, 100 + number))
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert findings(house) == []
    with house.read() as session:
        coins = dict(session.exec(select(Account.id, Account.coins)).all())
        states = dict(session.exec(select(Copy.state, func.count()).group_by(col(Copy.state))).all())
        opened = session.exec(select(func.count()).select_from(Offer).where(Offer.state == "open")).one()
        playing = select(func.count()).select_from(GameRow).where(col(GameRow.ended_at).is_(None))
        running_games = session.exec(playing).one()
    assert sum(coins.values()) == 0
    assert -coins["mint"] == TRADERS * COINS
    assert sum(states.values()) == TRADERS * (40 + 2 * COPIES)
    assert (running_games > 0) == (states.get("held", 0) > 0)
    assert opened == 0 or states.get("listed", 0) + states.get("escrow", 0) + coins["escrow"] > 0

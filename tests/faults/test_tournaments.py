"""Workers die without warning in the midst of a tournament: it ends as if nobody had died."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sqlmodel import col, func, select

from crypto.identity import new_private_key
from service.app import create_app
from service.config import UNLIMITED, Settings
from service.models import Account, GameRow, Player, Tournament, TournamentEntry, TournamentMatch
from service.operations import tournaments
from service.operations.tournaments import Terms
from service.runtime import Runtime
from tests.faults.directors_kit import work
from tests.service.service_kit import Guest, Server, registration
from tests.service.trade_kit import enrich, findings
from tests.tables import migrate
from tests.waiting import until

PLAYERS, FEE, ROUNDS = 5, 10, 3


def _settings(url: str, folder: Path) -> Settings:
    return Settings(
        database=url,
        data=folder,
        broker="memory://none",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        **UNLIMITED,
    )


def _peopled(house: Runtime) -> str:
    """Register players and have them enter a tournament that is about to start; its id."""
    app = create_app(house=house)
    people = []
    for number in range(PLAYERS):
        guest = Guest(app.test_client(), f"player{number}", new_private_key())
        made = guest.post("/players", registration(guest, guest.handle, guest.private))
        guest.id = made.json["id"]
        enrich(house, guest, coins=FEE)
        with house.read() as session:
            people.append(session.get_one(Player, guest.id))
    terms = Terms("Cup", "swiss", "big-c", fee=FEE, prizes=[50, 30, 20], rounds=ROUNDS, pause=0)
    cup = tournaments.create(house, people[0], terms).tournament.id
    for player in people:
        tournaments.enter(house, player, cup, None)
    tournaments.start(house, None, cup)
    return cup


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.servers)])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runtime]:
    """A house of our own."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/house.sqlite3"
        migrate(url)
    else:
        server: Server = request.getfixturevalue("postgresql")
        url = server.migrated()
    opened = Runtime.open(_settings(url, tmp_path))
    yield opened
    opened.close()


def _ended(house: Runtime) -> int:
    with house.read() as session:
        query = select(func.count()).select_from(TournamentMatch).where(TournamentMatch.state == "over")
        return session.exec(query).one()


def _standings(house: Runtime) -> list[tuple[str, int | None, int, int, int, int]]:
    with house.read() as session:
        rows = session.exec(
            select(Player.handle, TournamentEntry)
            .join(TournamentEntry, col(TournamentEntry.player_id) == col(Player.id))
            .order_by(col(TournamentEntry.rank))
        ).all()
    return [(name, e.place, e.points, e.buchholz, e.sonneborn, e.prize) for name, e in rows]


def _undisturbed(folder: Path) -> list[tuple[str, int | None, int, int, int, int]]:
    """The standings of the same tournament where nobody dies."""
    folder.mkdir()
    url = f"sqlite:///{folder}/house.sqlite3"
    migrate(url)
    clock = [1_790_000_000_000]
    house = replace(Runtime.open(_settings(url, folder)), clock=lambda: clock[0])
    cup = _peopled(house)
    while not _over(house, cup):
        clock[0] += 5_000
        work(house)
    found = _standings(house)
    house.close()
    return found


@pytest.mark.parametrize("kills", [2, pytest.param(9, marks=pytest.mark.long)])
def test_a_tournament_outlives_kill_9(house: Runtime, tmp_path: Path, kills: int) -> None:
    rng = Random(f"tournament {house.database.is_sqlite}")
    expected = _undisturbed(tmp_path / "undisturbed")
    assert sum(prize for *_, prize in expected) == PLAYERS * FEE
    cup = _peopled(house)
    call = f"direct({house.settings.database!r}, {str(house.settings.data)!r})"
    command = [sys.executable, "-c", f"from tests.faults.directors_kit import direct; {call}"]
    running = [subprocess.Popen(command) for _ in range(2)]
    try:
        for number in range(kills):
            until(lambda n=number: _ended(house) >= min(2 * n + 1, 7) or _over(house, cup))
            time.sleep(rng.uniform(0.0, 0.05))
            victim = running.pop(0)
            victim.send_signal(signal.SIGKILL)
            victim.wait()
            running.append(subprocess.Popen(command))
        until(lambda: _over(house, cup))
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert _standings(house) == expected
    assert findings(house) == []
    with house.read() as session:
        coins = dict(session.exec(select(Account.id, Account.coins)).all())
        games = session.exec(select(func.count()).select_from(GameRow)).one()
        played = session.exec(select(func.sum(TournamentMatch.games))).one()
    assert coins["escrow"] == 0
    assert sum(coins.values()) == 0
    assert games == played == ROUNDS * (PLAYERS // 2), "no game began twice"


def _over(house: Runtime, cup: str) -> bool:
    with house.read() as session:
        return session.get_one(Tournament, cup).state == "over"

"""A data folder and two vaults from before the rooms were renamed: open them, and everything goes on.

The program of commit 3f98d11 wrote `upgrade/house_0016`: the SQLite file as SQL, the house's keys and the
files of two players, Ada and Bob. Five games run, one of each mode; in the game of Pancake Ada has sealed her
meal and Bob has not. One game is over. Ada has a deck list of her own, a booster that is closed, one that she
has opened, an open offer of two copies for five coins, and an open private table.
"""

from __future__ import annotations

import json
import lzma
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from flask import Flask
from httpx import WSGITransport

from bots import bots_for, by_bot
from client.http import Api
from client.vault import Vault
from client.wire import HttpWire
from player.boosters import open_booster
from player.session import SendResult, Session
from referee import verify_record
from referee.boosters import verify_boosters
from service import keys, migrations
from service.config import UNLIMITED, Settings
from service.db import Database
from service.operations import games
from service.operations.audit import audit
from service.runtime import Runtime
from tests.service.service_kit import app_of, open_house
from worker import bots

OLD = Path(__file__).parent / "upgrade" / "house_0016"
ABOUT = json.loads((OLD / "about.json").read_text())
RUNNING = ABOUT["running"]
SHORTEST_CLOCK = 30_000
"""Milliseconds: the least time that any of these games gives for an answer."""


@dataclass
class Player:
    """Somebody with a vault of that time, at the house of today."""

    api: Api
    vault: Vault

    @classmethod
    def arrive(cls, handle: str, folder: Path, app: Flask) -> Player:
        """Open the old vault, and reach the house without a network."""
        file = folder / f"{handle}.json"
        shutil.copy(OLD / file.name, file)
        vault = Vault.open(file, ABOUT["passphrase"])
        wire = HttpWire(WSGITransport(app))
        api = Api(vault.identity.house, vault.identity.token, transport=wire)
        return cls(api, vault)


@dataclass
class Reopened:
    """The house of that time, opened by the program of today."""

    house: Runtime
    clock: list[int]
    players: dict[str, Player]

    def work(self, game: str) -> None:
        """Do what workers do for a game, until nothing is left to do."""
        while bots.move(self.house, game) + games.resolve(self.house, game):
            pass


@pytest.fixture
def reopened(tmp_path: Path) -> Iterator[Reopened]:
    data = tmp_path / "var"
    data.mkdir(mode=0o700)
    shutil.copy(OLD / "house.json", data / keys.FILE)
    with sqlite3.connect(data / "cloche.sqlite3") as connection:
        connection.executescript(lzma.decompress((OLD / "house.sql.xz").read_bytes()).decode())
    connection.close()
    url = f"sqlite:///{data}/cloche.sqlite3"
    old = Database(url)
    migrations.upgrade(old.engine)  # as `cloche serve` does first
    old.dispose()
    settings = Settings(
        database=url,
        data=data,
        broker="memory://upgrade",
        password_passes=1,
        password_kib=64,
        password_queue=1000,
        **UNLIMITED,
    )
    clock = [ABOUT["now"]]
    house = open_house(settings, clock)
    app = app_of(house)
    players = {handle: Player.arrive(handle, tmp_path, app) for handle in ("ada", "bob")}
    yield Reopened(house, clock, players)
    for player in players.values():
        player.api.close()
    house.close()


def _sit(reopened: Reopened, mode: str) -> list[Session]:
    """Everybody's sessions at the running game of a mode, by the secrets in their vaults."""
    sessions = []
    for handle in RUNNING[mode]["players"]:
        player = reopened.players[handle]
        session = Session(player.api, player.vault, RUNNING[mode]["id"])
        session.start()
        sessions.append(session)
    return sessions


@pytest.mark.parametrize("mode", sorted(RUNNING))
def test_a_running_game_is_played_on_and_its_record_verifies(reopened: Reopened, mode: str) -> None:
    game, known = RUNNING[mode]["id"], bots_for(mode)["random"]
    sessions = _sit(reopened, mode)
    began = sessions[0].game.seq
    for turn in range(400):
        reopened.work(game)
        reopened.clock[0] += 40
        for session in sessions:
            session.catch_up(0)
        if sessions[0].game.over or sessions[0].game.seq > began + 40:
            break
        session = sessions[turn % len(sessions)]
        assert session.answer(by_bot(known, session.seat.number, Random(turn))) in SendResult
    kinds = {entry.kind for entry in sessions[0].follower.entries[began + 1 :]}
    assert kinds >= ({"seal", "reveal", "account"} if mode == "chef" else {"move"})
    # No deadline passes here: a time-out in a valid record is then of a seat that had no choice.
    assert reopened.clock[0] - ABOUT["now"] < SHORTEST_CLOCK
    if not sessions[0].game.over:
        sessions[0].resign()
        reopened.work(game)
        sessions[0].catch_up(0)
    api = reopened.players["ada"].api
    report = verify_record(api.record(game), api.house().key)
    assert report.valid, report.fault
    sessions[0].finish()


def test_what_was_sealed_before_is_what_is_revealed_after(reopened: Reopened) -> None:
    """Ada's vault kept the choice of her seal; nothing but that choice opens it."""
    ada, bob = _sit(reopened, "chef")
    kept = ada.kept
    assert kept is not None
    assert ada.game.asking is not None
    assert kept.step == ada.game.asking.step
    bob.answer(by_bot(bots_for("chef")["greedy"], bob.seat.number, Random(0)))
    reopened.work(RUNNING["chef"]["id"])
    ada.catch_up(0)
    ada.answer()
    bob.catch_up(0)
    bob.answer()
    reopened.work(RUNNING["chef"]["id"])
    ada.catch_up(0)
    revealed = [entry for entry in ada.follower.entries if entry.kind == "reveal" and entry.step >= kept.step]
    assert kept.choice in [entry.body["choice"] for entry in revealed]


def test_what_was_owned_is_owned_and_the_books_balance(reopened: Reopened) -> None:
    for handle, player in reopened.players.items():
        assert sorted(copy["id"] for copy in player.api.copies()) == ABOUT["copies"][handle]
        assert player.api.wallet()["coins"] == ABOUT["coins"][handle]
    with reopened.house.read() as session:
        assert audit(session).findings == []
    assert reopened.players["bob"].api.wishes() == {"saffron": 1}


def test_an_offer_that_was_open_is_taken(reopened: Reopened) -> None:
    ada, bob = reopened.players["ada"].api, reopened.players["bob"].api
    before = len([*bob.copies("tuna")])
    assert bob.accept_offer(ABOUT["offer"])["state"] == "accepted"
    assert ada.wallet()["coins"] == ABOUT["coins"]["ada"] + 5
    assert len([*bob.copies("tuna")]) == before + 2


def test_a_booster_that_was_bought_is_opened_behind_the_one_opened_before(reopened: Reopened) -> None:
    ada = reopened.players["ada"]
    [closed] = ada.api.boosters("closed")
    opening = open_booster(ada.api, ada.vault, closed["id"])
    assert opening is not None
    assert (opening["number"], opening["chain"]) == (2, 2)
    record = ada.api.booster_record()
    report = verify_boosters(record, ada.vault.identity.house_key, ada.api.house().successions)
    assert report.fault is None
    assert (len(report.packs), report.given_up) == (2, (1,))


def test_decks_and_tables_are_there(reopened: Reopened) -> None:
    ada, bob = reopened.players["ada"].api, reopened.players["bob"].api
    assert {deck.id: deck.name for deck in ada.decks()}[ABOUT["deck"]] == "Mine"
    assert ada.table(ABOUT["table"]).state == "open"
    joined = bob.join(ABOUT["table"], invitation=ABOUT["invitation"])
    assert joined.state == "playing"


def test_the_record_of_what_was_over_verifies(reopened: Reopened) -> None:
    api = reopened.players["bob"].api
    report = verify_record(api.record(ABOUT["over"]), api.house().key)
    assert report.valid
    assert report.game is not None
    assert report.game.outcome is not None

"""Houses in which the same players are registered before a test begins.

Registering them took half of the time of the service's tests.
"""

from __future__ import annotations

import filecmp
import shutil
from dataclasses import replace
from pathlib import Path

from flask import Flask
from sqlalchemy import make_url

from cards.catalog import card_sets
from crypto.identity import new_private_key
from service.config import Settings
from service.runtime import Runtime
from tests import chance
from tests.service.service_kit import PASSWORD, Guest, app_of, open_house, registration

Players = tuple[tuple[str, str], ...]
"""Handles and starter decks, in the order of registration."""


def registered(app: Flask, handle: str, starter: str) -> Guest:
    """A player whom a house has just registered and signed in."""
    guest = Guest(app.test_client(), handle, new_private_key())
    made = guest.post("/players", registration(guest, handle, guest.private, starter))
    assert made.status_code == 201, made.json
    guest.id = made.json["id"]
    issued = guest.post("/tokens", {"handle": handle, "password": PASSWORD})
    assert issued.status_code == 201, issued.json
    guest.token = issued.json["token"]
    guest.headers = {"Authorization": f"Bearer {guest.token}"}
    return guest


class RegisteredOnce:
    """SQLite files of houses that have registered players by their API, to be copied into other houses."""

    def __init__(self, empty: Path, folder: Path, settings: Settings, now: int) -> None:
        """`empty` has today's tables; `settings` and `now` (milliseconds since 1970) are of the houses."""
        self._folder = folder
        self._settings = settings
        self._now = now
        self._files: dict[Players, Path] = {(): empty}
        self._newest: dict[Players, Guest] = {}

    def register(self, app: Flask, house: Runtime, handle: str, starter: str) -> Guest:
        """Register a player: by a copy if the house has done nothing but register these before, else anew."""
        before = self._players(house)
        if before is None:
            return registered(app, handle, starter)
        players = (*before, (handle, starter))
        if players not in self._files:
            self._make(before, players)
        shutil.copy(self._files[players], _file(house))
        known = self._newest[players]
        return replace(known, client=app.test_client(), headers={**known.headers})

    def _players(self, house: Runtime) -> Players | None:
        """The players of a house; None if it is another kind of house, or has done anything else."""
        own = self._settings
        like = replace(house.settings, database=own.database, data=own.data, broker=own.broker)
        if like != own or house.now() != self._now or house.catalog is not card_sets.load():
            return None
        file = _file(house)
        if file.with_name(file.name + "-wal").exists():  # a connection is open
            return None
        same = (players for players, known in self._files.items() if filecmp.cmp(file, known, shallow=False))
        return next(same, None)

    def _make(self, before: Players, players: Players) -> None:
        folder = self._folder / str(len(self._files))
        folder.mkdir()
        file = folder / "house.sqlite3"
        shutil.copy(self._files[before], file)
        house = open_house(replace(self._settings, database=f"sqlite:///{file}", data=folder), [self._now])
        with chance.apart(str(players)):
            self._newest[players] = registered(app_of(house), *players[-1])
        house.close()
        self._files[players] = file


def _file(house: Runtime) -> Path:
    return Path(make_url(house.settings.database).database or "")

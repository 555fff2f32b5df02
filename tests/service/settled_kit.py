"""Houses to which the same people came before a test begins: their coming took half of the tests' time."""

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
from tests.service.service_kit import PASSWORD, Guest, app_of, opened, registration

People = tuple[tuple[str, str], ...]
"""Handles and starter decks, in the order in which people came."""


def entered(app: Flask, handle: str, starter: str) -> Guest:
    """Somebody whom a house has just registered and signed in."""
    guest = Guest(app.test_client(), handle, new_private_key())
    made = guest.post("/players", registration(guest, handle, guest.private, starter))
    assert made.status_code == 201, made.json
    guest.id = made.json["id"]
    issued = guest.post("/tokens", {"handle": handle, "password": PASSWORD})
    assert issued.status_code == 201, issued.json
    guest.token = issued.json["token"]
    guest.headers = {"Authorization": f"Bearer {guest.token}"}
    return guest


class Settled:
    """SQLite files of houses to which people came by the API, to be copied."""

    def __init__(self, empty: Path, folder: Path, settings: Settings, now: int) -> None:
        """`empty` is a file with today's tables; `settings` and `now` are those of the houses."""
        self._folder = folder
        self._settings = settings
        self._now = now
        self._files: dict[People, Path] = {(): empty}
        self._last: dict[People, Guest] = {}

    def enter(self, app: Flask, house: Runtime, handle: str, starter: str) -> Guest:
        """Let somebody come to a house: by a copy if nothing else than a coming was done there, else anew."""
        before = self._people(house)
        if before is None:
            return entered(app, handle, starter)
        people = (*before, (handle, starter))
        if people not in self._files:
            self._come(before, people)
        shutil.copy(self._files[people], _file(house))
        known = self._last[people]
        return replace(known, client=app.test_client(), headers={**known.headers})

    def _people(self, house: Runtime) -> People | None:
        """Who has come to a house; None if it is another kind of house, or something else was done there."""
        own = self._settings
        like = replace(house.settings, database=own.database, data=own.data, broker=own.broker)
        if like != own or house.now() != self._now or house.catalog is not card_sets.load():
            return None
        file = _file(house)
        if file.with_name(file.name + "-wal").exists():  # a connection is open
            return None
        same = (people for people, known in self._files.items() if filecmp.cmp(file, known, shallow=False))
        return next(same, None)

    def _come(self, before: People, people: People) -> None:
        folder = self._folder / str(len(self._files))
        folder.mkdir()
        file = folder / "house.sqlite3"
        shutil.copy(self._files[before], file)
        house = opened(replace(self._settings, database=f"sqlite:///{file}", data=folder), [self._now])
        with chance.apart(str(people)):
            self._last[people] = entered(app_of(house), *people[-1])
        house.close()
        self._files[people] = file


def _file(house: Runtime) -> Path:
    return Path(make_url(house.settings.database).database or "")

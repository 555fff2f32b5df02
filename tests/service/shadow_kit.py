"""A game in the service beside a fold of its record, which must agree with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlmodel import select

from crypto.encoding import b64
from referee import Game, Trusting, apply, dump_game, read_entry, verify_entries, verify_record
from service.models import GameEntry
from service.operations import games
from service.runtime import Runtime
from tests.service.match_kit import Match
from tests.service.service_kit import Guest

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


class Shadow:
    """The fold of what a house has stored, entry by entry, with the house's own links."""

    def __init__(self, house: Runtime, game_id: str) -> None:
        self._house, self._id = house, game_id
        self._chain = house.keys.chain(game_id)
        self._game: Game | None = None
        self.looks = 0

    def look(self) -> Game:
        """The row must hold the fold of the record, which is this."""
        with self._house.read() as session:
            row = games.row_of(session, self._id)
            after = -1 if self._game is None else self._game.seq
            entries = list(
                session.exec(
                    select(GameEntry)
                    .where(GameEntry.game_id == self._id, GameEntry.seq > after)
                    .order_by(GameEntry.seq)
                )
            )
        for stored in entries:
            entry = read_entry(stored.entry)
            assert (entry.seq, entry.kind) == (stored.seq, stored.kind)
            link = self._chain.link(self._game.deals + 1) if entry.kind == "deal" and self._game else None
            self._game = apply(self._game, entry, Trusting(), link)
        assert self._game is not None
        assert row.snapshot == json.loads(json.dumps(dump_game(self._game)))
        assert row.seq == self._game.seq
        assert (row.ended_at is None) is not self._game.over
        self.looks += 1
        return self._game


def record(guest: Guest, match: Match, unfinished: bool = False) -> Any:
    """The report on a match's record, as somebody verifies it who has only the file and the house's key."""
    got = guest.get(f"/games/{match.id}/record")
    assert got.status_code == 200
    assert match.id in got.headers["Content-Disposition"]
    key = guest.get("/house").json["house_key"]
    assert key == b64(match.house.keys.public)
    entries = json.loads(got.data)["entries"]
    if unfinished:
        return verify_entries(entries, match.house.keys.public, unfinished=True), entries
    return verify_record(got.data, match.house.keys.public), entries

"""The bound as a server: games that nobody has to set up, and followers who wait as those of a house do."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from flask import Flask, Response
from sqlmodel import Session

from benchmarks.turns.bound import BoundServer, create_bound
from crypto.encoding import b64
from crypto.identity import new_private_key, public_key
from referee.record import GENESIS, HOUSE, write_entry
from service import migrations
from service.db import Database
from service.models import GameEntry, GameRow, GameSeat, Player, Token
from service.notices import of_game
from service.runtime import Runtime
from service.web.waiting import Later, wait_for_news

SEATS = 2
_FAR = 10**15


@dataclass(frozen=True, slots=True)
class BareGame:
    """A game of the bound: its id, and the token and private key at each seat."""

    id: str
    tokens: list[str]
    private: list[str]
    """The private keys in base64url."""


def prepare(url: str, games: int, file: Path) -> BoundServer:
    """Make the tables and so many games, and write down in `file` who sits at them."""
    database = Database(url)
    migrations.upgrade(database.engine)
    bound = BoundServer(url, secrets.token_bytes(32))
    with database.write() as session:
        made = [_game(session, bound) for _ in range(games)]
    database.dispose()
    file.write_text(json.dumps([asdict(game) for game in made]), encoding="utf-8")
    return bound


def _game(session: Session, bound: BoundServer) -> BareGame:
    now, game = time.time_ns() // 1_000_000, str(uuid4())
    entry = write_entry(bound.private, (-1, GENESIS), now, 0, HOUSE, "open", {"game": game})
    row = GameRow(id=game, mode="flip", created_at=now, seq=0, snapshot={"digest": b64(entry.digest)})
    session.add(row)
    tokens, keys = [], []
    for seat in range(SEATS):
        private, token, handle = new_private_key(), secrets.token_urlsafe(32), secrets.token_hex(8)
        player = Player(
            handle=handle, folded=handle, password="", key=b64(public_key(private)), created_at=now
        )
        session.add(player)
        session.flush()
        session.add(
            Token(
                player_id=player.id,
                digest=BoundServer.digest(token).hex(),
                prefix="",
                label="load",
                created_at=now,
                expires_at=_FAR,
            )
        )
        session.add(GameSeat(game_id=game, seat=seat, player_id=player.id, name=handle))
        tokens.append(token)
        keys.append(b64(private))
    session.add(GameEntry(game_id=game, seq=0, kind="open", entry=entry.json()))
    session.flush()
    return BareGame(game, tokens, keys)


def application(bound: BoundServer) -> Callable[..., Flask]:
    """Return a function that makes the bound's application in a process of the house's own server."""

    def make(*, house: Runtime, **_: Any) -> Flask:
        def wait(game: str, after: int, seconds: float) -> None:
            wait_for_news(of_game(game), seconds, lambda _: bound.newest.get(game, 0) > after)

        bound.tell, bound.wait = lambda game: house.notices.give(of_game(game)), wait
        app = create_bound(bound)
        app.extensions["cloche"] = house
        app.register_error_handler(Later, lambda _: Response(status=204))  # the server asks again
        app.add_url_rule("/healthz", "health", lambda: "here")
        return app

    return make

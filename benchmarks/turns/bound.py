"""The least that a turn can cost: what no honest house can leave out, and no rules.

For a message it checks the token and the player's Ed25519 signature, and signs the entry and the receipt. It
writes the rows by which the turn is accepted and read (submission, entry, game) in one durable transaction.
With `proofs` it verifies one proof of a meal besides. For a reader it checks the token and reads the new
entries in one statement. It is Flask on SQLAlchemy Core, with the house's own tables; its statements are
built once. Fold, rules, feed, webhooks, figures and log are what the house does above it.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from flask import Flask, Response, abort, request
from sqlalchemy import (
    Connection,
    Engine,
    Table,
    Text,
    bindparam,
    cast,
    create_engine,
    event,
    make_url,
    select,
)
from sqlmodel import SQLModel

from crypto import meal
from crypto.encoding import b64, unb64
from crypto.identity import verify
from crypto.verifier import ProofError
from referee.message import Message, read_message, write_receipt
from referee.record import read_entry, write_entry
from service.db import Database
from service.models import GameEntry, GameRow, GameSeat, Player, Submission, Token

BASE = "/api/v1/games"
MOST = 200
"""The most entries in one answer."""


def _table(model: type[SQLModel]) -> Table:
    return SQLModel.metadata.tables[str(model.__tablename__)]


_TOKEN, _PLAYER = _table(Token), _table(Player)
_GAME, _SEAT, _ENTRY, _SENT = _table(GameRow), _table(GameSeat), _table(GameEntry), _table(Submission)
_FIND_PLAYER = select(_PLAYER.c.id, _PLAYER.c.key).where(
    _TOKEN.c.digest == bindparam("digest"), _PLAYER.c.id == _TOKEN.c.player_id
)
_NEWEST = (
    select(_GAME.c.seq, _GAME.c.snapshot, _SEAT.c.player_id)
    .where(_GAME.c.id == bindparam("game"), _SEAT.c.game_id == _GAME.c.id, _SEAT.c.seat == bindparam("seat"))
    .with_for_update(of=_GAME)
)
_ADVANCE = (
    _GAME.update()
    .where(_GAME.c.id == bindparam("game"))
    .values(seq=bindparam("newest"), snapshot=bindparam("fold"), due_at=bindparam("due"))
)
_AFTER = (
    select(cast(_ENTRY.c.entry, Text))
    .where(
        _ENTRY.c.game_id == bindparam("game"),
        _ENTRY.c.seq > bindparam("after"),
        _SEAT.c.game_id == _ENTRY.c.game_id,
        _SEAT.c.player_id == bindparam("player"),
    )
    .order_by(_ENTRY.c.seq)
    .limit(MOST + 1)
)
_ADD_SENT, _ADD_ENTRY = _SENT.insert().inline(), _ENTRY.insert().inline()


@dataclass(frozen=True, slots=True)
class Hand:
    """The statement of a meal's proof, which a house knows before the meal arrives."""

    context: bytes
    points: Sequence[bytes]
    boxes: int


@dataclass
class BoundServer:
    """The server's state: its database, its key, and the tokens that it has seen."""

    url: str
    private: bytes
    """The house's Ed25519 private key."""
    proofs: dict[tuple[str, int, int], Hand] = field(default_factory=dict)
    """The hands whose meals are proven, by game, step and seat."""
    players: dict[bytes, tuple[str, bytes]] = field(default_factory=dict)
    """Player id and key, by the digest of a token: each is looked up once."""
    newest: dict[str, int] = field(default_factory=dict)
    """The seq of the newest entry, by game, of those that were added here."""
    tell: Callable[[str], object] = lambda game: None
    """A callback after each commit, which is given the game."""
    wait: Callable[[str, int, float], object] = lambda game, after, seconds: None
    """Returns when a game has an entry past `after`, or after so many seconds. By default nobody waits."""

    def __post_init__(self) -> None:
        self.engine = _engine(self.url)
        sqlite = self.engine.dialect.name == "sqlite"
        self._begin = "BEGIN IMMEDIATE" if sqlite else "BEGIN"
        self._lock: AbstractContextManager[Any] = threading.Lock() if sqlite else nullcontext()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open one durable transaction."""
        with self._lock, self.engine.connect() as connection:
            connection.exec_driver_sql(self._begin)
            try:
                yield connection
            except BaseException:
                connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    def read(self) -> Connection:
        """Return a connection for one statement, which needs no transaction."""
        return self.engine.connect()

    @staticmethod
    def digest(token: str) -> bytes:
        """Compute the digest by which the tables know a token."""
        return sha256(token.encode()).digest()

    def player(self) -> tuple[str, bytes]:
        """Return the player of the request's token: id and public key. Answers 401 if there is none."""
        text = request.headers.get("Authorization", "").removeprefix("Bearer ")
        digest = self.digest(text)
        found = self.players.get(digest)
        if found is None:
            with self.read() as connection:
                row = connection.execute(_FIND_PLAYER, {"digest": digest.hex()}).first()
            if row is None:
                abort(401)
            found = self.players[digest] = row[0], unb64(row[1], 32)
        return found

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _engine(url: str) -> Engine:
    """Open SQLite as durable as the house's, or PostgreSQL. The bound begins and ends transactions itself."""
    if not url.startswith("sqlite"):
        parsed = make_url(url).set(drivername="postgresql+psycopg")
        return create_engine(
            parsed, isolation_level="AUTOCOMMIT", pool_size=8, max_overflow=24, pool_reset_on_return=None
        )
    engine = create_engine(
        url,
        isolation_level="AUTOCOMMIT",
        pool_size=16,
        max_overflow=48,
        connect_args={"check_same_thread": False},
        pool_reset_on_return=None,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _entry: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def create_bound(bound: BoundServer) -> Flask:
    """Make the application: POST and GET of a game's entries, in the forms of the house's own API."""
    app = Flask("bound", static_folder=None)

    @app.post(f"{BASE}/<game>/entries")
    def add(game: str) -> Response:
        player, key = bound.player()
        message = read_message(game, json.loads(request.get_data()))
        if not verify(key, message.digest, message.signature):
            abort(422)
        _check_proof(bound, message)
        accepted = _write(bound, player, message, time.time_ns() // 1_000_000)
        return Response(json.dumps(accepted), 201, mimetype="application/json")

    @app.get(f"{BASE}/<game>/entries")
    def list_(game: str) -> Response:
        player, _ = bound.player()
        after, wait = int(request.args["after"]), float(request.args.get("wait", 0))
        if wait and bound.newest.get(game, after) <= after:
            bound.wait(game, after, wait)
        entries = _read(bound, player, game, after)
        more = "true" if len(entries) > MOST else "false"
        told = f'{{"entries": [{", ".join(entries[:MOST])}], "more": {more}}}'
        return Response(told, mimetype="application/json")

    return app


def _check_proof(bound: BoundServer, message: Message) -> None:
    if message.kind == "seal":
        hand = bound.proofs[message.game, message.step, message.seat]
        seal, proof = unb64(message.body["seal"]), unb64(message.body["proof"])
        try:
            meal.verify(hand.context, hand.points, hand.boxes, seal, proof)
        except ProofError:
            abort(422)


def _write(bound: BoundServer, player: str, message: Message, now: int) -> Mapping[str, Any]:
    """Save the message and its entry; returns the answer."""
    game = message.game
    with bound.write() as connection:
        row = connection.execute(_NEWEST, {"game": game, "seat": message.seat}).first()
        if row is None or row[2] != player:
            abort(403)
        head = row[0], unb64(row[1]["digest"])
        entry = write_entry(
            bound.private,
            head,
            now,
            message.step,
            str(message.seat),
            message.kind,
            message.body,
            message.signature,
        )
        sent = {
            "game_id": game,
            "step": message.step,
            "seat": message.seat,
            "kind": message.kind,
            "digest": b64(message.digest),
            "signature": b64(message.signature),
            "at": now,
            "seq": entry.seq,
            "waiting": None,
        }
        connection.execute(_ADD_SENT, sent)
        connection.execute(
            _ADD_ENTRY, {"game_id": game, "seq": entry.seq, "kind": entry.kind, "entry": entry.json()}
        )
        fold = {"digest": b64(entry.digest)}
        connection.execute(_ADVANCE, {"game": game, "newest": entry.seq, "fold": fold, "due": now + 30_000})
    bound.newest[game] = entry.seq
    bound.tell(game)
    receipt = write_receipt(bound.private, message.digest, now)
    return {"receipt": receipt.json(), "seq": entry.seq}


def _read(bound: BoundServer, player: str, game: str, after: int) -> list[str]:
    """Return the texts of the entries after `after`, as they are stored."""
    with bound.read() as connection:
        return list(connection.execute(_AFTER, {"game": game, "after": after, "player": player}).scalars())


def copy_game(source: Database, bound: BoundServer, game: str) -> None:
    """Copy a game with its players, tokens, seats and entries from the house's tables into the bound's.

    Players and tokens that are there already stay.
    """
    with source.engine.connect() as house, bound.write() as here:
        players = select(_SEAT.c.player_id).where(_SEAT.c.game_id == game)
        wanted = (
            (_PLAYER, _PLAYER.c.id.in_(players)),
            (_TOKEN, _TOKEN.c.player_id.in_(players)),
            (_GAME, _GAME.c.id == game),
            (_SEAT, _SEAT.c.game_id == game),
            (_ENTRY, _ENTRY.c.game_id == game),
        )
        for table, condition in wanted:
            rows = [dict(row) for row in house.execute(select(table).where(condition)).mappings()]
            if table in (_PLAYER, _TOKEN):
                known = set(here.execute(select(table.c.id)).scalars())
                rows = [row for row in rows if row["id"] not in known]
            if table is _GAME:
                newest = select(_ENTRY.c.entry).where(
                    _ENTRY.c.game_id == game, _ENTRY.c.seq == rows[0]["seq"]
                )
                entry = read_entry(house.execute(newest).scalar_one())
                rows[0]["snapshot"] = {"digest": b64(entry.digest)}
            if rows:
                here.execute(table.insert(), rows)

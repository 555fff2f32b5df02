"""Envelopes as the house sees them: which key new games name, and which envelopes wait to be opened.

Nothing here can open one: the private keys are the workers' own (`worker/keyring.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from crypto.encoding import b64, unb64
from referee import Game
from referee.envelopes import enclosed
from service.models import EnvelopeKey, FailedEnvelope, GameEntry
from service.runtime import Runtime

FIRST_PATIENCE_MS = 1_000
"""After so long without a reveal the sweep asks for it again: the message may be lost."""
LONGEST_PATIENCE_MS = 60_000
"""It asks ever less often, down to this: perhaps no worker has the key."""


def newest(session: Session) -> bytes | None:
    """The public key (32 bytes) that a new game names; None as long as no worker has published one."""
    found = session.exec(select(EnvelopeKey).order_by(col(EnvelopeKey.number).desc()).limit(1)).first()
    return None if found is None else unb64(found.key, 32)


def published(session: Session) -> list[bytes]:
    """All public keys that were ever published, the oldest first: running games may name any of them."""
    rows = session.exec(select(EnvelopeKey).order_by(col(EnvelopeKey.number)))
    return [unb64(row.key, 32) for row in rows]


def publish(house: Runtime, key: bytes, *, first: bool = False) -> bool:
    """Have new games name this key (32 bytes), and keep those before it for the games that run.

    With `first` only where none is published yet. Returns whether it is the newest now. Safe to call
    twice, and from many processes at once.
    """
    try:
        with house.write() as session:
            known = published(session)
            if (first and known) or key in known:
                return known[-1] == key
            now = house.now()
            session.add(EnvelopeKey(number=len(known) + 1, key=b64(key), published_at=now))
    except IntegrityError:  # somebody else has published at the same moment
        with house.read() as session:
            return newest(session) == key
    return True


def to_open(session: Session, game: Game, waiting: Set[int]) -> dict[int, bytes]:
    """The envelopes of the running step that may still give a reveal, by seat.

    `waiting` are the seats whose reveal waits beside the record already.
    """
    seats = enclosed(game) - waiting
    if not seats:
        return {}
    step = game.step
    failed = select(FailedEnvelope).where(
        FailedEnvelope.game_id == game.header.game, FailedEnvelope.step == step
    )
    seats -= {row.seat for row in session.exec(failed)}
    entries = select(GameEntry).where(
        GameEntry.game_id == game.header.game, GameEntry.kind == "seal", GameEntry.seq > _opened(game)
    )
    found = {}
    for row in session.exec(entries):
        body: Mapping[str, str] = row.entry["body"]
        if int(row.entry["actor"]) in seats and row.entry["step"] == step:
            found[int(row.entry["actor"])] = unb64(body["envelope"])
    return found


def _opened(game: Game) -> int:
    assert game.asking is not None, "reveals are asked for"
    return game.asking.opened


def patience(waited: int) -> int:
    """Milliseconds until an envelope is asked for again that has waited so long: twice as long each time."""
    return min(max(waited, FIRST_PATIENCE_MS), LONGEST_PATIENCE_MS)


def give_up(house: Runtime, game_id: str, step: int, seat: int, code: str) -> None:
    """An envelope gave no reveal: it counts as none from now on."""
    with house.write() as session:
        session.merge(FailedEnvelope(game_id=game_id, step=step, seat=seat, code=code))


def forget(session: Session, game_id: str) -> None:
    """The game is over: what became of its envelopes is of no interest any more."""
    for row in session.exec(select(FailedEnvelope).where(FailedEnvelope.game_id == game_id)):
        session.delete(row)

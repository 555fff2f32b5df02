"""Envelopes as the house sees them: the key that new games name, and the envelopes that wait to be opened.

Nothing here can open an envelope: only the workers have the private keys (`worker/keyring.py`).
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
"""The milliseconds without a reveal after which the sweep asks for it again: the wake-up may be lost."""
LONGEST_PATIENCE_MS = 60_000
"""The longest pause between two such requests: perhaps no worker has the key."""


def newest(session: Session) -> bytes | None:
    """The public key (32 bytes) that a new game names; None until a worker has published one."""
    found = session.exec(select(EnvelopeKey).order_by(col(EnvelopeKey.number).desc()).limit(1)).first()
    return None if found is None else unb64(found.key, 32)


def published(session: Session) -> list[bytes]:
    """All published keys (32 bytes each), the oldest first. Running games may name any of them."""
    rows = session.exec(select(EnvelopeKey).order_by(col(EnvelopeKey.number)))
    return [unb64(row.key, 32) for row in rows]


def publish(house: Runtime, key: bytes, *, first: bool = False) -> bool:
    """Publish a key (32 bytes) that new games name. Running games keep the key that they name.

    With `first` the key is published only if there is none yet. Returns True if it is the newest now. Many
    processes may call this at once, and more than once.
    """
    try:
        with house.write() as session:
            known = published(session)
            if (first and known) or key in known:
                return known[-1] == key
            now = house.now()
            session.add(EnvelopeKey(number=len(known) + 1, key=b64(key), published_at=now))
    except IntegrityError:  # another process has published a key at the same moment
        with house.read() as session:
            return newest(session) == key
    return True


def to_open(session: Session, game: Game, waiting: Set[int]) -> dict[int, bytes]:
    """The envelopes of the running step that may still give a reveal, by seat.

    `waiting` holds the seats whose reveal already waits beside the record.
    """
    asking = game.asking
    seats = enclosed(game) - waiting
    if asking is None or not seats:
        return {}
    step = game.step
    failed = select(FailedEnvelope).where(
        FailedEnvelope.game_id == game.header.game, FailedEnvelope.step == step
    )
    seats -= {row.seat for row in session.exec(failed)}
    entries = select(GameEntry).where(
        GameEntry.game_id == game.header.game, GameEntry.kind == "seal", GameEntry.seq > asking.opened
    )
    found = {}
    for row in session.exec(entries):
        body: Mapping[str, str] = row.entry["body"]
        if int(row.entry["actor"]) in seats and row.entry["step"] == step:
            found[int(row.entry["actor"])] = unb64(body["envelope"])
    return found


def patience(waited: int) -> int:
    """Milliseconds until the sweep asks again for an envelope that has waited so long; doubles each time."""
    return min(max(waited, FIRST_PATIENCE_MS), LONGEST_PATIENCE_MS)


def give_up(house: Runtime, game_id: str, step: int, seat: int, code: str) -> None:
    """Note that an envelope gave no reveal, with the refusal's code. It counts as none from now on."""
    with house.write() as session:
        session.merge(FailedEnvelope(game_id=game_id, step=step, seat=seat, code=code))


def forget(session: Session, game_id: str) -> None:
    """Delete what was noted about the envelopes of a game that is over."""
    for row in session.exec(select(FailedEnvelope).where(FailedEnvelope.game_id == game_id)):
        session.delete(row)

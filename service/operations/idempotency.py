"""Idempotency keys: a request that is sent again under its key gets its first answer, and does nothing more.

The answer is kept in the transaction of the change itself, under a primary key that is made of the
Idempotency-Key. So there is an answer exactly where there is a change, a process that dies leaves neither,
and of two requests that run at once under one key only one can be committed: the other is rolled back and
gets the answer of the first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from secrets import token_bytes

from Crypto.Cipher import AES
from sqlalchemy import delete
from sqlmodel import Session, col, select

from crypto.encoding import b64
from crypto.transcript import tuple_hash
from service.db import upsert
from service.models import KeptAnswer
from service.problems import Fault, conflict
from service.runtime import Runtime

NOBODY = "nobody"
"""Who asks where nobody is signed in."""
_HOUR_MS = 3_600_000
_NONCE, _TAG = 12, 16
_AT_ONCE = 1_000
"""Rows deleted in one transaction."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request under an Idempotency-Key; `who` is a player's id or NOBODY."""

    who: str
    method: str
    path: str
    key: str = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def place(self) -> str:
        """Where its answer is kept; the key can't be read from it."""
        return b64(tuple_hash("idempotency-key", *self._scope(), length=32))

    def secret(self, house: Runtime) -> bytes:
        """The key of the box with its answer: who lacks the body can't make it."""
        return house.keys.answer_key(*self._scope(), self.body)

    def _scope(self) -> tuple[bytes, ...]:
        return tuple(
            text.encode("utf-8", "surrogatepass") for text in (self.who, self.method, self.path, self.key)
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request was answered."""

    status: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)


def find(house: Runtime, asked: Asked) -> Answer | None:
    """The answer that a request got before, if it was sent before.

    Raises `Problem` 409 `idempotency_key_reused` where the key has come with another body.
    """
    with house.read() as session:
        kept = session.exec(
            select(KeptAnswer).where(KeptAnswer.id == asked.place, KeptAnswer.created_at > _expired(house))
        ).first()
    return None if kept is None else _open(kept, asked.secret(house))


def keep(house: Runtime, session: Session, asked: Asked, answer: Answer) -> bool:
    """Keep the answer in the transaction of the change that it tells of.

    Waits for another transaction that does so under the same key; False where that one was committed.
    Then this one must be rolled back.
    """
    row = {
        "id": asked.place,
        "created_at": house.now(),
        "sealed": _seal(answer, asked.place, asked.secret(house)),
    }
    statement = upsert(session, KeptAnswer).values(row)
    kept = statement.on_conflict_do_update(
        index_elements=["id"], set_=row, where=col(KeptAnswer.created_at) <= _expired(house)
    ).returning(col(KeptAnswer.id))
    return session.execute(kept).first() is not None


def forget_old(house: Runtime, now: int) -> int:
    """Delete the answers that were kept for as long as the settings say; returns how many."""
    old = select(KeptAnswer.id).where(KeptAnswer.created_at <= _expired(house, now)).limit(_AT_ONCE)
    forgotten = 0
    while True:
        with house.write() as session:
            gone = list(session.exec(old))
            session.execute(delete(KeptAnswer).where(col(KeptAnswer.id).in_(gone)))
        forgotten += len(gone)
        if len(gone) < _AT_ONCE:
            return forgotten


def _expired(house: Runtime, now: int | None = None) -> int:
    """The newest `created_at` that counts no longer."""
    return (house.now() if now is None else now) - house.settings.idempotency_hours * _HOUR_MS


def _seal(answer: Answer, place: str, secret: bytes) -> bytes:
    head = json.dumps([answer.status, answer.headers]).encode()
    nonce = token_bytes(_NONCE)
    cipher = AES.new(secret, AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
    cipher.update(place.encode())
    box, tag = cipher.encrypt_and_digest(head + b"\n" + answer.body)
    return nonce + box + tag


def _open(kept: KeptAnswer, secret: bytes) -> Answer:
    nonce, box, tag = kept.sealed[:_NONCE], kept.sealed[_NONCE:-_TAG], kept.sealed[-_TAG:]
    cipher = AES.new(secret, AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
    cipher.update(kept.id.encode())
    try:
        data = cipher.decrypt_and_verify(box, tag)
    except ValueError:
        detail = "This Idempotency-Key has come with another body before: a new request needs a new key."
        fault = Fault("idempotency_key_reused", detail, parameter="Idempotency-Key")
        raise conflict("idempotency_key_reused", detail, [fault]) from None
    head, _, body = data.partition(b"\n")
    status, headers = json.loads(head)
    return Answer(status, tuple((name, value) for name, value in headers), body)

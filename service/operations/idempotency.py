"""Idempotency keys: a request that is sent again under its key gets its first answer and changes nothing.

The answer is stored in the transaction of the change itself, under a primary key that is derived from the
Idempotency-Key. So an answer exists exactly where its change does, and a process that dies leaves neither.
Of two requests that run at once under one key, only one can be committed. The other is rolled back and gets
the answer of the first.
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
from service.models import AnswerRow
from service.problems import Fault, conflict
from service.runtime import Runtime

NOBODY = "nobody"
"""The `who` of a request without a signed-in player."""
_HOUR_MS = 3_600_000
_NONCE, _TAG = 12, 16
_AT_ONCE = 1_000
"""Rows deleted in one transaction."""


@dataclass(frozen=True, slots=True)
class KeyedRequest:
    """A request with an Idempotency-Key. `who` is a player's id or NOBODY."""

    who: str
    method: str
    path: str
    key: str = field(repr=False)
    body: bytes = field(repr=False)

    @property
    def place(self) -> str:
        """The primary key of its answer. Nobody can read the Idempotency-Key from it."""
        return b64(tuple_hash("idempotency-key", *self._scope(), length=32))

    def secret(self, house: Runtime) -> bytes:
        """The AES key of its answer, 32 bytes. Nobody can derive it without the request's body."""
        return house.keys.answer_key(*self._scope(), self.body)

    def _scope(self) -> tuple[bytes, ...]:
        return tuple(
            text.encode("utf-8", "surrogatepass") for text in (self.who, self.method, self.path, self.key)
        )


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The answer that a request got."""

    status: int
    headers: tuple[tuple[str, str], ...] = field(repr=False)
    body: bytes = field(repr=False)


def find(house: Runtime, keyed: KeyedRequest) -> StoredAnswer | None:
    """The answer that this request got before; None for a new request.

    Raises `Problem` 409 `idempotency_key_reused` when the key has come with another body.
    """
    with house.read() as session:
        kept = session.exec(
            select(AnswerRow).where(AnswerRow.id == keyed.place, AnswerRow.created_at > _expired(house))
        ).first()
    return None if kept is None else _open(kept, keyed.secret(house))


def keep(house: Runtime, session: Session, keyed: KeyedRequest, answer: StoredAnswer) -> bool:
    """Store the answer in the transaction of the change that it describes.

    Waits for another transaction that stores an answer under the same key. Returns False if that one was
    committed; the caller must then roll this one back.
    """
    row = {
        "id": keyed.place,
        "created_at": house.now(),
        "sealed": _seal(answer, keyed.place, keyed.secret(house)),
    }
    statement = upsert(session, AnswerRow).values(row)
    kept = statement.on_conflict_do_update(
        index_elements=["id"], set_=row, where=col(AnswerRow.created_at) <= _expired(house)
    ).returning(col(AnswerRow.id))
    return session.execute(kept).first() is not None


def forget_old(house: Runtime, now: int) -> int:
    """Delete the answers that are older than the settings allow; returns how many."""
    old = select(AnswerRow.id).where(AnswerRow.created_at <= _expired(house, now)).limit(_AT_ONCE)
    forgotten = 0
    while True:
        with house.write() as session:
            gone = list(session.exec(old))
            session.execute(delete(AnswerRow).where(col(AnswerRow.id).in_(gone)))
        forgotten += len(gone)
        if len(gone) < _AT_ONCE:
            return forgotten


def _expired(house: Runtime, now: int | None = None) -> int:
    """The newest `created_at` that has expired."""
    return (house.now() if now is None else now) - house.settings.idempotency_hours * _HOUR_MS


def _seal(answer: StoredAnswer, place: str, secret: bytes) -> bytes:
    head = json.dumps([answer.status, answer.headers]).encode()
    nonce = token_bytes(_NONCE)
    cipher = AES.new(secret, AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
    cipher.update(place.encode())
    box, tag = cipher.encrypt_and_digest(head + b"\n" + answer.body)
    return nonce + box + tag


def _open(kept: AnswerRow, secret: bytes) -> StoredAnswer:
    nonce, box, tag = kept.sealed[:_NONCE], kept.sealed[_NONCE:-_TAG], kept.sealed[-_TAG:]
    cipher = AES.new(secret, AES.MODE_GCM, nonce=nonce, mac_len=_TAG)
    cipher.update(kept.id.encode())
    try:
        data = cipher.decrypt_and_verify(box, tag)
    except ValueError:
        detail = "This Idempotency-Key was used with another body before: a new request needs a new key."
        fault = Fault("idempotency_key_reused", detail, parameter="Idempotency-Key")
        raise conflict("idempotency_key_reused", detail, [fault]) from None
    head, _, body = data.partition(b"\n")
    status, headers = json.loads(head)
    return StoredAnswer(status, tuple((name, value) for name, value in headers), body)

"""The log of acts: what admins, moderators, the operator and directors of tournaments have done, and why.

Acts are numbered without gaps in the order of the commits, and each digest covers the one before. The
database itself refuses to change or delete one. As with the ledger, the commit enters them: the end of the
log is a single row, which a transaction locks last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from crypto.encoding import b64, canonical, i2osp, unb64
from crypto.transcript import tuple_hash
from service.db import before_commit, upsert
from service.models import Act, ActHead, Player

OPERATOR = "operator"
"""The actor of what is done by `cloche admin`, on the machine of the house."""
KINDS = (
    "role_given",
    "role_taken",
    "suspended",
    "suspension_lifted",
    "trades_frozen",
    "trades_thawed",
    "renamed",
    "tokens_revoked",
    "deck_hidden",
    "deck_shown",
    "table_hidden",
    "table_shown",
    "report_taken",
    "report_released",
    "report_closed",
    "granted",
    "tournament_cancelled",
    "match_ruled",
    "player_dropped",
    "player_restored",
)
"""The kinds of acts. A name never gets a second meaning."""
SUBJECTS = ("player", "deck", "table", "report", "tournament")
NO_DIGEST = b64(bytes(32))
"""The digest before the first act."""
BATCH = 500
"""The number of acts that the check reads at a time."""

_PENDING = "cloche_acts"


@dataclass(frozen=True, slots=True)
class _Note:
    at: int
    actor: str
    kind: str
    subject: str
    subject_id: str
    details: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ListedAct:
    """An act, with the handles that its actor and its subject have now; None for one that is gone."""

    act: Act
    by: str | None
    about: str | None


def enter(session: Session, actor: str, kind: str, subject: tuple[str, str], at: int, **details: Any) -> None:
    """Enter an act when the session commits. `subject` is its sort and its id.

    `details` has texts, whole numbers and None, and never a secret. Raises `ValueError` for an unknown kind
    or sort of subject.
    """
    if kind not in KINDS or subject[0] not in SUBJECTS:
        raise ValueError(f"there is no act {kind!r} upon a {subject[0]!r}")
    pending: list[_Note] = session.info.setdefault(_PENDING, [])
    if not pending:
        # In the second round, as the ledger does: the end of the log is locked last.
        before_commit(session, lambda: before_commit(session, lambda: _write(session)))
    pending.append(_Note(at, actor, kind, *subject, details))


def digest_of(before: str, act: Act) -> str:
    """An act's digest, base64url: TH("act"; the one before, I2OSP(seq, 8), canonical JSON; 32)."""
    said = {
        "at": act.at,
        "actor": act.actor,
        "kind": act.kind,
        "subject": act.subject,
        "subject_id": act.subject_id,
        "details": act.details,
    }
    return b64(tuple_hash("act", unb64(before, 32), i2osp(act.seq, 8), canonical(said), length=32))


def _write(session: Session) -> None:
    """Enter the notes at the end of the log."""
    notes: list[_Note] = session.info.pop(_PENDING)
    session.flush()
    new = upsert(session, ActHead).values(id=1, seq=len(notes), digest=NO_DIGEST)
    moved = new.on_conflict_do_update(index_elements=["id"], set_={"seq": col(ActHead.seq) + len(notes)})
    head = session.execute(moved.returning(col(ActHead.seq), col(ActHead.digest))).one()
    digest = head.digest
    for seq, note in enumerate(notes, head.seq - len(notes) + 1):
        act = Act(
            seq=seq,
            at=note.at,
            actor=note.actor,
            kind=note.kind,
            subject=note.subject,
            subject_id=note.subject_id,
            details=note.details,
            digest="",
        )
        digest = act.digest = digest_of(digest, act)
        session.add(act)
    session.get_one(ActHead, 1, populate_existing=True).digest = digest
    session.flush()


def newest(
    session: Session, *, subject_id: str | None = None, below: int | None = None, limit: int = 50
) -> list[ListedAct]:
    """The newest acts first: all, or those upon one thing; with numbers below `below`."""
    query = select(Act).order_by(col(Act.seq).desc()).limit(limit)
    if subject_id is not None:
        query = query.where(Act.subject_id == subject_id)
    if below is not None:
        query = query.where(Act.seq < below)
    found = session.exec(query).all()
    people = {act.actor for act in found} | {act.subject_id for act in found if act.subject == "player"}
    named = select(Player.id, Player.handle).where(col(Player.id).in_(people))
    handles: dict[str, str] = {OPERATOR: OPERATOR, **dict(session.exec(named).all())}
    return [ListedAct(act, handles.get(act.actor), handles.get(act.subject_id)) for act in found]


def faults(session: Session) -> Iterator[tuple[str, str, str]]:
    """Check every digest of the log; yields each fault as a code, what it is about, and a text."""
    last, digest = 0, NO_DIGEST
    for act in _all(session):
        if act.seq != last + 1:
            yield "act_gap", f"act {act.seq}", f"number {last + 1} should come next"
        if digest_of(digest, act) != act.digest:
            yield "bad_act", f"act {act.seq}", "it, or the one before it, is not what was entered"
        last, digest = act.seq, act.digest
    head = session.get(ActHead, 1)
    kept = (0, NO_DIGEST) if head is None else (head.seq, head.digest)
    if kept != (last, digest):
        yield "bad_act_end", "the end of the log of acts", f"should be act {kept[0]}, and the last is {last}"


def _all(session: Session) -> Iterator[Act]:
    after = 0
    while True:
        rows: Sequence[Act] = session.exec(
            select(Act).where(Act.seq > after).order_by(col(Act.seq)).limit(BATCH)
        ).all()
        if not rows:
            return
        after = rows[-1].seq
        yield from rows
        session.expunge_all()

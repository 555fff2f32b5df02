"""The house's presence: a beat every second, and the absences in which no clock runs (protocol 10.6).

Every process that takes requests in beats while games run. What the house dates, a receipt or an entry,
lies at most `LAG_MS` after a beat that the same transaction has read (`covers`). So between `LAG_MS` after
the last beat and the next one nothing is dated, by whichever process, and the house can sign that it was
away. That holds whether the house was closed, the machine slept, or the database did not answer.

The newest beat never goes back. After a clock was put back, no absence is noticed until the clock has
passed that beat, and the house's time stands still until it has passed the end of the newest absence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import structlog
from sqlalchemy import BigInteger, cast, func, update
from sqlmodel import Session, col, select

from service.db import upsert
from service.models import Absence, GameRow, Presence, Submission
from service.runtime import Runtime

BEAT_SECONDS = 1.0
LAG_MS = 2_500
"""The most milliseconds after a beat in which the house still dates anything."""
GAP_MS = 5_000
"""The milliseconds without a beat after which the house says that it was away."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Attendance:
    """What a transaction knows of the house's presence."""

    beat: int | None
    """The newest beat, in milliseconds since 1970; None in a house that keeps no presence."""
    back: int | None
    """The end of the newest absence."""

    def covers(self, time: int) -> bool:
        """Tell whether the house may date something with this time now."""
        return self.beat is None or time <= self.beat + LAG_MS

    def present(self, time: int) -> int:
        """`time`, or the end of the newest absence if that is later: nothing is dated before it any more.

        A message may arrive before the house notices that it was away, and a clock that was put back may
        show a time that lies within an absence.
        """
        return time if self.back is None else max(time, self.back)


class Unattended(Exception):
    """The newest beat is too old to date anything: no process seems to take requests in."""


def attendance(session: Session) -> Attendance:
    """Read the house's presence."""
    beat = session.exec(select(Presence.at)).first()
    return Attendance(beat, session.exec(select(func.max(Absence.ended))).one())


def keep(house: Runtime) -> None:
    """Beat, if a game runs. A process that takes requests in calls this every `BEAT_SECONDS` seconds."""
    with house.database.read() as session:
        idle = _running(session) is None and session.exec(select(Presence.at)).first() is not None
    if not idle:
        beat_alone(house)


def beat_alone(house: Runtime) -> None:
    """Beat in a transaction of its own, outside any unit of work."""
    with house.database.write() as session:
        beat(house, session)


def attend(house: Runtime, session: Session) -> int:
    """Return the time by which the house may date something now, in milliseconds since 1970.

    Beats within the caller's transaction where the newest beat does not cover this moment.
    """
    if not attendance(session).covers(house.now()):
        beat(house, session)
    return attendance(session).present(house.now())


def beat(house: Runtime, session: Session) -> None:
    """Write that the house is here; note an absence if the beat before it is long past."""
    now = house.now()
    last = session.exec(select(Presence.at).with_for_update()).first()
    if last is None:
        session.execute(upsert(session, Presence).values(id=1, at=now).on_conflict_do_nothing())
        return
    if now - last > GAP_MS and _running(session) is not None:
        _note(session, last + LAG_MS, now)
    if now > last:
        session.execute(update(Presence).values(at=now))


def _running(session: Session) -> str | None:
    """The id of some game that runs."""
    return session.exec(select(GameRow.id).where(col(GameRow.due_at).is_not(None)).limit(1)).first()


def _note(session: Session, began: int, ended: int) -> None:
    """Note an absence. All running games are due at once, to have it entered."""
    began = max(began, *_dated(session, began, ended))
    if began >= ended:
        return
    session.add(Absence(began=began, ended=ended))
    session.execute(update(GameRow).where(col(GameRow.due_at) > ended).values(due_at=ended))
    log.warning("house_was_away", seconds=round((ended - began) / 1000, 1))


def _dated(session: Session, began: int, ended: int) -> Iterable[int]:
    """The newest times between the two that the house has dated anything with: none, unless clocks jump."""
    entry = cast(col(GameRow.snapshot)["at"].as_string(), BigInteger)
    runs = col(GameRow.ended_at).is_(None)
    for time, statement in (
        (entry, select(func.max(entry)).where(runs)),
        (col(GameRow.ended_at), select(func.max(GameRow.ended_at))),
        (
            col(Submission.at),
            select(func.max(Submission.at))
            .join(GameRow, col(GameRow.id) == col(Submission.game_id))
            .where(runs),
        ),
    ):
        found = session.exec(statement.where(time > began, time < ended)).one()
        yield began if found is None else found


def since(session: Session, at: int) -> list[tuple[int, int]]:
    """The absences that ended after `at`, the first first: when each began and ended."""
    statement = select(Absence.began, Absence.ended).where(Absence.ended > at).order_by(col(Absence.ended))
    return list(session.exec(statement).all())

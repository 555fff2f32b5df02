"""Reports: a player tells the moderators of another, and a moderator decides.

A report waits in a queue (`open`), is in one moderator's hands (`taken`), and ends with a verdict (`closed`).
A reporter sees their own reports and the verdicts, and nobody else's; a reported player sees none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func
from sqlmodel import Session, col, select

from service.models import DeckRow, Player, PlayerReport
from service.operations import acts, decks, feed, holds, moderation, players, roles, seating, tables, watching
from service.operations.games import seat_of
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime

KINDS = ("cheating", "collusion", "stalling", "bad_name", "harassment", "other")
STATES = ("open", "taken", "closed")
VERDICTS = ("upheld", "dismissed", "duplicate")
MOST_OPEN = 20
"""The most reports of one player that wait for a verdict."""
LONGEST_NOTE = 500
LONGEST_REMARK = 300


@dataclass(frozen=True, slots=True)
class ListedReport:
    """A report, with the handles of its people; None for one who is gone or is not there."""

    report: PlayerReport
    reporter: str | None
    about: str | None
    handler: str | None


@dataclass(frozen=True, slots=True)
class Subject:
    """The thing that a report is about, beside the player: at most one game, deck and table, by id."""

    game: str | None = None
    deck: str | None = None
    table: str | None = None


@dataclass(frozen=True, slots=True)
class WaitingReports:
    """The reports without a verdict."""

    open: int
    taken: int
    oldest_ms: int
    """The time that the oldest of them has waited, in milliseconds; 0 where there is none."""


def make(
    house: Runtime, player: Player, *, about: str, kind: str, subject: Subject, note: str
) -> ListedReport:
    """Report the player with the handle `about`.

    Raises `Problem` 404 for an unknown player; 409 for a second report of the kind that waits, and for too
    many; 422 for a thing that has nothing to do with the player, or that the reporter may not see.
    """
    with house.write() as session:
        other = players.find(session, about, house.now())
        if other.id == player.id:
            text = "You can't report yourself."
            raise invalid("own_report", text, [Fault("own_report", text, "/about")])
        _require_involved(house, session, player, other, subject)
        holds.lock_players(session, [player.id])  # so that simultaneous reports are counted one by one
        waiting = (PlayerReport.reporter_id == player.id, PlayerReport.state != "closed")
        mine = session.exec(select(PlayerReport).where(*waiting)).all()
        if any((each.about_id, each.kind) == (other.id, kind) for each in mine):
            raise conflict("already_reported", "Your report of this kind about this player waits already.")
        if len(mine) >= MOST_OPEN:
            text = f"At most {MOST_OPEN} of your reports wait for a verdict at the same time."
            raise conflict("too_many_reports", text, at_most=MOST_OPEN)
        report = PlayerReport(
            reporter_id=player.id,
            about_id=other.id,
            kind=kind,
            game_id=subject.game,
            deck_id=subject.deck,
            table_id=subject.table,
            note=note,
            created_at=house.now(),
        )
        session.add(report)
        session.flush()
        return ListedReport(report, player.handle, other.handle, None)


def _require_involved(
    house: Runtime, session: Session, player: Player, other: Player, subject: Subject
) -> None:
    """Raise `Problem` 422 for a thing that the reporter may not see or the other has no part in."""
    faults = []
    for name, thing, involved in (
        ("game", subject.game, _played),
        ("deck", subject.deck, _owned),
        ("table", subject.table, _sat),
    ):
        try:
            found = thing is None or involved(house, session, player.id, other.id, thing)
        except Problem:  # not there, or not for this player
            found = False
        if not found:
            text = f"You know of no such {name} of this player."
            faults.append(Fault("not_involved", text, f"/{name}"))
    if faults:
        raise invalid("not_involved", "The report names things that it can't be about.", faults)


def _played(_house: Runtime, session: Session, viewer_id: str, other_id: str, game_id: str) -> bool:
    watching.visible(session, game_id, viewer_id)
    return seat_of(session, game_id, other_id) is not None


def _owned(_house: Runtime, session: Session, viewer_id: str, other_id: str, deck_id: str) -> bool:
    deck: DeckRow = decks.visible(session, viewer_id, deck_id).deck
    return deck.owner_id == other_id


def _sat(house: Runtime, session: Session, viewer_id: str, other_id: str, table_id: str) -> bool:
    listed = tables.find(house, session, table_id, viewer_id)
    return other_id == listed.table.opened_by or seating.sits(listed.seats, other_id)


def of_reporter(
    session: Session, player_id: str, before: tuple[int, str] | None, limit: int
) -> list[ListedReport]:
    """A player's own reports, newest first, from the first before (created_at, id)."""
    query = select(PlayerReport).where(PlayerReport.reporter_id == player_id)
    if before is not None:
        query = query.where(_beyond(before, later=False))
    newest = query.order_by(col(PlayerReport.created_at).desc(), col(PlayerReport.id).desc()).limit(limit)
    return _listed(session, session.exec(newest).all())


def find_own(session: Session, player_id: str, report_id: str) -> ListedReport:
    """A report that this player has made. Raises `Problem` 404."""
    report = session.get(PlayerReport, report_id)
    if report is None or report.reporter_id != player_id:
        raise not_found("report")
    return _listed(session, [report])[0]


def queue(
    session: Session, by: Player | None, state: str, after: tuple[int, str] | None, limit: int
) -> list[ListedReport]:
    """Reports in a state, oldest first, from the first after (created_at, id). Raises `Problem` 403."""
    moderation.acting(session, by)
    query = select(PlayerReport).where(PlayerReport.state == state)
    if after is not None:
        query = query.where(_beyond(after, later=True))
    oldest = query.order_by(col(PlayerReport.created_at), col(PlayerReport.id)).limit(limit)
    return _listed(session, session.exec(oldest).all())


def find(session: Session, by: Player | None, report_id: str) -> ListedReport:
    """Any report, for those with a role. Raises `Problem` 403, 404."""
    moderation.acting(session, by)
    report = session.get(PlayerReport, report_id)
    if report is None:
        raise not_found("report")
    return _listed(session, [report])[0]


def take(house: Runtime, by: Player | None, report_id: str) -> ListedReport:
    """Take a report into one's hands. Idempotent.

    Raises `Problem` 403 for a player of the same or a higher role, 404, and 409 for a report that another
    has taken or closed, or that concerns the moderator.
    """
    with house.write() as session:
        who, report = _in_order(session, by, report_id)
        if report.state == "taken" and report.handler_id != who.id:
            raise _taken()
        if report.state == "open":
            report.state, report.handler_id = "taken", who.id
            acts.enter(session, who.id, "report_taken", ("report", report.id), house.now())
        return _listed(session, [report])[0]


def release(house: Runtime, by: Player | None, report_id: str) -> ListedReport:
    """Put a report back into the queue; an admin may do so for others. Raises `Problem` 403, 404, 409."""
    with house.write() as session:
        who, report = _in_order(session, by, report_id)
        if report.state == "taken":
            if report.handler_id != who.id and who.rank < roles.RANKS[roles.ADMIN]:
                raise _taken()
            report.state, report.handler_id = "open", None
            acts.enter(session, who.id, "report_released", ("report", report.id), house.now())
        return _listed(session, [report])[0]


def close(house: Runtime, by: Player | None, report_id: str, verdict: str, remark: str) -> ListedReport:
    """Close a report that one has taken, with a verdict. The reporter is told.

    Raises `Problem` 403, 404, and 409 for a report that another has taken or closed, or nobody has taken.
    """
    with house.write() as session:
        who, report = _in_order(session, by, report_id)
        if report.state == "taken" and report.handler_id != who.id:
            raise _taken()
        if report.state == "open":
            raise conflict("not_taken", "Take the report first, so that nobody else works on it.")
        now = house.now()
        report.state, report.verdict, report.remark, report.closed_at = "closed", verdict, remark, now
        said = {"verdict": verdict, "remark": remark}
        acts.enter(session, who.id, "report_closed", ("report", report.id), now, **said)
        feed.add(house, session, [report.reporter_id], "report.closed", report=report.id, verdict=verdict)
        return _listed(session, [report])[0]


def _in_order(session: Session, by: Player | None, report_id: str) -> tuple[roles.Officer, PlayerReport]:
    """A report, locked, upon which `by` may act now."""
    who = moderation.acting(session, by)
    report = session.exec(select(PlayerReport).where(PlayerReport.id == report_id).with_for_update()).first()
    if report is None:
        raise not_found("report")
    if who.id in (report.reporter_id, report.about_id):
        raise conflict("own_case", "Somebody else must decide what concerns you.")
    roles.require_below(session, who, report.about_id)
    if report.state == "closed":
        raise conflict("report_closed", "This report is closed.", verdict=report.verdict)
    return who, report


def _taken() -> Problem:
    return conflict("report_taken", "Another moderator has taken this report.")


def waiting(session: Session, now: int) -> WaitingReports:
    """Count the reports without a verdict."""
    query = select(PlayerReport.state, func.count(), func.min(col(PlayerReport.created_at)))
    rows = session.exec(
        query.where(col(PlayerReport.state).in_(("open", "taken"))).group_by(col(PlayerReport.state))
    ).all()
    counts = {state: count for state, count, _ in rows}
    oldest = min((first for *_, first in rows), default=now)
    return WaitingReports(counts.get("open", 0), counts.get("taken", 0), max(0, now - oldest))


def _beyond(key: tuple[int, str], *, later: bool) -> ColumnElement[bool]:
    at, report_id = key
    time, same = col(PlayerReport.created_at), col(PlayerReport.id)
    if later:
        return (time >= at) & ((time > at) | (same > report_id))
    return (time <= at) & ((time < at) | (same < report_id))


def _listed(session: Session, found: Sequence[PlayerReport]) -> list[ListedReport]:
    people = {one for each in found for one in (each.reporter_id, each.about_id, each.handler_id)}
    named = select(Player.id, Player.handle).where(col(Player.id).in_(people - {None}))
    handles: dict[str | None, str] = {acts.OPERATOR: acts.OPERATOR, **dict(session.exec(named).all())}
    return [
        ListedReport(
            each, handles.get(each.reporter_id), handles.get(each.about_id), handles.get(each.handler_id)
        )
        for each in found
    ]

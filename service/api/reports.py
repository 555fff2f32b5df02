"""Reports: players tell the moderators of others, and moderators decide."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.operations import reports as operations
from service.operations.reports import LONGEST_NOTE, LONGEST_REMARK, ListedReport, Subject
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id, OneLine, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

reports = Blueprint("reports", "Reports about players, and the moderators' queue of them.")


class ReportBody(Schema):
    """The player to report, and why."""

    example: ClassVar[dict[str, Any]] = {"about": "bob", "kind": "stalling", "note": "In every lost game."}

    about = fields.String(required=True, metadata={"description": "The player's handle."})
    kind = fields.String(required=True, validate=validate.OneOf(operations.KINDS))
    note = OneLine(LONGEST_NOTE, 0, load_default="")
    game = fields.UUID(
        load_default=None, allow_none=True, metadata={"description": "A game that the player played in."}
    )
    deck = fields.UUID(
        load_default=None, allow_none=True, metadata={"description": "A deck of the player that I may see."}
    )
    table = fields.UUID(
        load_default=None, allow_none=True, metadata={"description": "A table at which the player sits."}
    )


class ReportView(Schema):
    """A report of mine."""

    id = Id(required=True, attribute="report.id")
    about = fields.String(required=True, allow_none=True, metadata={"description": "The player's handle."})
    kind = fields.String(required=True, attribute="report.kind", metadata={"enum": [*operations.KINDS]})
    note = fields.String(required=True, attribute="report.note")
    game = Id("A game.", required=True, allow_none=True, attribute="report.game_id")
    deck = Id("A deck.", required=True, allow_none=True, attribute="report.deck_id")
    table = Id("A table.", required=True, allow_none=True, attribute="report.table_id")
    created_at = Time(required=True, attribute="report.created_at")
    state = fields.String(required=True, attribute="report.state", metadata={"enum": [*operations.STATES]})
    verdict = fields.String(
        required=True,
        allow_none=True,
        attribute="report.verdict",
        metadata={"enum": [*operations.VERDICTS, None], "description": "The verdict, once it is closed."},
    )
    closed_at = Time(required=True, allow_none=True, attribute="report.closed_at")


class CaseView(ReportView):
    """A report as moderators see it."""

    reporter = fields.String(required=True, allow_none=True)
    handler = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The handle of the moderator who has it, or has closed it."},
    )
    remark = fields.String(required=True, attribute="report.remark")


class QueueQuery(PageQuery):
    """The reports to list."""

    state = fields.String(load_default="open", validate=validate.OneOf(operations.STATES))


class VerdictBody(Schema):
    """The verdict, and words about it for other moderators."""

    example: ClassVar[dict[str, Any]] = {"verdict": "upheld", "remark": "Suspended for three days."}

    verdict = fields.String(required=True, validate=validate.OneOf(operations.VERDICTS))
    remark = OneLine(LONGEST_REMARK, 0, load_default="")


def _key(listed: ListedReport) -> tuple[int, str]:
    return (listed.report.created_at, listed.report.id)


@reports.route("/reports", "POST")
@reports.signed_in
@reports.takes(ReportBody)
@reports.creates(ReportView, "/reports/{id}")
@reports.refuses(404, 409, 422)
def make_report(body: dict[str, Any]) -> ListedReport:
    """Report a player to the moderators of this house. The player is not told, and does not learn of me.

    One report of a kind about a player waits at a time, and at most 20 in all.
    """
    things = {name: body.pop(name) for name in ("game", "deck", "table")}
    subject = Subject(**{name: None if thing is None else str(thing) for name, thing in things.items()})
    return operations.make(house(), me(), subject=subject, **body)


@reports.route("/reports")
@reports.signed_in
@reports.takes(PageQuery, "query")
@reports.gives(page_of(ReportView))
def list_reports(query: dict[str, Any]) -> dict[str, Any]:
    """List the reports that I have made, newest first, with their verdicts."""
    before, limit = read_cursor(query["cursor"], int, str), query["limit"]
    with house().read() as session:
        found = operations.of_reporter(session, me().id, before, limit + 1)
    return page(found, limit, _key)


@reports.route("/reports/<report_id>")
@reports.signed_in
@reports.gives(ReportView)
@reports.refuses(404)
def get_report(report_id: str) -> ListedReport:
    """Show a report that I have made."""
    with house().read() as session:
        return operations.find_own(session, me().id, report_id)


@reports.route("/moderation/reports")
@reports.signed_in
@reports.takes(QueueQuery, "query")
@reports.gives(page_of(CaseView))
@reports.refuses(403)
def list_queue(query: dict[str, Any]) -> dict[str, Any]:
    """List the reports in a state, oldest first: those that wait, unless `state` names another."""
    after, limit = read_cursor(query["cursor"], int, str), query["limit"]
    with house().read() as session:
        found = operations.queue(session, me(), query["state"], after, limit + 1)
    return page(found, limit, _key)


@reports.route("/moderation/reports/<report_id>")
@reports.signed_in
@reports.gives(CaseView)
@reports.refuses(403, 404)
def get_case(report_id: str) -> ListedReport:
    """Show any report, for those with a role."""
    with house().read() as session:
        return operations.find(session, me(), report_id)


@reports.route("/moderation/reports/<report_id>/take", "POST")
@reports.signed_in
@reports.gives(CaseView)
@reports.refuses(403, 404, 409)
def take_report(report_id: str) -> ListedReport:
    """Take a report into my hands, so that nobody else works on it."""
    return operations.take(house(), me(), report_id)


@reports.route("/moderation/reports/<report_id>/release", "POST")
@reports.signed_in
@reports.gives(CaseView)
@reports.refuses(403, 404, 409)
def release_report(report_id: str) -> ListedReport:
    """Put a report that I have taken back into the queue; an admin may do so for others."""
    return operations.release(house(), me(), report_id)


@reports.route("/moderation/reports/<report_id>/close", "POST")
@reports.signed_in
@reports.takes(VerdictBody)
@reports.gives(CaseView)
@reports.refuses(403, 404, 409, 422)
def close_report(body: dict[str, Any], report_id: str) -> ListedReport:
    """Close a report that I have taken, with a verdict. The reporter is told the verdict alone."""
    return operations.close(house(), me(), report_id, body["verdict"], body["remark"])

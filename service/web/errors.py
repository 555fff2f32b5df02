"""The one error handler: whatever goes wrong leaves as an RFC 9457 problem document."""

from __future__ import annotations

from typing import Any

import structlog
from flask import Flask, Response, current_app, g
from marshmallow import INCLUDE, Schema, fields, post_dump
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from werkzeug.exceptions import HTTPException

from cards.catalog.cards import CatalogError
from service.problems import CONTENT_TYPE, Problem

log = structlog.get_logger(__name__)

READ_ONLY = "25006"
"""PostgreSQL's word (SQLSTATE) for a write where only reading is allowed."""
_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "body_too_large",
    415: "unsupported_media_type",
}
_DETAILS = {
    404: "There is nothing here.",
    405: "This can't be done with that method.",
}


class FaultView(Schema):
    """One thing that is wrong, with its numbers: members of their own, by `code`."""

    class Meta:
        unknown = INCLUDE

    code = fields.String(required=True, metadata={"description": "Stable."})
    detail = fields.String(required=True, metadata={"description": "For people."})
    pointer = fields.String(metadata={"description": "A JSON pointer into the body."})
    parameter = fields.String(metadata={"description": "A parameter of the query or path."})

    @post_dump(pass_original=True)
    def _numbers(self, document: dict[str, Any], fault: Any, **_options: Any) -> dict[str, Any]:
        return {**{name: value for name, value in document.items() if value is not None}, **fault.data}


class ProblemView(Schema):
    """A problem document (RFC 9457); it may have members of its own, by `code`."""

    class Meta:
        unknown = INCLUDE

    type = fields.String(required=True, metadata={"description": "about:blank: see `code`."})
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata={"description": "Stable, for programs."})
    detail = fields.String(required=True, metadata={"description": "For people."})
    request_id = fields.String(metadata={"description": "As in X-Request-Id and in the house's logs."})
    errors = fields.List(fields.Nested(FaultView))


def answer(problem: Problem) -> Response:
    """The problem as a response."""
    document = {**problem.document(), "request_id": g.get("request_id")}
    response = Response(
        current_app.json.dumps(document), problem.status, problem.headers, content_type=CONTENT_TYPE
    )
    g.problem = problem.code
    return response


def _from_http(error: HTTPException) -> Response | HTTPException:
    """Werkzeug's own: unknown paths, wrong methods, large bodies, too many requests; redirections pass."""
    status = error.code or 500
    if status < 400:
        return error
    limit = current_app.config["MAX_CONTENT_LENGTH"]
    detail = f"A body has at most {limit} bytes." if status == 413 else _DETAILS.get(status, error.name + ".")
    headers = {
        name: value
        for name, value in error.get_headers()
        if name.lower() not in ("content-type", "content-length")
    }
    return answer(Problem(status, _CODES.get(status, "http_error"), detail, headers=headers))


def _away(error: DBAPIError | PoolTimeoutError) -> Response:
    """The database is away or overrun; nothing was changed, and the same request may succeed in a moment."""
    log.error("database_away", error=type(error).__name__, cause=type(error.__cause__).__name__)
    detail = "The house can't use its database just now; try again."
    return answer(Problem(503, "no_database", detail, headers={"Retry-After": "1"}))


def _inside(error: InternalError) -> Response:
    """What PostgreSQL calls internal is our fault, unless it may only be read: a standby, at a fail-over."""
    if getattr(error.orig, "sqlstate", None) == READ_ONLY:
        return _away(error)
    return _unexpected(error)


def _formats(error: CatalogError) -> Response:
    """A format of the house's own has got a fault since the house was opened; they are read when needed."""
    log.error("formats_unreadable", flaws=[str(flaw) for flaw in error.flaws])
    detail = "A format of this house has a fault, so none can be used; its log names it."
    return answer(Problem(500, "formats_unreadable", detail))


def _unexpected(error: Exception) -> Response:
    """A fault of ours: the log has it all, the answer only the request's id."""
    log.error("unexpected", exc_info=error)
    return answer(Problem(500, "internal_error", "Something went wrong in the house; it is in its log."))


def install(app: Flask) -> None:
    """Have an application's faults answered."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(HTTPException, _from_http)
    for away in (OperationalError, InterfaceError, PoolTimeoutError):
        app.register_error_handler(away, _away)
    app.register_error_handler(InternalError, _inside)
    app.register_error_handler(CatalogError, _formats)
    app.register_error_handler(Exception, _unexpected)

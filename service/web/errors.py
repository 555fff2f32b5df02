"""The one error handler: every error is answered with a problem document (RFC 9457)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import structlog
from flask import Flask, Response, current_app, g, redirect, request
from marshmallow import INCLUDE, Schema, fields, post_dump
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response as BaseResponse

from cards.catalog.cards import CatalogError
from service.disk import is_full
from service.problems import CONTENT_TYPE, Problem
from service.web.waiting import Later

log = structlog.get_logger(__name__)

READ_ONLY = "25006"
"""PostgreSQL's SQLSTATE for a write in a read-only transaction."""
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


CODE = {"allOf": [{"$ref": "#/components/schemas/ProblemCode"}]}
"""A code, as OpenAPI documents it (`service.web.schemas.codes`)."""


class FaultView(Schema):
    """One thing that is wrong. It may have further members, which depend on `code`."""

    class Meta:
        unknown = INCLUDE

    code = fields.String(required=True, metadata=CODE)
    detail = fields.String(required=True, metadata={"description": "For people."})
    pointer = fields.String(metadata={"description": "A JSON pointer into the body."})
    parameter = fields.String(metadata={"description": "A parameter of the query or the path, or a header."})

    @post_dump(pass_original=True)
    def _numbers(self, document: dict[str, Any], fault: Any, **_options: Any) -> dict[str, Any]:
        return {**{name: value for name, value in document.items() if value is not None}, **fault.data}


class ProblemView(Schema):
    """A problem document (RFC 9457). It may have further members, which depend on `code`."""

    class Meta:
        unknown = INCLUDE

    type = fields.String(
        required=True, metadata={"description": "Always about:blank; `code` says which problem it is."}
    )
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True, metadata=CODE)
    detail = fields.String(required=True, metadata={"description": "For people."})
    request_id = fields.String(
        metadata={"description": "The id of the request, as in X-Request-Id and in the house's log."}
    )
    errors = fields.List(fields.Nested(FaultView))


def answer(problem: Problem) -> Response:
    """The problem as a response."""
    document = {**problem.document(), "request_id": g.get("request_id")}
    response = Response(
        current_app.json.dumps(document), problem.status, problem.headers, content_type=CONTENT_TYPE
    )
    g.problem = problem.code
    return response


def _stay_here() -> BaseResponse | None:
    """Redirect to a path that ends in a slash, on the same host.

    Flask answers with what the router raised, without asking an error handler. That is an absolute URL, made
    of a Host header, and anybody may write one.
    """
    error = request.routing_exception
    if not isinstance(error, RequestRedirect):
        return None
    there = urlsplit(error.new_url)
    path = "/" + there.path.lstrip("/")  # two slashes would begin a host
    return redirect(f"{path}?{there.query}" if there.query else path, error.code)


def _from_http(error: HTTPException) -> Response | HTTPException:
    """The problem of an error of Werkzeug's, such as an unknown path; redirections stay as they are."""
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
    """The answer while the database is away or overloaded. Nothing was changed; a repetition may succeed."""
    if isinstance(error, DBAPIError) and is_full(error.orig):
        log.error("disk_full", error=type(error).__name__)
        detail = "The disk of the house's database is full, so nothing can be changed; try again later."
        return answer(Problem(503, "disk_full", detail, headers={"Retry-After": "30"}))
    log.error("database_away", error=type(error).__name__, cause=type(error.__cause__).__name__)
    detail = "The house can't use its database just now; try again."
    return answer(Problem(503, "no_database", detail, headers={"Retry-After": "1"}))


def _inside(error: InternalError) -> Response:
    """The answer to an internal error of PostgreSQL: a bug of ours, unless the database is read-only.

    It is that at a fail-over, while it is a standby.
    """
    if getattr(error.orig, "sqlstate", None) == READ_ONLY:
        return _away(error)
    return _unexpected(error)


def _formats(error: CatalogError) -> Response:
    """The answer where a format's file has become invalid since the house was started."""
    log.error("formats_unreadable", flaws=[str(flaw) for flaw in error.flaws])
    detail = "A format of this house has a fault, so none can be used; its log names it."
    return answer(Problem(500, "formats_unreadable", detail))


def _unexpected(error: Exception) -> Response:
    """The answer to a bug: the log has the traceback, the answer only the request's id."""
    log.error("unexpected", exc_info=error)
    return answer(Problem(500, "internal_error", "Something went wrong in the house; it is in its log."))


def install(app: Flask) -> None:
    """Register the error handlers with an application."""
    app.before_request(_stay_here)
    app.register_error_handler(Problem, answer)
    app.register_error_handler(Later, lambda _: Response(status=204))  # never sent: the server asks again
    app.register_error_handler(HTTPException, _from_http)
    for away in (OperationalError, InterfaceError, PoolTimeoutError):
        app.register_error_handler(away, _away)
    app.register_error_handler(InternalError, _inside)
    app.register_error_handler(CatalogError, _formats)
    app.register_error_handler(Exception, _unexpected)

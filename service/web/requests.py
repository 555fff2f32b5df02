"""The steps for every request: it gets an id, its size is checked, and the log gets a line."""

from __future__ import annotations

import re
import time
from typing import Any
from uuid import uuid4

import structlog
from flask import Flask, Request, Response, abort
from flask.globals import app_ctx, request_ctx
from structlog.contextvars import bind_contextvars, clear_contextvars

from service import metrics
from service.problems import bad_request
from service.web.waiting import handover

log = structlog.get_logger(__name__)

_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


def _begin() -> None:
    # Flask's `request` and `g` find the request anew at each use, which adds up.
    asked, own, handed = _request(), _own(), handover()
    if handed is not None and handed.request_id:
        own.request_id = handed.request_id
    else:
        given = asked.headers.get("X-Request-Id", "")
        own.request_id = given if _ID.fullmatch(given) else str(uuid4())
    own.began = time.perf_counter()
    if handed is not None:
        handed.request_id, own.began = own.request_id, handed.began
    own.pop("player", None)  # found out again for each request
    clear_contextvars()
    bind_contextvars(request_id=own.request_id, **_subject(asked))
    limit = asked.max_content_length
    if limit is not None and (asked.content_length or 0) > limit:
        abort(413)
    if "\0" in asked.path or b"%00" in asked.query_string or b"\0" in asked.query_string:
        raise bad_request("bad_request", "A path or a query must not have a NUL.")


def _request() -> Request:
    return request_ctx.request


def _own() -> Any:
    return app_ctx.g


def _subject(asked: Request) -> dict[str, str]:
    """The game or table that the request is about, for its lines in the log. Only UUIDs are logged."""
    given = (asked.view_args or {}).items()
    return {
        name.removesuffix("_id"): value
        for name, value in given
        if name in ("game_id", "table_id") and _UUID.fullmatch(value)
    }


def _count(asked: Request, own: Any, response: Response) -> None:
    route = asked.url_rule.rule if asked.url_rule else "none"
    method = asked.method if asked.method in _METHODS else "other"
    metrics.requests.labels(method, route, response.status_code).inc()
    metrics.request_seconds.labels(method, route).observe(time.perf_counter() - own.began)
    if "problem" in own:
        metrics.problems.labels(own.problem).inc()


def _end(response: Response) -> Response:
    handed = handover()
    if handed is not None and handed.later:
        return response  # it is not answered yet
    asked, own = _request(), _own()
    headers = response.headers
    headers["X-Request-Id"] = own.request_id
    headers.setdefault("X-Content-Type-Options", "nosniff")
    if asked.path.startswith("/api/v1/"):
        headers.setdefault("Cache-Control", "no-store")
    _count(asked, own, response)
    log.info(
        "request",
        method=asked.method,
        route=asked.url_rule.rule if asked.url_rule else None,
        status=response.status_code,
        problem=own.get("problem"),
        player=own.player.id if "player" in own else None,
        ms=round((time.perf_counter() - own.began) * 1000, 1),
    )
    return response


def install(app: Flask) -> None:
    """Have an application's requests numbered, measured and logged, but never bodies, queries or headers."""
    app.before_request(_begin)
    app.after_request(_end)

"""The steps for every request: it gets an id, its size is checked, and the log gets a line."""

from __future__ import annotations

import re
import time
from uuid import uuid4

import structlog
from flask import Flask, Response, abort, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars

from service import metrics
from service.problems import bad_request
from service.web.waiting import handover

log = structlog.get_logger(__name__)

_ID = re.compile(r"[A-Za-z0-9-]{8,64}")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


def _begin() -> None:
    given, handed = request.headers.get("X-Request-Id", ""), handover()
    if handed is not None and handed.request_id:
        g.request_id = handed.request_id
    else:
        g.request_id = given if _ID.fullmatch(given) else str(uuid4())
    g.began = time.perf_counter()
    if handed is not None:
        handed.request_id, g.began = g.request_id, handed.began
    g.pop("player", None)  # found out again for each request
    clear_contextvars()
    bind_contextvars(request_id=g.request_id, **_subject())
    limit = request.max_content_length
    if limit is not None and (request.content_length or 0) > limit:
        abort(413)
    texts = [request.path, *request.args, *(value for _, value in request.args.items(multi=True))]
    if any("\0" in text for text in texts):
        raise bad_request("bad_request", "A path or a query must not have a NUL.")


def _subject() -> dict[str, str]:
    """The game or table that the request is about, for its lines in the log. Only UUIDs are logged."""
    given = (request.view_args or {}).items()
    return {
        name.removesuffix("_id"): value
        for name, value in given
        if name in ("game_id", "table_id") and _UUID.fullmatch(value)
    }


def _count(response: Response) -> None:
    route = request.url_rule.rule if request.url_rule else "none"
    method = request.method if request.method in _METHODS else "other"
    metrics.requests.labels(method, route, response.status_code).inc()
    metrics.request_seconds.labels(method, route).observe(time.perf_counter() - g.began)
    if "problem" in g:
        metrics.problems.labels(g.problem).inc()


def _end(response: Response) -> Response:
    handed = handover()
    if handed is not None and handed.later:
        return response  # it is not answered yet
    response.headers["X-Request-Id"] = g.request_id
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    if request.path.startswith("/api/v1/"):
        response.headers.setdefault("Cache-Control", "no-store")
    _count(response)
    log.info(
        "request",
        method=request.method,
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        problem=g.get("problem"),
        player=g.player.id if "player" in g else None,
        ms=round((time.perf_counter() - g.began) * 1000, 1),
    )
    return response


def install(app: Flask) -> None:
    """Have an application's requests numbered, measured and logged, but never bodies, queries or headers."""
    app.before_request(_begin)
    app.after_request(_end)

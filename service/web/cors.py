"""Cross-origin requests (the CORS protocol of the Fetch standard): pages of which hosts may use the API.

By default none may. With `cors_origins` set, pages of those origins may, by their scripts. Tokens come in a
header that a script sets, so no credentials of the browser are ever allowed.
"""

from __future__ import annotations

from flask import Flask, Response, request

METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
SENT = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-Id",
)
"""The headers of a request that a page may set."""
SHOWN = (
    "Content-Disposition",
    "ETag",
    "Idempotency-Replayed",
    "Location",
    "Retry-After",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
)
"""The headers of an answer that a page may read, beside those that every page may."""
MINUTES = 10
"""Minutes for which a browser may remember that a request is allowed."""


def origins_of(setting: str) -> frozenset[str]:
    """The origins that the setting `cors_origins` names, with commas between them."""
    return frozenset(filter(None, setting.split(",")))


def headers(path: str, origin: str, origins: frozenset[str]) -> dict[str, str]:
    """The headers that let a page of `origin` read the answer at this path; {} where no page may."""
    if not origins or not path.startswith("/api/"):
        return {}
    found = {"Vary": "Origin"}  # a cache must not give one origin's answer to another
    if origin in origins:
        found |= {
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Expose-Headers": ", ".join(SHOWN),
        }
    return found


def install(app: Flask, origins: frozenset[str]) -> None:
    """Let pages of these origins use the API and read its document."""
    if not origins:
        return

    def allow(response: Response) -> Response:
        found = headers(request.path, request.headers.get("Origin", ""), origins)
        for name in found.pop("Vary", "").split():
            response.vary.add(name)
        response.headers.update(found)
        if found and request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response.headers["Access-Control-Allow-Methods"] = METHODS
            response.headers["Access-Control-Allow-Headers"] = ", ".join(SENT)
            response.headers["Access-Control-Max-Age"] = str(MINUTES * 60)
        return response

    app.after_request(allow)

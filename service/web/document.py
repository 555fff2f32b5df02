"""The OpenAPI document: what holds for all operations; each says the rest of itself."""

from __future__ import annotations

from http import HTTPStatus
from importlib.metadata import version
from typing import Any

import flask_smorest
from flask import Flask

from service.problems import CONTENT_TYPE
from service.web.errors import ProblemView

INTRODUCTION = """
A house for card games that nobody can cheat at: build decks, submit committed turns, verify what was
revealed.

**Signing in.** `POST /players` registers a handle, a password and an Ed25519 key, `POST /tokens` gives
a token for handle and password. Send it as `Authorization: Bearer TOKEN`. What has no lock here is for
everybody.

**Faults** are problem documents (RFC 9457). `code` is stable and for programs, `detail` for people;
`errors` names every fault at once, each with a code and a place: `pointer` into the body, or
`parameter`. Whatever is refused has changed nothing.

**Once.** With an `Idempotency-Key`, best a random UUID, the same POST again gets the same answer again,
and `Idempotency-Replayed: true`. So send it again where no answer came.

**Editing.** A deck has an `ETag`; who changes it says in `If-Match` what was read. 428 asks for that
header, 412 says that somebody was quicker.

**Lists** come in pages: `next` is the `cursor` of the next one, or null.

**Limits.** `GET /limits` lists them. Answers under one have `X-RateLimit-Limit`,
`X-RateLimit-Remaining` and `X-RateLimit-Reset`; a 429 has `Retry-After`.

**Bytes** are base64url without padding, times RFC 3339 in UTC. Bodies are JSON objects without
fractions; a member that is not in this document is refused.

`docs/api.md`, beside the house's program, plays a whole match with curl and says what every code means.
""".strip()
"""For people, above all operations; the rest is in docs/api.md."""

_SECONDS = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds; then ask again."}}
_HEADERS: dict[int, dict[str, Any]] = {
    HTTPStatus.UNAUTHORIZED: {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "Bearer"}},
    HTTPStatus.TOO_MANY_REQUESTS: {
        **_SECONDS,
        "X-RateLimit-Limit": {
            "schema": {"type": "integer"},
            "description": "Requests in the window that is full.",
        },
        "X-RateLimit-Remaining": {"schema": {"type": "integer"}, "description": "What is left of them."},
        "X-RateLimit-Reset": {
            "schema": {"type": "integer"},
            "description": "When the oldest of them falls out of the window, in seconds since 1970.",
        },
    },
    HTTPStatus.SERVICE_UNAVAILABLE: _SECONDS,
}
"""Headers of problems, by status."""

_EXAMPLES: dict[int, tuple[str, str]] = {
    HTTPStatus.BAD_REQUEST: ("malformed_json", "The body must be a JSON object."),
    HTTPStatus.UNAUTHORIZED: ("not_signed_in", "This needs a token: Authorization: Bearer TOKEN."),
    HTTPStatus.FORBIDDEN: ("not_your_seat", "This seat is not yours."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is no such deck."),
    HTTPStatus.CONFLICT: (
        "idempotency_key_reused",
        "This Idempotency-Key has come with another body before: a new request needs a new key.",
    ),
    HTTPStatus.PRECONDITION_FAILED: (
        "precondition_failed",
        "It has changed since you read it: read it again, and try again with its new ETag.",
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("body_too_large", "A body has at most 65536 bytes."),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (
        "not_json",
        "The body must be JSON, with Content-Type: application/json.",
    ),
    HTTPStatus.UNPROCESSABLE_ENTITY: ("invalid_request", "Some fields are not as they should be."),
    HTTPStatus.PRECONDITION_REQUIRED: (
        "precondition_required",
        "Name the version that you change by If-Match: the ETag that came with it, or * for any.",
    ),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "too_many_requests",
        "Too many requests; try again after the time in Retry-After.",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "no_database",
        "The house can't use its database just now; try again.",
    ),
}
"""A code that a status may have, and its detail."""
_MORE: dict[int, dict[str, Any]] = {
    HTTPStatus.PRECONDITION_FAILED: {"etag": f'"{"0123456789abcdef" * 4}"'},
    HTTPStatus.UNPROCESSABLE_ENTITY: {
        "errors": [{"code": "unknown_field", "detail": "Unknown field.", "pointer": "/colour"}]
    },
}
"""Other members of it."""


def open_api(app: Flask) -> Any:
    """The OpenAPI document of an application, at /api/openapi.json; blueprints register with it."""
    app.config.update(
        API_TITLE="Cloche",
        API_VERSION=version("cloche"),
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={"info": {"description": INTRODUCTION}, "servers": [{"url": "/"}]},
    )
    api = flask_smorest.Api()
    api.ERROR_SCHEMA = ProblemView
    api.init_app(app)
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    for status in HTTPStatus:
        if status >= 400:
            api.spec.components.response(status.name, _problem(status), lazy=True)
    fallback = {"description": "A problem document", "content": {CONTENT_TYPE: {"schema": ProblemView}}}
    api.spec.components.response("DEFAULT_ERROR", fallback, lazy=True)
    return api


def _problem(status: HTTPStatus) -> dict[str, Any]:
    """A problem of that status as OpenAPI has it."""
    content: dict[str, Any] = {"schema": ProblemView}
    if status in _EXAMPLES:
        code, detail = _EXAMPLES[status]
        content["example"] = {
            "type": "about:blank",
            "title": status.phrase,
            "status": int(status),
            "code": code,
            "detail": detail,
            **_MORE.get(status, {}),
            "request_id": "5f4ff9b6-3f6c-4c2a-9b0f-6f6f0e2b6a11",
        }
    answer = {"description": status.phrase, "content": {CONTENT_TYPE: content}}
    return {**answer, "headers": _HEADERS[status]} if status in _HEADERS else answer

"""The OpenAPI document: what holds for all operations. Each resource documents its own."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from flask import Flask

from service.problems import CONTENT_TYPE
from service.web import schemas
from service.web.described import DescribedApi
from service.web.errors import ProblemView
from service.web.rate_headers import RATE_HEADERS, RETRY

INTRODUCTION = """
Cloche is a server, the *house*, for card games at which nobody can cheat. Build decks, play by messages that
you sign, and verify afterwards that every card was dealt fairly.

**Signing in.** `POST /players` registers a handle, a password and an Ed25519 key. `POST /tokens` issues a
token for handle and password. Send the token as `Authorization: Bearer TOKEN`. Operations without a lock
symbol need no token.

**Errors** are problem documents (RFC 9457). `code` is stable and for programs, `detail` is for people.
`errors` lists everything that is wrong, each with a code and a place: `pointer` (a JSON pointer into the
body) or `parameter`. A refused request has changed nothing.

**Repeating a request.** Send a POST with an `Idempotency-Key`, best a random UUID. The same request with the
same key is done only once: each repetition gets the first answer, with `Idempotency-Replayed: true`. So if
no answer arrives, send the request again.

**Editing.** A deck has an `ETag`. To change the deck, send the ETag that you read in `If-Match`. Without the
header the answer is 428; if somebody has changed the deck since, it is 412.

**Lists** come in pages. `next` is the `cursor` of the next page, or null.

**Limits.** `GET /limits` lists them. Answers to requests that are counted have `X-RateLimit-Limit`,
`X-RateLimit-Remaining` and `X-RateLimit-Reset`; a 429 has `Retry-After`.

**Values.** Byte strings are base64url without padding, times are RFC 3339 in UTC, and ids are UUIDs. Bodies
are JSON objects without fractions. A member that is not in this document is refused.

`docs/api.md` in the house's program plays a whole match with curl and explains every code; `docs/glossary.md`
explains the words of the games and of the protocol.
""".strip()
"""The text above all operations."""

_HEADERS: dict[int, dict[str, Any]] = {
    HTTPStatus.UNAUTHORIZED: {
        "WWW-Authenticate": {"schema": {"type": "string"}, "description": "The scheme: Bearer."}
    },
    HTTPStatus.TOO_MANY_REQUESTS: {**RETRY, **RATE_HEADERS},
    HTTPStatus.SERVICE_UNAVAILABLE: RETRY,
}
"""Headers of problems, by status."""

_EXAMPLES: dict[int, tuple[str, str]] = {
    HTTPStatus.BAD_REQUEST: ("malformed_json", "The body must be a JSON object."),
    HTTPStatus.UNAUTHORIZED: ("not_signed_in", "This needs a token, sent as Authorization: Bearer TOKEN."),
    HTTPStatus.FORBIDDEN: ("not_your_seat", "This seat is not yours."),
    HTTPStatus.NOT_FOUND: ("not_found", "There is no such deck."),
    HTTPStatus.CONFLICT: (
        "idempotency_key_reused",
        "This Idempotency-Key was used with another body before: a new request needs a new key.",
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
        "Too many requests: try again after the time in Retry-After.",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        "no_database",
        "The house can't use its database just now; try again.",
    ),
}
"""An example for each status: a code and its detail."""
_MORE: dict[int, dict[str, Any]] = {
    HTTPStatus.PRECONDITION_FAILED: {"etag": f'"{"0123456789abcdef" * 4}"'},
    HTTPStatus.UNPROCESSABLE_ENTITY: {
        "errors": [{"code": "unknown_field", "detail": "Unknown field.", "pointer": "/colour"}]
    },
}
"""Other members of these examples."""


def open_api(app: Flask) -> Any:
    """The OpenAPI document of an application, at /api/openapi.json. Blueprints register with it."""
    app.config.update(
        API_TITLE="Cloche",
        API_VERSION=version("cloche"),
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": INTRODUCTION},
            "servers": [{"url": "/"}],
            "webhooks": schemas.deliveries(),
        },
    )
    api = DescribedApi()
    api.ERROR_SCHEMA = ProblemView
    api.init_app(app)
    api.later.append(partial(_schemas, api.spec))
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    for status in HTTPStatus:
        if status >= 400:
            api.spec.components.response(status.name, _problem(status), lazy=True)
    fallback = {"description": "A problem document", "content": {CONTENT_TYPE: {"schema": ProblemView}}}
    api.spec.components.response("DEFAULT_ERROR", fallback, lazy=True)
    return api


def _schemas(spec: Any) -> None:
    for name, schema in schemas.components().items():
        spec.components.schema(name, schema)


def _problem(status: HTTPStatus) -> dict[str, Any]:
    """The answer with a problem of this status, as OpenAPI documents it."""
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

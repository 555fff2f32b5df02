"""Refusals over HTTP: RFC 9457 problem documents with stable codes.

The operations raise `Problem`; `service.web.errors` turns it into an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

CONTENT_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a request, and where.

    The place is a JSON `pointer` into the body, or a `parameter` of the query or a header. `data` has the
    numbers in question.
    """

    code: str
    detail: str
    pointer: str | None = None
    parameter: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The fault as JSON, without the place that it does not name."""
        places = {"pointer": self.pointer, "parameter": self.parameter}
        named = {name: place for name, place in places.items() if place is not None}
        return {"code": self.code, "detail": self.detail, **named, **self.data}


class Problem(Exception):
    """A refused request, with all that the client may know: never a password, a token or a seed.

    `code` is stable and for programs, `detail` is for people. `errors` lists every fault at once. `data` has
    further members of the document, `headers` further headers of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        errors: Sequence[Fault] = (),
        *,
        data: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)
        self.data = dict(data or {})
        self.headers = dict(headers or {})

    def document(self) -> dict[str, Any]:
        """The problem document. Its `type` is about:blank, since `code` says what a type would."""
        document: dict[str, Any] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.data,
        }
        if self.errors:
            document["errors"] = [error.document() for error in self.errors]
        return document


def bad_request(code: str, detail: str, errors: Sequence[Fault] = ()) -> Problem:
    """400: the request can't be read."""
    return Problem(400, code, detail, errors)


def unauthorized(code: str, detail: str) -> Problem:
    """401: nobody is signed in."""
    return Problem(401, code, detail, headers={"WWW-Authenticate": "Bearer"})


def forbidden(code: str, detail: str) -> Problem:
    """403: this player may not do it."""
    return Problem(403, code, detail)


def not_found(what: str) -> Problem:
    """404: there is no such thing, or this player may not see it."""
    return Problem(404, "not_found", f"There is no such {what}.")


def conflict(code: str, detail: str, errors: Sequence[Fault] = (), **data: Any) -> Problem:
    """409: the request conflicts with the present state. `data` has further members of the document."""
    return Problem(409, code, detail, errors, data=data)


def invalid(code: str, detail: str, errors: Sequence[Fault] = (), **data: Any) -> Problem:
    """422: the request can be read, and is wrong. `data` has further members of the document."""
    return Problem(422, code, detail, errors, data=data)

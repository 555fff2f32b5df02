"""Reading requests: strict JSON, and errors that name the place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

import flask
import marshmallow as ma
from webargs.flaskparser import FlaskParser

from crypto.encoding import EncodingError, parse
from service.problems import Fault, Problem, bad_request, invalid

_CODES = {
    "Missing data for required field.": "required",
    "Unknown field.": "unknown_field",
    "Field may not be null.": "null",
}
"""Codes for marshmallow's own messages; every other message has the code "invalid"."""


class Parser(FlaskParser):
    """webargs, with one strict reading of JSON for all bodies, and with problems for its errors."""

    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {  # noqa: RUF012 - webargs has it so
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "query": ma.RAISE,  # a misspelt ?limt=5 is refused, not ignored
    }

    def load_json(self, req: flask.Request, schema: ma.Schema) -> Any:
        """The body, a JSON object. Repeated members, floats, and integers from 2^53 are refused."""
        data = req.get_data(cache=True)
        if not data:
            raise bad_request("no_body", "This needs a JSON body.")
        if not req.is_json:
            raise Problem(415, "not_json", "The body must be JSON, with Content-Type: application/json.")
        try:
            body = parse(data)
        except EncodingError as error:
            raise bad_request("malformed_json", f"The body can't be read: {error}.") from None
        if not isinstance(body, dict):
            raise bad_request("malformed_json", "The body must be a JSON object.")
        if b"\\u" in data and not _plain(body):
            raise bad_request("malformed_json", "The body has a text that is not Unicode, or that has a NUL.")
        return body

    def handle_error(
        self,
        error: ma.ValidationError,
        req: flask.Request,
        schema: ma.Schema,
        *,
        error_status_code: int | None,
        error_headers: Mapping[str, str] | None,
    ) -> NoReturn:
        """Raise one `Problem` with all errors, each with its place."""
        raise _problem(error.messages_dict) from None


def _plain(value: object) -> bool:
    """Tell whether a database could store every text in it: no lone surrogate, no NUL."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
    if isinstance(value, dict):
        return all(_plain(key) and _plain(item) for key, item in value.items())
    return all(map(_plain, value)) if isinstance(value, list) else True


def _problem(messages: Mapping[str, Any]) -> Problem:
    faults: list[Fault] = []
    for location, found in messages.items():
        for path, leaf in _leaves(found, ()):
            fault = leaf if isinstance(leaf, Fault) else Fault(_CODES.get(str(leaf), "invalid"), str(leaf))
            if location == "json":
                faults.append(replace(fault, pointer=pointer(*path)))
            else:
                faults.append(replace(fault, parameter=".".join(path)))
    return invalid("invalid_request", "Some fields are not as they should be.", faults)


def _leaves(found: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    """Each path, and what is wrong there: a text of marshmallow's, or a `Fault` that a field has raised."""
    if isinstance(found, Mapping):
        for key, inner in found.items():
            yield from _leaves(inner, path if key == "_schema" else (*path, str(key)))
    elif isinstance(found, list):
        for inner in found:
            yield from _leaves(inner, path)
    else:
        yield path, found


def pointer(*path: str | int) -> str:
    """The JSON pointer (RFC 6901) of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)

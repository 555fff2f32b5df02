"""What a house's answers mean to whoever asked: refused, not there, ask again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from crypto.encoding import loads

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 3.0
"""Seconds between two attempts: the first time, and at most."""
AWAY = (502, 503, 504)
"""What a proxy says when the house behind it is not there."""


class ApiProblem(Exception):
    """The house refused (RFC 9457): `code` is stable, `detail` is for people, `errors` are all faults."""

    def __init__(self, status: int, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(f"{detail} ({code})")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)

    @property
    def pointer(self) -> str | None:
        """The field of the first fault, as a JSON pointer into what was sent."""
        return next((error["pointer"] for error in self.errors if "pointer" in error), None)


class Unreachable(Exception):
    """Nobody answers at the house's address, or not as a house of this version."""


def asked_to_wait(response: httpx.Response) -> float | None:
    """Seconds after which it is worth asking again; None where the answer stands."""
    if response.status_code == 429 or response.status_code in AWAY:
        given = response.headers.get("Retry-After", "")
        return float(given) if given.isdecimal() else 0.0
    return None


def accepted(response: httpx.Response) -> httpx.Response:
    """The response, if it is no refusal; else raises `ApiProblem`."""
    if response.is_success:
        return response
    try:
        document = loads(response.content)
        code, detail = str(document["code"]), str(document["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"{response.url} answered {response.status_code} {response.reason_phrase}."
        raise ApiProblem(response.status_code, "http_error", detail) from None
    raise ApiProblem(response.status_code, code, detail, document.get("errors", ()))

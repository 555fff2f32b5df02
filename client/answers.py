"""What a house's answers mean to whoever asked: refused, not there, ask again."""

from __future__ import annotations

import httpx

from crypto.encoding import loads
from player.house import ApiProblem

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 3.0
"""Seconds between two attempts: the first time, and at most."""
AWAY = (502, 503, 504)
"""What a proxy says when the house behind it is not there."""


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

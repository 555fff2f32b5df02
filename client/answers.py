"""Reading a house's HTTP responses: refused, away for a while, or done."""

from __future__ import annotations

import httpx

from crypto.encoding import loads
from player.house import ApiProblem

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 3.0
"""Seconds between two attempts: after the first one, and at most."""
AWAY = (502, 503, 504)
"""The status codes of a proxy whose house is not there."""


def retry_after(response: httpx.Response) -> float | None:
    """Seconds after which it is worth asking again; None if the response is final."""
    if response.status_code == 429 or response.status_code in AWAY:
        given = response.headers.get("Retry-After", "")
        return float(given) if given.isdecimal() else 0.0
    return None


def require_success(response: httpx.Response) -> httpx.Response:
    """The same response. Raises `ApiProblem` if the house refused."""
    if response.is_success:
        return response
    try:
        document = loads(response.content)
        code, detail = str(document["code"]), str(document["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"{response.url} answered {response.status_code} {response.reason_phrase}."
        raise ApiProblem(response.status_code, "http_error", detail) from None
    raise ApiProblem(response.status_code, code, detail, document.get("errors", ()))

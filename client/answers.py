"""Reading a house's HTTP responses: refused, away for a while, or done."""

from __future__ import annotations

from client.transport import Answer
from crypto.encoding import loads
from player.house import ApiProblem

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 3.0
"""Seconds between two attempts: after the first one, and at most."""
AWAY = (502, 503, 504)
"""The status codes of a proxy whose house is not there."""


def retry_after(response: Answer) -> float | None:
    """Seconds after which it is worth asking again; None if the response is final."""
    if response.status == 429 or response.status in AWAY:
        given = response.headers.get("retry-after", "")
        return float(given) if given.isdecimal() else 0.0
    return None


def require_success(response: Answer) -> Answer:
    """The same response. Raises `ApiProblem` if the house refused."""
    if response.good:
        return response
    try:
        document = loads(response.content)
        code, detail = str(document["code"]), str(document["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"{response.url} answered {response.status} {response.reason}".rstrip() + "."
        raise ApiProblem(response.status, "http_error", detail) from None
    raise ApiProblem(response.status, code, detail, document.get("errors", ()))

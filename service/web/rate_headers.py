"""The headers that say how a player, or an address, stands with a rate limit, as OpenAPI documents them."""

from __future__ import annotations

from typing import Any


def _number(text: str) -> dict[str, Any]:
    return {"schema": {"type": "integer"}, "description": text}


RETRY = {"Retry-After": _number("Try again after so many seconds.")}
RATE_HEADERS = {
    "X-RateLimit-Limit": _number("The number of requests that the window that fills first allows."),
    "X-RateLimit-Remaining": _number("The number of them that are left."),
    "X-RateLimit-Reset": _number(
        "The time when the oldest request leaves the window, in seconds since 1970."
    ),
}
"""The headers of every answer to a request that a rate limit counts.

A house may have switched a limit off.
"""

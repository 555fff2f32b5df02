"""Compressed answers, where that can tell nobody a secret.

Only answers that are the same for everybody are compressed. The length of a compressed answer tells something
of what is in it, so one with a token or a hand in it is sent as it is.
"""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Response, request

SHORTEST = 1024
"""Bytes of the shortest body that is compressed. A shorter one fits into one packet anyway."""
_TEXTS = ("application/json", "application/yaml", "application/jsonl", "image/svg+xml")


def worth(response: Response) -> bool:
    """Tell whether an answer for everybody is compressed for a client that wants that."""
    kind = response.mimetype or ""
    plain = "Content-Encoding" not in response.headers and not response.is_streamed
    return (kind in _TEXTS or kind.startswith("text/")) and plain and len(response.get_data()) >= SHORTEST


def wanted() -> bool:
    """Tell whether this request's client prefers gzip to no compression."""
    accepted = request.accept_encodings
    return 0 < accepted.quality("gzip") >= dict(accepted).get("identity", 0)


def compress(response: Response) -> None:
    """Replace the body by a compressed one."""
    response.set_data(_compressed(response.get_data()))
    response.headers["Content-Encoding"] = "gzip"


@lru_cache(maxsize=32)
def _compressed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)

"""Idempotency keys at the HTTP border: an endpoint that changes something does so once under one key.

The change of an endpoint is one `Runtime.write`. Under a key the request has a unit of work: the change is
committed here, together with its answer. Either both are there, or neither.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from flask import Response, g, make_response, request

from service.db import UnitOfWork
from service.operations import idempotency
from service.operations.idempotency import KeyedRequest, StoredAnswer
from service.problems import Fault, Problem, bad_request
from service.web import errors
from service.web.context import house, perhaps_me, within

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LONGEST = 255
PARAMETER: Mapping[str, Any] = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": "^[!-~]+$"},
    "description": "A text that the client chooses anew for each request; best a random UUID."
    " The same request under the"
    f" same key gets the same answer again, with `{REPLAYED}: true`, and nothing is done twice.",
}
"""The header as OpenAPI has it."""
UNKEPT: Mapping[str, Any] = {
    **PARAMETER,
    "description": "Not needed here: the message itself tells a repeat. The same message, under any key or"
    f" none, gets the same answer again, with `{REPLAYED}: true`, and nothing is done twice. No refusal is"
    " kept under a key.",
}
"""The header as OpenAPI has it where the request itself tells a repeat."""

_KEY = re.compile(rf"[!-~]{{1,{LONGEST}}}")
_REFUSALS = (403, 404, 409, 422)
"""Refusals that stand: they came of what was asked, not of how or when."""


class _Overtaken(Exception):
    """The same request was committed first, under the same key."""


def once(view: Callable[..., Any], sign_in: Callable[[], object]) -> Callable[..., Any]:
    """An endpoint that honours the header; `sign_in` finds out who asks, or refuses them."""

    @wraps(view)
    def wrapper(*arguments: Any, **named: Any) -> Any:
        if HEADER not in request.headers:
            return view(*arguments, **named)
        sign_in()
        keyed = _asked()
        while (kept := idempotency.find(house(), keyed)) is None:
            try:
                return _attempt(keyed, lambda: view(*arguments, **named))
            except _Overtaken:
                g.pop("problem", None)
        return Response(kept.body, kept.status, [*kept.headers, (REPLAYED, "true")])

    return wrapper


def unkept(view: Callable[..., Any], sign_in: Callable[[], object]) -> Callable[..., Any]:
    """An endpoint that tells repeats by itself: a key must have its form, and nothing is kept under it."""

    @wraps(view)
    def wrapper(*arguments: Any, **named: Any) -> Any:
        if HEADER in request.headers:
            sign_in()
            _given_key()
        return view(*arguments, **named)

    return wrapper


def _given_key() -> str:
    key = request.headers[HEADER]
    if not _KEY.fullmatch(key):
        detail = f"An {HEADER} has 1 to {LONGEST} visible characters of ASCII."
        raise bad_request(
            "bad_idempotency_key", detail, [Fault("bad_idempotency_key", detail, parameter=HEADER)]
        )
    return key


def _asked() -> KeyedRequest:
    key, player = _given_key(), perhaps_me()
    who = idempotency.NOBODY if player is None else player.id
    return KeyedRequest(who, request.method, request.path, key, request.get_data(cache=True))


def _attempt(keyed: KeyedRequest, view: Callable[[], Any]) -> Response:
    """Answer the request and keep the answer. Raises `_Overtaken`, and has changed nothing."""
    with UnitOfWork(house().database) as unit:
        with within(unit):
            try:
                response = make_response(view())
            except Problem as problem:
                # A refusal after a write must be kept with what was written.
                if problem.status not in _REFUSALS and (not unit.written or problem.status >= 500):
                    raise
                response = errors.answer(problem)
        headers = tuple(pair for pair in response.headers.items() if pair[0] != "Content-Length")
        answer = StoredAnswer(response.status_code, headers, response.get_data())
        with unit.finish() as session:
            if not idempotency.keep(house(), session, keyed, answer):
                raise _Overtaken
    return response

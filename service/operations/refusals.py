"""The referee's refusals as problem documents, with the same codes and a pointer into the request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from referee import Refused
from service.problems import Fault, Problem

CONFLICTS = frozenset(
    {
        "already_offered",
        "game_over",
        "not_asked",
        "reveal_owed",
        "seat_out",
        "seen_too_old",
        "seen_unknown",
        "too_early",
        "too_late",
        "wrong_kind",
        "wrong_step",
    }
)
"""Refusals that depend on the state of the game, not on the message alone."""
OF_THE_MESSAGE = ("/step", "/seat", "/kind", "/signature", "/body")


def problem(refused: Refused) -> Problem:
    """The problem of a refusal: 409 for a message at the wrong time, 422 for one that is wrong in itself."""
    pointer = refused.pointer
    if pointer and not pointer.startswith(OF_THE_MESSAGE):
        pointer = f"/body{pointer}"
    status = 409 if refused.code in CONFLICTS else 422
    data = {"section": refused.section} if refused.section else {}
    fault = Fault(refused.code, refused.text, pointer or None, data=data)
    return Problem(status, refused.code, refused.text, [fault])


@contextmanager
def as_problems() -> Iterator[None]:
    """Raise each `Refused` of the block as its `Problem`."""
    try:
        yield
    except Refused as refused:
        raise problem(refused) from None

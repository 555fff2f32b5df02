"""The calls of the page by name, and what it is told of an exception."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from typing import Any

import kitchen

from cards.games.contract import IllegalMove, Refusal
from player.house import ApiProblem, HouseFault, Unreachable
from player.session import NotNow
from player.vault_format import VaultError
from referee.errors import Refused

Call = Callable[..., Any]
CALLS: dict[str, Call] = {}
"""The functions that the page can call. A file comes as the keyword `file`, as bytes."""


class DeskFault(Exception):
    """A refusal of the desk's own. `code` is one of `DeskCode` in page/desk."""

    def __init__(self, code: str, text: str, **more: Any) -> None:
        super().__init__(text)
        self.told = {"code": code, "text": text, **more}


def call(name: str) -> Callable[[Call], Call]:
    """Let the page call a function by this name. Its arguments and its answer are JSON."""

    def put(function: Call) -> Call:
        CALLS[name] = function
        return function

    return put


def refusal_told(refusal: Refusal) -> dict[str, Any]:
    """A refusal of the rules as a `DeskFault` of the page."""
    told = {"code": refusal.code, "text": refusal.text, "section": refusal.section}
    return {**told, "pointer": refusal.pointer} if refusal.pointer else told


def passing(problem: ApiProblem) -> bool:
    """Tell whether the same request may succeed a moment later."""
    return problem.status >= 500 or problem.status in (401, 429)


def fault_of(error: BaseException) -> dict[str, Any]:
    """What the page is told of an exception. Secrets stand in no message of any of these."""
    match error:
        case DeskFault():
            return error.told
        case ApiProblem():
            found = {"code": error.code, "text": error.detail, "status": error.status}
            pointed = {} if error.pointer is None else {"pointer": error.pointer}
            return {**found, **pointed, "errors": [dict(each) for each in error.errors]}
        case Unreachable():
            return {"code": "unreachable", "text": str(error)}
        case VaultError() | NotNow():
            return {"code": error.code, "text": error.text}
        case IllegalMove():
            return refusal_told(error.refusal)
        case HouseFault():
            return {"code": error.code, "text": error.text}
        case Refused():
            told = {"code": error.code, "text": error.text, "pointer": error.pointer}
            return {**told, "section": error.section}
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
    return {"code": "failed", "text": f"{type(error).__name__} at {place}"}


def answer(name: str, arguments: str, file: bytes | None) -> str:
    """Call a function for the page."""
    try:
        function = CALLS.get(name)
        if function is None:
            raise DeskFault("unknown_call", f"There is no call {name}.")
        given = json.loads(arguments)
        if file is not None:
            given["file"] = file
        try:
            value = function(**given)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                raise DeskFault("bad_argument", str(error)) from None
            raise
        return json.dumps({"value": value})
    except Exception as error:
        return json.dumps({"fault": fault_of(error)})


def tell(event: str, **more: Any) -> None:
    """Tell the page an event."""
    kitchen.tell(json.dumps({"event": event, **more}))

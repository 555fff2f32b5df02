"""All that the page can ask of the kitchen (page/desk). Texts are JSON; secrets stay in here.

The worker calls the functions of this module. `calls` finds that of a call; the modules `account`,
`changes`, `matches`, `decks` and `checks` have them, and `followed` has the games that go on. The rooms do
the work: no rule, no byte of the protocol is here.
"""

from __future__ import annotations

import json

from desk import account, calls, changes, checks, decks, followed, matches

__all__ = [
    "box",
    "busy",
    "call",
    "changes",
    "checks",
    "close",
    "decks",
    "fed",
    "following",
    "line",
    "look_around",
    "refused",
    "renew",
    "state",
    "token",
    "turn",
]

busy = followed.busy
fed = matches.fed
following = matches.following
line = followed.line
look_around = matches.look_around
refused = matches.refused
token = account.token
turn = matches.turn
box = account.put_box


def call(name: str, arguments: str, file: object = None) -> str:
    """Answer a call of the page."""
    data = None if file is None else file.to_bytes()  # type: ignore[attr-defined]
    return calls.answer(name, arguments, data)


def state() -> str:
    """What `KitchenState` says of the account."""
    return json.dumps({"account": account.told()})


def renew() -> str | None:
    """A new token; None if the house gives none."""
    try:
        return account.renew()
    except Exception:
        return None


def close() -> None:
    """Forget the player: the file is locked, or another tab has it now."""
    account.forget_player()
    matches.forget()

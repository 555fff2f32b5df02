"""What an endpoint has at hand: the house, and who is asking."""

from __future__ import annotations

from typing import cast

from flask import current_app, g

from service.models import Player
from service.runtime import Runtime


def house() -> Runtime:
    """The house of the application that answers this request."""
    return cast(Runtime, current_app.extensions["cloche"])


def me() -> Player:
    """The player who is signed in; only behind `signed_in`."""
    return cast(Player, g.player)


def perhaps_me() -> Player | None:
    """The player who is signed in, if anybody is; behind `signed_in` or `may_be_signed_in`."""
    return cast("Player | None", g.get("player"))


def token() -> str | None:
    """The token of who is signed in, if anybody is: for what outlasts it."""
    return cast("str | None", g.get("token"))

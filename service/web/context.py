"""What an endpoint has at hand: the house, and who is asking."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from flask import current_app, g

from service.db import UnitOfWork
from service.models import Player
from service.runtime import Runtime


def house() -> Runtime:
    """The runtime of the application that answers this request, within the request's unit of work if any."""
    return cast(Runtime, g.get("house") or current_app.extensions["cloche"])


@contextmanager
def within(unit: UnitOfWork) -> Iterator[None]:
    """Make every transaction of this request part of a unit of work, until the end."""
    g.house = house().within(unit)
    try:
        yield
    finally:
        del g.house


def me() -> Player:
    """The player who is signed in; only behind `signed_in`."""
    return cast(Player, g.player)


def perhaps_me() -> Player | None:
    """The player who is signed in, if anybody is; behind `signed_in` or `may_be_signed_in`."""
    return cast("Player | None", g.get("player"))


def token() -> str | None:
    """The token of who is signed in, if anybody is: for what outlasts it."""
    return cast("str | None", g.get("token"))

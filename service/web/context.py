"""The context of an endpoint: the process's resources, and the player who is signed in."""

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
    """The player who is signed in; only for endpoints that are `signed_in`."""
    return cast(Player, g.player)


def perhaps_me() -> Player | None:
    """The player who is signed in, if there is one."""
    return cast("Player | None", g.get("player"))


def viewer() -> str | None:
    """The id of the player who is signed in, if there is one: it decides what may be seen."""
    player = perhaps_me()
    return None if player is None else player.id


def token() -> str | None:
    """The token of the player who is signed in, if there is one: streams check it again and again."""
    return cast("str | None", g.get("token"))

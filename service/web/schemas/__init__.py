"""The schemas of JSON that is passed on as it is, so that no schema of a resource dumps it.

They are entries and messages by kind, events by name, games and tables by mode, and the codes of problems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cards.games.schemas import JsonSchema
from service.web.schemas import codes, entries, events, messages, modes
from service.web.schemas.events import deliveries
from service.web.schemas.parts import one_of

__all__ = ["components", "deliveries", "vary"]

VARIED: Mapping[str, tuple[str, str, Callable[[], Mapping[str, JsonSchema]]]] = {
    "GameView": (
        "mode",
        "A game as one seat, or a spectator, sees it.",
        lambda: modes.variants("GameView"),
    ),
    "TableView": ("mode", "A table, and who sits at it.", lambda: modes.variants("TableView")),
    "TableBody": (
        "mode",
        "The game to play, and the players to play with.",
        lambda: modes.variants("TableBody"),
    ),
    "MessageBody": ("kind", "A signed message (protocol, section 10).", messages.messages),
    "EventView": ("event", "An event of my feed, as the stream gives it.", events.events),
}
"""Schemas of resources that the document shows by one member: the member, a description, the variants."""


def components() -> dict[str, JsonSchema]:
    """The schemas that others name, by name."""
    return {
        "ProblemCode": codes.schema(),
        **modes.components(),
        **entries.components(),
        **events.components(),
    }


def vary(schemas: dict[str, Any]) -> None:
    """Have the document show each schema of `VARIED` by its variants, where its resource is served.

    The schema itself stays under `Any` and its name, for variants that add to it.
    """
    for name, (member, description, variants) in VARIED.items():
        if name in schemas:
            schemas[f"Any{name}"] = schemas[name]
            schemas[name] = one_of(member, description, variants())

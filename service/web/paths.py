"""The variables of paths, as OpenAPI documents them."""

from __future__ import annotations

import re
from typing import Any

_VARIABLE = re.compile(r"<(?:[^:>]+:)?([^>]+)>")
_IDS = {
    "booster_id": "The id of a booster.",
    "challenge_id": "The id of a challenge.",
    "copy_id": "The id of a copy.",
    "deck_id": "The id of a deck.",
    "game_id": "The id of a game.",
    "offer_id": "The id of an offer.",
    "other_id": "The id of another deck.",
    "report_id": "The id of a report.",
    "statement_id": "The id of a statement that lets copies out.",
    "table_id": "The id of a table.",
    "token_id": "The id of a token.",
    "tournament_id": "The id of a tournament.",
    "webhook_id": "The id of a webhook.",
}
_TEXTS = {
    "board": {"": "The number of a match in its round."},
    "code": {
        "sets": "The code of a card set.",
        "cards": "The code of a card set.",
        "": "An invitation code.",
    },
    "handle": {"": "A handle."},
    "key": {"dishes": "The key of a dish: the recipe's number, then those of its ingredients, with strokes."},
    "mode": {"": "The name of a mode."},
    "name": {
        "bulk": "The name of a file, as the list gives it.",
        "cards": "The slug or the number of a card.",
        "formats": "The name of a format.",
        "games": "The name of a picture, as the list gives it.",
        "prices": "The slug or the number of a card.",
        "sets": "The slug or the number of a card.",
    },
    "token": {"pantry": "The id of a token on a chain, in 64 hexadecimal digits."},
    "number": {
        "cards": "The number of a card in its set.",
        "decks": "The number of a revision.",
        "tournaments": "The number of a round.",
    },
    "version": {"": "A version of the set."},
}
"""The text for a variable, by the first word of the path."""


def told(rule: str) -> list[dict[str, Any]]:
    """The documentation of the variables of a rule such as "/decks/<deck_id>"."""
    root = rule.split("/")[1]
    found = []
    for name in _VARIABLE.findall(rule):
        said: dict[str, Any] = {"in": "path", "name": name, "required": True}
        if name in _IDS:
            said["schema"] = {"type": "string", "format": "uuid", "minLength": 1}
            said["description"] = _IDS[name]
        elif name in _TEXTS:
            texts = _TEXTS[name]
            said["description"] = texts.get(root, texts.get("", ""))
        found.append(said)
    return found

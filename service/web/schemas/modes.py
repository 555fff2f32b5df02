"""Games and tables by mode: the states, moves and lines that `Mode.schemas` describes, and the options."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cards import games
from cards.games.contract import Mode, Option
from cards.games.schemas import JsonSchema, Schemas
from referee import all_options
from service.web.schemas.parts import ref

BY_MODE = {"GameView": ("Options", "State"), "TableView": ("Options",), "TableBody": ("Options",)}
"""Schemas of resources that differ by mode, each with its parts of the mode: ChefOptions, ChefState."""
ANYTHING: JsonSchema = {"type": "object"}
"""The schema of a mode that has no schemas of its own."""


def components() -> dict[str, JsonSchema]:
    """Return the schemas of each mode's states, moves, lines and options, and of its games and tables."""
    found: dict[str, JsonSchema] = {}
    for name in games.names():
        title, versions = _title(name), games.versions(name)
        found[f"{title}State"] = _any(versions, lambda schemas: [schemas.state])
        found[f"{title}Move"] = _any(versions, lambda schemas: schemas.moves)
        found[f"{title}Line"] = _any(versions, lambda schemas: schemas.lines)
        found[f"{title}Options"] = _options(versions[-1])
    every = [*map(_title, games.names())]
    return {
        **found,
        "Move": {"description": "A move of any mode.", "anyOf": [ref(f"{each}Move") for each in every]},
        "Line": {
            "description": "A line of an account: `text` is for people, the rest depends on the mode.",
            "anyOf": [ref(f"{each}Line") for each in every],
        },
        **{
            f"{_title(name)}{schema}": _variant(schema, name, parts)
            for schema, parts in BY_MODE.items()
            for name in games.names()
        },
    }


def variants(schema: str) -> Mapping[str, JsonSchema]:
    """The variants of a schema of `BY_MODE`, by mode."""
    return {name: ref(f"{_title(name)}{schema}") for name in games.names()}


def _variant(schema: str, name: str, parts: Sequence[str]) -> JsonSchema:
    """A schema of `BY_MODE` for one mode. Its members are required where those of the schema itself are."""
    own = {"mode": {"const": name}, **{part.lower(): ref(f"{_title(name)}{part}") for part in parts}}
    return {
        "description": games.find(name).facts.title,
        "allOf": [ref(f"Any{schema}"), {"type": "object", "properties": own}],
    }


def _title(name: str) -> str:
    """A mode's name as the beginning of a component's: "big-c" is "BigC"."""
    return "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", name))


def _any(versions: list[Mode[Any]], choose: Callable[[Schemas], Any]) -> JsonSchema:
    """Return the schema of one part by any version of the rules.

    Running games keep the one they began with.
    """
    told: list[JsonSchema] = []
    for mode in versions:
        schemas = mode.schemas()
        found = [ANYTHING] if schemas is None else choose(schemas)
        told += [schema for schema in found if schema not in told]
    return told[0] if len(told) == 1 else {"anyOf": told}


def _options(mode: Mode[Any]) -> JsonSchema:
    options = {option.name: _option(option) for option in all_options(mode)}
    return {"type": "object", "properties": options}


def _option(option: Option) -> JsonSchema:
    said: JsonSchema = {"description": option.text, "default": option.default}
    if option.kind == "flag":
        return {"type": "boolean", **said}
    if option.kind == "choice":
        return {"type": "string", "enum": [*option.choices], **said}
    bounds = {"minimum": option.low, "maximum": option.high}
    number: JsonSchema = {"type": "integer", **{name: at for name, at in bounds.items() if at is not None}}
    if option.off is None:
        return {**number, **said}
    return {"anyOf": [number, {"const": option.off, "description": "Switched off."}], **said}

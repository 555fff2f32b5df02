"""JSON Schemas (draft 2020-12) of what a mode writes as JSON: its states, moves, and lines of accounts.

The house's API document shows them. A mode offers its own in `Mode.schemas`. The schema of a state is made
from the types of the mode's board (`state_of`), so that it can't say anything else than the board does.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cards.games import french

JsonSchema = dict[str, Any]

SEAT: JsonSchema = {"type": "integer", "minimum": 0, "description": "A seat."}
POSITION: JsonSchema = {"type": "integer", "minimum": 0, "description": "The position of a card."}
POSITIONS: JsonSchema = {"type": "array", "items": POSITION}
CODE: JsonSchema = {"type": "string", "enum": [*french.PACK, french.JOKER], "description": "A card's face."}
CODES: JsonSchema = {"type": "array", "items": CODE}
TRUE: JsonSchema = {"const": True}
INTEGER: JsonSchema = {"type": "integer"}
TEXT: JsonSchema = {"type": "string", "description": "The line for people."}


@dataclass(frozen=True, slots=True)
class Schemas:
    """The schemas of a mode's own JSON, and the codes by which its rules refuse a move."""

    state: JsonSchema
    moves: tuple[JsonSchema, ...]
    """One for each form of a move."""
    lines: tuple[JsonSchema, ...]
    """One for each kind of line in an account."""
    codes: frozenset[str]
    told: frozenset[str] = frozenset()
    """The codes of what the sections of an account tell (`Mode.sections`)."""


def thing(description: str, /, **members: JsonSchema) -> JsonSchema:
    """An object with these members; a later house may add others."""
    return {
        "type": "object",
        "description": description,
        "properties": members,
        "required": [*members],
    }


def move(description: str, /, **members: JsonSchema) -> JsonSchema:
    """A move, or a part of one: an object with exactly these members."""
    return {**thing(description, **members), "additionalProperties": False}


def array(items: JsonSchema) -> JsonSchema:
    """A list of such items."""
    return {"type": "array", "items": items}


def maybe(schema: JsonSchema) -> JsonSchema:
    """Return the schema of such a value, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def line(kind: str | None, description: str, /, **members: JsonSchema) -> JsonSchema:
    """A line of an account: its kind, if the mode has several, what it counts, and a text for people."""
    kinds = {} if kind is None else {"kind": {"const": kind}}
    return thing(description, **kinds, **members, text=TEXT)


def state_of(board: type, face: JsonSchema, **others: JsonSchema | None) -> JsonSchema:
    """The schema of a state whose board has this type: its fields, and in `faces` the known cards.

    `others` are members that the mode writes in another form than the field of that name; None is a field
    that it leaves out.
    """
    found = schema_of(board)
    members = {**found["properties"], **others}
    shown = {name: schema for name, schema in members.items() if schema is not None}
    faces = {"type": "object", "additionalProperties": face, "description": "The known cards, by position."}
    return thing("The state of the rules: where every card lies.", **shown, faces=faces)


def schema_of(hint: Any) -> JsonSchema:
    """The schema of a value of this type, as modes write it: sets and tuples as arrays, records as objects.

    >>> schema_of(tuple[int, ...])
    {'type': 'array', 'items': {'type': 'integer'}}
    """
    plain = {bool: "boolean", int: "integer", str: "string", NoneType: "null"}
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in plain:
        return {"type": plain[hint]}
    if origin is Literal:
        return {"enum": [*arguments]}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(each) for each in arguments]}
    if origin is tuple and arguments[-1] is not Ellipsis:
        length = len(arguments)
        each = [*map(schema_of, arguments)]
        return {"type": "array", "prefixItems": each, "minItems": length, "maxItems": length}
    if origin in (tuple, frozenset):
        return array(schema_of(arguments[0]))
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _record(hint)
    raise TypeError(f"no schema for {hint!r}")


def _record(record: Any) -> JsonSchema:
    """The schema of a dataclass or named tuple; the strings under its fields are their descriptions."""
    names = [each.name for each in fields(record)] if is_dataclass(record) else record._fields
    hints, told = get_type_hints(record), _descriptions(record)
    members = {
        name: schema_of(hints[name]) | ({"description": told[name]} if name in told else {}) for name in names
    }
    return thing(inspect.getdoc(record) or "", **members)


def _descriptions(record: type) -> Mapping[str, str]:
    """The string under each field of a class; none where its source is not at hand."""
    try:
        source = textwrap.dedent(inspect.getsource(record))
    except OSError:
        return {}
    found = {}
    for before, after in pairwise(ast.iter_child_nodes(ast.parse(source).body[0])):
        match before, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = inspect.cleandoc(text)
    return found

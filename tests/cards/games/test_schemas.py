"""The JSON of random games is as the modes' schemas describe it, member by member."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cards.games import find
from cards.games.contract import Missed
from cards.games.schemas import Schemas
from tests.cards.games.modes_table import HOUSE, Table
from tests.paths import ROOT

OURS = ("big-c", "chef", "cribbage", "flip", "hearts")
GAMES = 2
"""Random games a mode."""
STEPS = 600
"""Steps of a game that are looked at; many games are shorter."""
EVERY = 20
"""Every so many steps the states are looked at."""
FOLDERS = {"big-c": "big_c"}
MAKERS = ("Refusal", "refuse", "_bad")
"""The functions that make a refusal of the rules; the code comes first."""


def closed(schema: Any) -> Any:
    """The same schema, in which an object has only the members that are named."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(each) for name, each in schema.items()}
    return {**made, "additionalProperties": False} if isinstance(made.get("properties"), dict) else made


def told(mode: str) -> Schemas:
    """The schemas of one of our own modes; each has some."""
    found = find(mode).schemas()
    assert found is not None
    return found


def validator(*schemas: Any) -> Draft202012Validator:
    """A strict validator of values that fit exactly one of the schemas."""
    schema = closed({"oneOf": [*schemas]})
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("name", OURS)
def test_a_random_game_is_as_its_schemas_say(name: str, seed: int) -> None:
    mode, schemas = find(name), told(name)
    state, move, line = validator(schemas.state), validator(*schemas.moves), validator(*schemas.lines)
    low, high = mode.facts.seats
    table = Table(mode, min(high, low + seed), Random(seed), silence=0.02 if seed % 2 else 0.0)
    for step in range(STEPS):
        before = table.full
        if table.advance() is not None:
            break
        if step % EVERY == 0:
            for reader in ("all", HOUSE, 0):
                state.validate(json.loads(json.dumps(mode.dump(table.folds[reader]))))
        last = table.log[-1]
        choices = last.given if last.verb == "play" else {}
        for choice in choices.values():
            stated = choice.move if isinstance(choice, Missed) else choice
            if stated is not None:
                move.validate(stated)
        if last.verb in ("play", "turn"):
            for said in mode.account(before, choices, table.full) or ():
                line.validate(json.loads(json.dumps(said)))
    state.validate(json.loads(json.dumps(mode.dump(table.full))))


def made(paths: list[Path]) -> set[str]:
    """The codes of the refusals that these source files make."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS and node.args:
                code = node.args[0]
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    found.add(code.value)
    return found


@pytest.mark.parametrize("name", OURS)
def test_every_code_of_a_mode_is_listed(name: str) -> None:
    """A mode's codes come from its own files, and some from the files that several modes share."""
    games = ROOT / "cards" / "games"
    own = made([*(games / FOLDERS.get(name, name)).rglob("*.py")])
    shared = made([*games.glob("*.py")])
    assert own <= told(name).codes <= own | shared

"""Reading the YAML files of card sets and formats, and checking them against their schemas.

JSON is YAML too (YAML 1.2, section 1.3), and is read in a hundredth of the time. So the card sets of a
browser are JSON, written by `web/build.py`. PyYAML and jsonschema are imported when a file needs them, and
nowhere else for reading: this also runs where they are missing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cards.catalog.cards import Flaw

if TYPE_CHECKING:
    import yaml
    from jsonschema import Draft202012Validator

Locate = Callable[[Any, list[str | int]], tuple[str, str]]
"""Finds what a path of the schema means in a file's data: which card or other part, and which field of it."""


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """A JSON Schema (draft 2020-12) in a file, and another that it refers to by its `$id`."""

    file: Path
    refers_to: Path | None = None


@cache
def _validator(schema: SchemaFile) -> Draft202012Validator:
    import jsonschema

    data = json.loads(schema.file.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(data)
    if schema.refers_to is not None:
        # It is found by its own $id, so this key may be any.
        data["$defs"]["other"] = json.loads(schema.refers_to.read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(data)


def read_yaml(path: Path, schema: SchemaFile, locate: Locate, flaws: list[Flaw]) -> dict[str, Any] | None:
    """The data of a YAML file that keeps a schema; None if it doesn't, and then its flaws are added."""
    try:
        content = path.read_bytes()
    except OSError as error:
        flaws.append(Flaw(path.name, "", "", f"can't be read: {error.strerror}"))
        return None
    found: list[Flaw] = []
    try:
        data = json.loads(content, object_pairs_hook=_once, parse_constant=_refused)
    except ValueError:
        data = _from_yaml(path.name, content, found)
        if data is _UNREADABLE:
            flaws += found
            return None
    errors = _validator(schema).iter_errors(data)
    for wrong in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        card, field = locate(data, [*wrong.absolute_path])
        found.append(Flaw(path.name, card, field, wrong.message))
    flaws += found
    return None if found else data


_UNREADABLE = object()
"""Stands for the data of a file that is no YAML."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A mapping of JSON. Raises ValueError for a key that is given twice: read as YAML, its line is named."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _from_yaml(name: str, content: bytes, flaws: list[Flaw]) -> Any:
    """The data of a YAML file; `_UNREADABLE` if it is none, which is a flaw then. So is a repeated key."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(content)
    try:
        node = loader.get_single_node()
        flaws += (Flaw(name, f"line {line}", key, "is given twice") for line, key in _repeated(node))
        return loader.construct_document(node) if node else None
    except (yaml.YAMLError, ValueError) as error:
        flaws[:] = [Flaw(name, "", "", " ".join(str(error).split()))]
        return _UNREADABLE
    finally:
        loader.dispose()


def _repeated(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    """Keys that one mapping has twice, which a YAML reader would accept: (line, key)."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.start_mark.line + 1, key.value
            seen.add(key.value)
            yield from _repeated(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _repeated(item)

"""Reading the YAML files of card sets and formats, and checking them against their schemas.

jsonschema is imported here, when a file is checked, and nowhere else. So everything but reading files also
runs where jsonschema is missing, as in a browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from cards.catalog.cards import Flaw

if TYPE_CHECKING:
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
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(content)
    found: list[Flaw] = []
    try:
        node = loader.get_single_node()
        found += (Flaw(path.name, f"line {line}", key, "is given twice") for line, key in _repeated(node))
        data = loader.construct_document(node) if node else None
    except (yaml.YAMLError, ValueError) as error:
        flaws.append(Flaw(path.name, "", "", " ".join(str(error).split())))
        return None
    finally:
        loader.dispose()
    errors = _validator(schema).iter_errors(data)
    for wrong in sorted(errors, key=lambda e: [str(part) for part in e.absolute_path]):
        card, field = locate(data, [*wrong.absolute_path])
        found.append(Flaw(path.name, card, field, wrong.message))
    flaws += found
    return None if found else data


def _repeated(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    """Keys that one mapping has twice, which a YAML reader would accept: (line, key)."""
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


class Dumper(yaml.SafeDumper):
    """Writes YAML without anchors, and indents lists."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write repeated data again instead of pointing to it."""
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists."""
        super().increase_indent(flow, indentless=False)

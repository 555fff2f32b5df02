"""Reading YAML files of cards: strict, against a schema, with every flaw by its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from cards.catalog.cards import Flaw

Place = Callable[[Any, list[str | int]], tuple[str, str]]
"""What a path of the schema means in the data of a file: which card or other part, and which field of it."""


def parse(
    path: Path, validator: jsonschema.Draft202012Validator, place: Place, flaws: list[Flaw]
) -> dict[str, Any] | None:
    """A file that is YAML and keeps a schema, or None and its flaws."""
    try:
        content = path.read_bytes()
    except OSError as error:
        flaws.append(Flaw(path.name, "", "", f"can't be read: {error.strerror}"))
        return None
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(content)
    found: list[Flaw] = []
    try:
        node = loader.get_single_node()
        found += (Flaw(path.name, f"line {line}", key, "is given twice") for line, key in _doubled(node))
        data = loader.construct_document(node) if node else None
    except (yaml.YAMLError, ValueError) as error:
        flaws.append(Flaw(path.name, "", "", " ".join(str(error).split())))
        return None
    finally:
        loader.dispose()
    for wrong in sorted(validator.iter_errors(data), key=lambda e: [str(part) for part in e.absolute_path]):
        card, field = place(data, [*wrong.absolute_path])
        found.append(Flaw(path.name, card, field, wrong.message))
    flaws += found
    return None if found else data


def _doubled(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    """Keys given twice in one mapping, which YAML would pass over: (line, key)."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.start_mark.line + 1, key.value
            seen.add(key.value)
            yield from _doubled(value)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _doubled(item)


class Dumper(yaml.SafeDumper):
    """Writes YAML without anchors, and lists as people indent them."""

    def ignore_aliases(self, data: Any) -> bool:
        """What stands twice is written twice."""
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Lists are indented."""
        super().increase_indent(flow, indentless=False)

"""A folder of test vectors, a file a group: written, or compared with what is computed here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crypto.encoding import EncodingError, parse
from vectors import deck_codes, primitives, records, sign_in
from vectors.example import Vector

GROUPS: Mapping[str, Callable[[], list[Vector]]] = (
    primitives.GROUPS | records.GROUPS | sign_in.GROUPS | deck_codes.GROUPS
)
"""The function that makes the vectors of each file."""
README = "README.md"
HEAD = """# Test vectors

These are examples of everything that the protocol (docs/protocol.md) computes. Programs in other
languages can compare themselves with them. `cloche vectors --out DIR` writes them, and `cloche
vectors --check DIR` computes them again and compares. Every machine and both curve engines give
the same bytes, since all secrets are fixed and `fresh` is 32 zero bytes (section 12). The words are
in docs/glossary.md.

A file is a list of objects `{name, input, output}`. Texts are byte strings in hexadecimal unless
the name of the field says otherwise. Bodies and entries stand as they are sent, in base64url. A
scalar is its 32 bytes, and a point its 48. A number that JSON can't hold exactly is a decimal text.
Deck codes (docs/cards.md), boosters (docs/boosters.md), copies (docs/collection.md) and what a
player signs to sign in (docs/protocol-notes.md) are no part of the protocol.

The files called bad_* hold inputs that must be refused. Their outputs say what the refusal is about.
Entries have a stable code and a pointer to the field (`refused`, `pointer`). Proofs have `encoding`
or the equations that fail (`fails`). `why` says it in words, and `section` names what demands it.

- bad_shuffles.json changes the match deck of shuffle.json. A field that is not given is as it stands
  there. An object in place of a list replaces items by their index, and bytes of a proof by offset.
- bad_mixes.json changes the mix of seat 0, the second in mix.json, in the same way. A pair of points is
  one item.
- In bad_certificates, bad_seals, bad_reveals, bad_messages, bad_records and bad_dealerless `entries`
  follow the first `keep` entries of that record in records.json, and the last of them is refused.

| file | vectors | what |
|---|---|---|
"""


class UnreadableVectors(ValueError):
    """A file of vectors that can't be read."""


def write(folder: Path) -> int:
    """Write every group to a file of its own, and what they are to a README; the number of groups."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, make in GROUPS.items():
        found = make()
        (folder / f"{name}.json").write_text(_text(found))
        rows.append(f"| {name}.json | {len(found)} | {_line(make)} |")
    (folder / README).write_text(HEAD + "\n".join(rows) + "\n")
    return len(rows)


@dataclass(frozen=True, slots=True)
class Compared:
    """A group as a folder has it, beside what is computed here."""

    name: str
    computed: int
    """The number of vectors that it has here."""
    differences: Sequence[str]
    """JSON pointers to what is not the same."""


def compare(folder: Path) -> Iterator[Compared]:
    """Compute every group again and compare it with its file.

    Raises `UnreadableVectors` before any group is computed, which takes seconds.
    """
    given = {name: _read(folder / f"{name}.json") for name in GROUPS}
    for name, make in GROUPS.items():
        found = make()
        # Through JSON, so that a tuple and a list are the same.
        computed = json.loads(_text(found))
        yield Compared(name, len(found), list(_differences(given[name], computed, "")))


def _read(path: Path) -> Any:
    try:
        return parse(path.read_bytes())
    except (OSError, EncodingError) as error:
        raise UnreadableVectors(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _line(make: Callable[[], object]) -> str:
    return str(make.__doc__ or "").partition("\n")[0].strip()


def _text(found: list[Vector]) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _differences(given: Any, computed: Any, at: str) -> Iterator[str]:
    """Pointers to what is not the same."""
    if isinstance(given, dict) and isinstance(computed, dict) and given.keys() == computed.keys():
        for key, value in computed.items():
            yield from _differences(given[key], value, f"{at}/{key}")
    elif isinstance(given, list) and isinstance(computed, list) and len(given) == len(computed):
        for i, value in enumerate(computed):
            yield from _differences(given[i], value, f"{at}/{i}")
    elif given != computed or type(given) is not type(computed):
        yield at or "/"

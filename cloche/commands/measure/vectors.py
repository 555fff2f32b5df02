"""`cloche vectors`: the published test vectors, written or checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from cloche.commands.errors import CommandError, UnreadableInput
from crypto.encoding import EncodingError, parse
from vectors import deck_codes
from vectors import proofs as primitives
from vectors import records as messages

GROUPS: Mapping[str, Any] = primitives.GROUPS | messages.GROUPS | deck_codes.GROUPS
"""The function that makes the vectors of each file."""
README = "README.md"
HEAD = """# Test vectors

Examples of everything that the protocol (docs/protocol.md) computes, for programs in other
languages to compare themselves with. `cloche vectors --out DIR` writes them, `cloche vectors
--check DIR` computes them again and compares; every machine and both curve engines give the
same bytes, since all secrets are fixed and `fresh` is 32 zero bytes (section 12).

A file is a list of objects `{name, input, output}`. Texts are byte strings in hexadecimal unless
the name of the field says otherwise (bodies and entries stand as they are sent: base64url); a
scalar is its 32 bytes, a point its 48; what JSON can't hold exactly is a decimal text. Deck codes
are no part of the protocol: docs/cards.md says what they are. Nor are boosters
(docs/boosters.md) and copies (docs/collection.md).

The files called bad_* hold what must be refused. Their outputs say what the refusal is about: a
stable code and a pointer to the field for entries (`refused`, `pointer`), `encoding` or the
equations that fail (`fails`) for proofs; `why` in words; and the `section` that demands it.

- bad_shuffles.json changes the match deck of shuffle.json. A field that is not given is as it stands
  there; an object in place of a list replaces items by their index, of a proof bytes by their offset.
- In bad_certificates, bad_seals, bad_reveals, bad_messages and bad_records `entries` follow the
  first `keep` entries of that record in records.json, and the last of them is refused.

| file | vectors | what |
|---|---|---|
"""


@click.command()
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Write the vectors into this folder."
)
@click.option(
    "--check",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="Compute the vectors again and compare them with the files in this folder.",
)
def vectors(out: Path | None, check: Path | None) -> None:
    """Write the published test vectors, or check a folder of them.

    Exits with 1 where a file differs, 2 where one can't be read.
    """
    if out is not None and check is None:
        _write(out)
    elif check is not None and out is None:
        _check(check)
    else:
        raise click.UsageError("Give --out DIR or --check DIR.")


def _write(out: Path) -> None:
    """Write every file of vectors, and the page that describes them."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for name, (text, found) in everything().items():
        (out / f"{name}.json").write_text(_text(found))
        rows.append(f"| {name}.json | {len(found)} | {text} |")
    (out / README).write_text(HEAD + "\n".join(rows) + "\n")
    click.echo(f"{len(rows)} files of test vectors are in {out}.")


def everything() -> Mapping[str, tuple[str, list[dict[str, Any]]]]:
    """Every group by its name: what it shows, in a line, and its vectors."""
    return {name: (_line(make), make()) for name, make in GROUPS.items()}


def _line(make: Any) -> str:
    return str(make.__doc__ or "").partition("\n")[0].strip()


def _text(found: list[dict[str, Any]]) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _check(folder: Path) -> None:
    """Compare all files, print what differs, then raise `CommandError` if anything does."""
    wrong = []
    found = {
        name: _read(folder / f"{name}.json") for name in GROUPS
    }  # an unreadable file is reported before seconds of computing
    for name, (_, computed) in everything().items():
        # Through JSON, so that tuples and lists compare equal.
        differences = list(_differences(found[name], json.loads(_text(computed)), ""))
        wrong += [f"{folder / name}.json{where}" for where in differences[:5]]
        click.echo(f"{'differs' if differences else 'same':8} {name} ({len(computed)} vectors)")
    if wrong:
        raise CommandError("vectors_differ", "These differ from what is computed here:", tuple(wrong))


def _read(path: Path) -> Any:
    try:
        return parse(path.read_bytes())
    except (OSError, EncodingError) as error:
        text = f"{path}: {getattr(error, 'strerror', None) or error}"
        raise UnreadableInput("unreadable", text) from None


def _differences(given: Any, computed: Any, at: str) -> Any:
    """Pointers to the differences."""
    if isinstance(given, dict) and isinstance(computed, dict) and given.keys() == computed.keys():
        for key, value in computed.items():
            yield from _differences(given[key], value, f"{at}/{key}")
    elif isinstance(given, list) and isinstance(computed, list) and len(given) == len(computed):
        for i, value in enumerate(computed):
            yield from _differences(given[i], value, f"{at}/{i}")
    elif given != computed or type(given) is not type(computed):
        yield at or "/"

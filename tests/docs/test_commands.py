"""The pages name what there is: every command with its options, every path of the API with its method."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cloche.main import main
from service.app import create_app
from service.config import Settings
from tests.paths import ROOT

PAGES = {
    path.relative_to(ROOT): path.read_text() for path in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
}
BLOCKS = re.compile(r"^(?: {4,}|)(?:\$cloche|(?:\.venv/bin/)?cloche) +(.*?)(?: #.*)?$", re.MULTILINE)
SPANS = re.compile(r"`(?:\.venv/bin/)?cloche ([^`]+)`")
PLACEHOLDERS = ("COMMAND", "$1", "--help")
"""The words that stand for any command."""
PATHS = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE) +(?:HOUSE)?(?:/api/v1)?(/[\w./{}-]+)")
"""A method and a path; variables stand in braces or in capitals."""


def _commands(text: str) -> Iterator[str]:
    for line in (*BLOCKS.findall(text), *SPANS.findall(text)):
        # Several in a row: `cloche decks list`, `show`; what follows a pipe or a redirection is the shell's.
        yield re.split(r" [|<>;]|<<<|, or ", line)[0]


def _unknown(line: str) -> str | None:
    """Return the part of a command line that does not exist, or None."""
    words = shlex.split(line.replace("...", ""), comments=True)
    command: click.Command = main
    context = click.Context(main, info_name="cloche")
    while words and isinstance(command, click.Group) and words[0] not in PLACEHOLDERS:
        inner = command.get_command(context, words[0].rstrip(","))
        if inner is None:
            return words[0]
        command, context = inner, click.Context(inner, parent=context)
        del words[0]
    if words and words[0] in PLACEHOLDERS:
        return None
    known = {
        name for option in command.get_params(context) for name in (*option.opts, *option.secondary_opts)
    }
    options = [word.partition("=")[0].rstrip(",;]") for word in words if word.startswith("--")]
    return next((option for option in options if option not in known), None)


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_commands_and_their_options_are_there(page: Path) -> None:
    missing = [(line, unknown) for line in _commands(PAGES[page]) if (unknown := _unknown(line)) is not None]
    assert not missing


def test_many_commands_are_looked_at() -> None:
    assert sum(len([*_commands(text)]) for text in PAGES.values()) > 150


def test_paths_of_the_api_are_there() -> None:
    app = create_app(Settings(database="sqlite:////nowhere/house.sqlite3"))
    document = app.test_client().get("/api/openapi.json").json
    served = {
        (method.upper(), _shape(path.removeprefix("/api/v1")))
        for path, methods in document["paths"].items()
        for method in methods
    }
    named = {(method, path, page) for page, text in PAGES.items() for method, path in PATHS.findall(text)}
    assert len(named) > 100
    missing = [each for each in named if (each[0], _shape(each[1])) not in served and each[1] not in OTHERS]
    assert not missing


VARIABLE = re.compile(r"(?:\{\w+\}|[A-Z][A-Z_]*(?:-[\w.]+)?|\d[\w.-]*?)(\.svg)?")
OTHERS = ("/healthz", "/readyz", "/metrics", "/images/generations")


def _shape(path: str) -> str:
    """A path with its variables made alike."""
    parts = (VARIABLE.fullmatch(part) or part for part in path.rstrip(".").split("/"))
    return "/".join(part if isinstance(part, str) else f"*{part[1] or ''}" for part in parts)

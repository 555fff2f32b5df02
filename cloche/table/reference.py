"""What a player can look up at the table: commands by topic, the rules by section."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rich.console import RenderableType
from rich.markdown import Markdown
from rich.text import Text

import cards
from cloche.table.look import grid
from cloche.table.matching import either, meant
from cloche.table.presenter import Misread
from cloche.table.screen import Screen

_DOCS = Path(cards.__file__).parent.parent / "docs"
_HEADING = re.compile(r"^## (\d+[a-z]?)\. (.+)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_ASCII = str.maketrans(
    {"•": "*", "━": "-", "─": "-", "–": "-", "†": "+", "’": "'", "×": "x", "≥": ">", "≤": "<"}
)

Topics = Mapping[str, Mapping[str, str]]
"""Commands and what each does, by topic."""


# Help


def help_page(topics: Topics, wanted: str, notes: str) -> list[RenderableType]:
    """All topics with their commands; or one topic, or one command, explained. Raises `Misread`."""
    if not wanted:
        table = grid("nw")
        for topic, commands in topics.items():
            table.add_row(Text(topic, style="bold"), Text(", ".join(commands)))
        topic, words = list(topics.items())[1]
        said = f"`help {topic}` explains a topic, `help {next(iter(words))}` a command."
        return [table, Text(f"{said} {notes}", style="dim")]
    every = {word: text for commands in topics.values() for word, text in commands.items()}
    found = meant(wanted, [*topics]) or meant(wanted, [*every])
    if len(found) != 1:
        which = f"{either(found)}?" if found else f"The topics are {either([*topics])}."
        raise Misread(f"There is no help on {wanted}. {which}" if not found else f"Help on which: {which}")
    table = grid("nw")
    for word, text in (topics.get(found[0]) or {found[0]: every[found[0]]}).items():
        table.add_row(Text(word, style="bold"), Text(text))
    return [table]


# Rules


@dataclass(frozen=True, slots=True)
class RulesPage:
    """A page of rules in Markdown, by section."""

    title: str
    sections: Mapping[str, tuple[str, str]]
    """Title and text of each section, by its number."""


@cache
def page_of(name: str) -> RulesPage | None:
    """The page of a mode's rules, or of the protocol; None where this installation has none."""
    path = _DOCS / "protocol.md" if name == "protocol" else _DOCS / "rules" / f"{name}.md"
    if not re.fullmatch(r"[a-z0-9-]+", name) or not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    _, *parts = _HEADING.split(text)
    found = {number: (title, body.strip()) for number, title, body in zip(*[iter(parts)] * 3, strict=True)}
    return RulesPage(text.partition("\n")[0].removeprefix("# "), found)


def opened_by(section: str, mode: str) -> str:
    """The command that opens a section which a refusal names, such as "chef 4"; "" if none does.

    >>> opened_by("chef 4", "chef"), opened_by("protocol 11", "chef")
    ('rules 4', 'rules protocol 11')
    """
    name, _, number = section.rpartition(" ")
    page = page_of(name)
    if page is None or number not in page.sections:
        return ""
    return f"rules {number}" if name == mode else f"rules {section}"


def rules_page(mode: str, wanted: str, screen: Screen) -> list[RenderableType]:
    """The sections of this game's rules by number; or one section, whole. Raises `Misread`."""
    name, number = mode, wanted.casefold().removeprefix(f"{mode} ")
    if number.startswith("protocol"):
        name, number = "protocol", number.removeprefix("protocol").strip()
    page = page_of(name)
    if page is None:
        raise Misread(f"The rules of {mode} are not installed here.")
    if not number:
        table = grid("rw")
        for key, (title, _) in page.sections.items():
            table.add_row(Text(key, style="bold"), Text(_plain(title)))
        example = "rules 4" if name == mode else "rules protocol 4"
        return [
            Text(_plain(page.title), style="bold"),
            table,
            Text(f"`{example}` shows section 4.", style="dim"),
        ]
    if number not in page.sections:
        titles = {title.casefold(): key for key, (title, _) in page.sections.items()}
        fitting = meant(number, [*titles])
        if len(fitting) != 1:
            numbers = [*page.sections]
            raise Misread(f"There is no section {wanted}; the sections are {numbers[0]} to {numbers[-1]}.")
        number = titles[fitting[0]]
    title, body = page.sections[number]
    shown = screen.lines([Markdown(_plain(body), hyperlinks=False)])
    if screen.look.ascii:
        shown = [line.translate(_ASCII).encode("ascii", "replace").decode() for line in shown]
    return [Text(f"{number}. {_plain(title)}", style="bold"), Text.from_ansi("\n".join(shown))]


def _plain(text: str) -> str:
    """Markdown without the targets of its links."""
    return _LINK.sub(r"\1", text)

"""The abilities of a terminal: its width, signs beyond ASCII, colours."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

NARROWEST = 24
"""Columns. A terminal that reports fewer gets drawings of this width."""


_SIGNS: Mapping[str, str] = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def letters(typed: str) -> str:
    """A typed line with the signs of suits, which a player may have copied, replaced by letters.

    >>> letters("QS♠ 3"), letters("q♠, 10♥")
    ('QS 3', 'qS, 10H')
    """
    for letter, sign in _SIGNS.items():
        typed = re.sub(f"{letter}?{sign}", letter, typed, flags=re.IGNORECASE)
    return typed


@dataclass(frozen=True, slots=True)
class Look:
    """The signs to draw with. No meaning depends on a colour alone or on a sign beyond ASCII."""

    ascii: bool = False

    @property
    def line(self) -> str:
        """The sign of horizontal rules."""
        return "-" if self.ascii else "─"

    @property
    def dot(self) -> str:
        """Separates two things in a line."""
        return "-" if self.ascii else "·"

    @property
    def dash(self) -> str:
        """Stands for nothing."""
        return "-" if self.ascii else "–"

    @property
    def arrow(self) -> str:
        """Points at a player who is asked."""
        return ">" if self.ascii else "▸"

    def suit(self, letter: str) -> str:
        """The sign of a suit, for beside its letter C, D, H or S; empty in ASCII."""
        return "" if self.ascii else _SIGNS[letter]


def look_of(file: TextIO, environment: Mapping[str, str] | None = None) -> Look:
    """Find out what `file` can show.

    It is ASCII only if the encoding is not UTF, or the locale is "C" or "POSIX".
    """
    env = os.environ if environment is None else environment
    encoding = (getattr(file, "encoding", None) or "ascii").lower().replace("-", "")
    locale = next((env[name] for name in ("LC_ALL", "LANG") if env.get(name)), "")
    return Look(ascii=not encoding.startswith("utf") or locale in ("C", "POSIX"))


def never_crash(file: TextIO) -> None:
    """Make a stream write "?" for what its encoding lacks, since names come from other people."""
    if isinstance(file, io.TextIOWrapper):
        file.reconfigure(errors="replace")


def console_of(file: TextIO | None = None, width: int | None = None) -> Console:
    """A console without markup and highlighting; with NO_COLOR without any escape sequence."""
    never_crash(file or sys.stdout)
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    console = Console(
        file=file, width=width, color_system=colours, markup=False, highlight=False, emoji=False
    )
    if console.width < NARROWEST:
        console.width = NARROWEST
    return console


def grid(columns: str) -> Table:
    """A table without lines, with a letter for each column.

    "n": short, never broken; "r": the same, aligned right; "f": as wide as it needs to be, folded if there
    is no room; "w": all the remaining width.
    """
    table = Table.grid(padding=(0, 1))
    for kind in columns:
        table.add_column(
            justify="right" if kind == "r" else "left",
            no_wrap=kind in "nr",
            overflow="crop" if kind in "nr" else "fold",
            ratio=1 if kind == "w" else None,
        )
    return table


def rule(look: Look, width: int, title: str = "") -> Text:
    """A horizontal rule with a title in it."""
    head = f"{look.line * 2} {title} " if title else ""
    text = Text(head[:width], style="bold", no_wrap=True, overflow="crop")
    text.append(look.line * max(0, width - len(head)), style="dim")
    return text

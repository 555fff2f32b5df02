"""Sentences in a terminal: broken between words, where a terminal itself would break them anywhere."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from textwrap import TextWrapper

import click


def fitted(text: str, width: int, at: int = 0) -> str:
    """Text whose lines are at most `width` characters wide, unless a word is longer.

    The first line begins at column `at`. Lines that were broken are indented like their beginning.

    >>> print(fitted("One two three.\\n  Four five.", 9))
    One two
    three.
      Four
      five.
    """
    lines = []
    for number, line in enumerate(text.split("\n")):
        words = line.lstrip(" ")
        margin = line[: len(line) - len(words)]
        begun = " " * at if number == 0 else ""
        wrapper = TextWrapper(
            width,
            initial_indent=begun + margin,
            subsequent_indent=margin,
            break_long_words=False,
            break_on_hyphens=False,
        )
        lines += wrapper.wrap(words) or [""]
    return "\n".join(lines).removeprefix(" " * at)


def echo(text: str, *, err: bool = False, at: int = 0) -> None:
    """Print text like `click.echo`; where a terminal shows it, its lines are fitted to the width."""
    stream = sys.stderr if err else sys.stdout
    click.echo(fitted(text, get_terminal_size().columns, at) if stream.isatty() else text, err=err)

"""The screen that a table is printed on and typed lines come from: a terminal with a prompt, or a pipe."""

from __future__ import annotations

import io
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import takewhile
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, AnyFormattedText, FormattedText, merge_formatted_text
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style
from rich.console import Console, RenderableType

from cloche.table.folding import height
from cloche.table.look import Look, console_of, look_of
from cloche.table.presenter import LineCompletion

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
REFRESH = 0.5
"""Seconds between two drawings of the toolbar."""
GONE = 10_000
"""Lines that are counted for a screen that was cleared: nothing of what was printed before is on it."""
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Terminal codes: cursor home, clear the screen, clear what was scrolled off it."""


class Screen:
    """Prints whole texts, one after another, from any thread."""

    def __init__(self, console: Console | None = None, look: Look | None = None) -> None:
        self.console = console or console_of()
        self.look = look or look_of(sys.stdout)
        self.printed = 0
        """The number of lines that were printed or typed so far."""
        self._lock = threading.Lock()

    @property
    def width(self) -> int:
        """Columns, as they are now."""
        return self.console.width

    @property
    def rows(self) -> int:
        """Lines, as they are now."""
        return self.console.height

    def clear(self) -> None:
        """Clear the screen and what was scrolled off it. Without a terminal, print a form feed."""
        with self._lock:
            self.console.file.write(CLEAR if self.console.is_terminal else "\f\n")
            self.console.file.flush()
            self.printed += GONE

    def say(self, *what: RenderableType) -> None:
        """Print these one below another."""
        with self._lock:
            for item in what:
                self.console.print(item)
            self.printed += height(what, self.width)

    def typed(self) -> None:
        """Note that a line was typed, which stays on the screen."""
        self.printed += 1

    def lines(self, what: Sequence[RenderableType]) -> list[str]:
        """These as printed, line by line, with the terminal's codes for bold and dim."""
        colours = self.console.color_system is not None
        console = Console(
            file=io.StringIO(),
            width=self.width,
            force_terminal=colours,
            color_system="standard" if colours else None,
            markup=False,
            highlight=False,
        )
        with console.capture() as captured:
            for item in what:
                console.print(item)
        return captured.get().splitlines()


class Talk(Protocol):
    """The questions that a reader asks the game for which it reads."""

    def prompt(self) -> str:
        """The text before the line."""

    def toolbar(self) -> list[str]:
        """The lines that are always visible."""

    def pinned(self) -> list[str]:
        """The lines that stay below the toolbar, with codes for bold and dim."""

    def offers(self, line: str) -> list[LineCompletion]:
        """List what completes an unfinished line."""


class Reader(Protocol):
    """A source of typed lines."""

    live: bool
    """True if a player sees the toolbar."""

    def line(self) -> str | None:
        """The next line; None at the end. Raises KeyboardInterrupt."""

    def around(self) -> AbstractContextManager[None]:
        """While lines are read, keep printed texts away from the line that is typed."""


class Pipe:
    """Plain lines, without a toolbar."""

    live = False

    def __init__(self, talk: Talk) -> None:
        self._talk = talk

    def line(self) -> str | None:
        """The next line of standard input."""
        if sys.stdin.isatty():
            sys.stdout.write(self._talk.prompt())
            sys.stdout.flush()
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None

    def around(self) -> AbstractContextManager[None]:
        """Do nothing."""
        return nullcontext()


class _Fitting(Completer):
    def __init__(self, offers: Callable[[str], list[LineCompletion]]) -> None:
        self._offers = offers

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        for offer in self._offers(document.text_before_cursor):
            yield Completion(offer.text, -offer.over, display_meta=offer.about)


def _shared(texts: Sequence[str]) -> str:
    """The letters with which all texts begin."""
    letters = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in letters)


def _bindings(talk: Talk, keys: Mapping[str, str]) -> KeyBindings:
    """Tab inserts the only completion, or what all have in common; otherwise it goes through them.

    Each of `keys` stands for a line while nothing is typed.
    """
    bindings = KeyBindings()
    for key, word in keys.items():
        bindings.add(key, filter=Condition(lambda: not get_app().current_buffer.text))(_typing(word))

    @bindings.add("tab")
    def complete(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        before = buffer.document.text_before_cursor
        offers = talk.offers(before)
        shared = _shared([offer.text for offer in offers])
        if offers and (len(offers) == 1 or len(shared) > max(offer.over for offer in offers)):
            buffer.cancel_completion()
            buffer.delete_before_cursor(offers[0].over)
            buffer.insert_text(shared)
        elif buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion(select_first=True)

    return bindings


def _typing(word: str) -> Callable[[KeyPressEvent], None]:
    """What a key does that stands for a line."""

    def type_it(event: KeyPressEvent) -> None:
        event.current_buffer.text = word
        event.current_buffer.validate_and_handle()

    return type_it


class Terminal:
    """A prompt with completion; a toolbar below it shows the clock."""

    live = True

    def __init__(self, talk: Talk, keys: Mapping[str, str]) -> None:
        self._talk = talk
        self._session: PromptSession[str] = PromptSession(
            message=self._message,
            history=InMemoryHistory(),
            completer=_Fitting(talk.offers),
            key_bindings=_bindings(talk, keys),
            complete_style=CompleteStyle.COLUMN,
            complete_while_typing=False,
            reserve_space_for_menu=5,
            bottom_toolbar=self._below,
            style=Style.from_dict({"bottom-toolbar": "noreverse", "bar": "reverse"}),
            refresh_interval=REFRESH,
        )

    def _below(self) -> AnyFormattedText:
        """The bar, and below it what is pinned."""
        width = self._session.app.output.get_size().columns
        bar = "\n".join(line.ljust(width) for line in self._talk.toolbar())
        pinned = "".join(f"\n{line}" for line in self._talk.pinned())
        return merge_formatted_text([FormattedText([("class:bar", bar)]), ANSI(pinned)])

    def _message(self) -> str:
        """The text before a line. Where a terminal can't place a toolbar, its lines come first."""
        if self._session.app.renderer.cpr_support is CPR_Support.NOT_SUPPORTED:
            plain = ESCAPES.sub("", "\n".join(self._talk.pinned()))
            return "\n".join((*plain.splitlines(), *self._talk.toolbar(), self._talk.prompt()))
        return self._talk.prompt()

    def line(self) -> str | None:
        """The line that the player typed."""
        try:
            return self._session.prompt()
        except EOFError:
            return None

    @contextmanager
    def around(self) -> Iterator[None]:
        """Show printed texts above the prompt."""
        with patch_stdout(raw=True):
            yield


def reader_for(talk: Talk, keys: Mapping[str, str] | None = None) -> Reader:
    """A prompt on a terminal that can draw one, otherwise plain lines.

    Each of `keys` types the line that it stands for, while nothing is typed.
    """
    able = os.environ.get("TERM", "dumb") not in ("dumb", "unknown")
    return Terminal(talk, keys or {}) if able and sys.stdin.isatty() and sys.stdout.isatty() else Pipe(talk)

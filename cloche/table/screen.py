"""The screen that a table is printed on and typed lines come from: a terminal with a prompt, or a pipe."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import takewhile
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.shortcuts import CompleteStyle
from rich.console import Console, RenderableType

from cloche.table.look import Look, console_of, look_of
from cloche.table.presenter import LineCompletion

REFRESH = 0.5
"""Seconds between two drawings of the toolbar."""
CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Terminal codes: cursor home, clear the screen, clear what was scrolled off it."""


class Screen:
    """Prints whole texts, one after another, from any thread."""

    def __init__(self, console: Console | None = None, look: Look | None = None) -> None:
        self.console = console or console_of()
        self.look = look or look_of(sys.stdout)
        self._lock = threading.Lock()

    @property
    def width(self) -> int:
        """Columns, as they are now."""
        return self.console.width

    def clear(self) -> None:
        """Clear the screen and what was scrolled off it. Without a terminal, print a form feed."""
        with self._lock:
            self.console.file.write(CLEAR if self.console.is_terminal else "\f\n")
            self.console.file.flush()

    def say(self, *what: RenderableType) -> None:
        """Print these one below another."""
        with self._lock:
            for item in what:
                self.console.print(item)


class Talk(Protocol):
    """The questions that a reader asks the game for which it reads."""

    def prompt(self) -> str:
        """The text before the line."""

    def toolbar(self) -> list[str]:
        """The lines that are always visible."""

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


def _tab(talk: Talk) -> KeyBindings:
    """Tab inserts the only completion, or what all have in common; otherwise it goes through them."""
    bindings = KeyBindings()

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


class Terminal:
    """A prompt with completion; a toolbar below it shows the clock."""

    live = True

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._session: PromptSession[str] = PromptSession(
            message=self._message,
            history=InMemoryHistory(),
            completer=_Fitting(talk.offers),
            key_bindings=_tab(talk),
            complete_style=CompleteStyle.COLUMN,
            complete_while_typing=False,
            reserve_space_for_menu=5,
            bottom_toolbar=lambda: FormattedText([("", "\n".join(talk.toolbar()))]),
            refresh_interval=REFRESH,
        )

    def _message(self) -> str:
        """The text before a line. Where a terminal can't place a toolbar, its lines come first."""
        if self._session.app.renderer.cpr_support is CPR_Support.NOT_SUPPORTED:
            return "\n".join((*self._talk.toolbar(), self._talk.prompt()))
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


def reader_for(talk: Talk) -> Reader:
    """A prompt on a terminal that can draw one, otherwise plain lines."""
    able = os.environ.get("TERM", "dumb") not in ("dumb", "unknown")
    return Terminal(talk) if able and sys.stdin.isatty() and sys.stdout.isatty() else Pipe(talk)

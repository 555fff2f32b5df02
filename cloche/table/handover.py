"""Two players at one terminal: the screen is cleared before it is handed over, and after.

Each has a session, a file and a key of their own, as if they sat apart: only the terminal is shared. What one
of them may see is printed while it is theirs, and what was typed stays in a history of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rich.console import RenderableType
from rich.text import Text

from client.http import Unreachable
from client.session import Session
from cloche.table import commands, frame
from cloche.table.desk import Desk
from cloche.table.drawing import Misread, Offer
from cloche.table.look import rule
from cloche.table.screen import Reader, Screen, reader_for
from referee import Entry, Game

LOOK = 2.0
"""Seconds to wait for news while nothing is asked of either."""


class Sharing(Desk):
    """A desk without a thread: what has happened is told when its player sits down again."""

    def __init__(self, session: Session, screen: Screen, skew: int) -> None:
        super().__init__(session, screen, skew)
        self._news: list[RenderableType] = []
        self.reader: Reader = reader_for(_Talk(self))
        self.live = self.reader.live

    @property
    def name(self) -> str:
        """Who sits here."""
        return frame.seat_names(self.game)[self.seat or 0]

    @property
    def over(self) -> bool:
        return self.game.over

    def begin(self) -> None:
        """Nothing runs beside the two."""
        self.follower.watch = self.heard

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        self._news += frame.news(entry, self.view(after), self.drawing)

    def wait_until(self, come: object) -> None:
        """What was sent is in the record, or will be: the two go on with their turns."""
        self.fetch()

    def fetch(self, wait: float = 0.0) -> None:
        """Send what goes by itself and fetch what is new, if the house answers."""
        with suppress(Unreachable):
            self.session.answer()
            self.session.catch_up(wait)

    def sit(self) -> None:
        """Draw what this player may see: what has happened since, the table, the hand."""
        self.screen.say(*self._news)
        self._news = []
        self._shown = None
        self.look()


class _Talk:
    """A desk, as its reader knows it."""

    def __init__(self, desk: Sharing) -> None:
        self._desk = desk

    def prompt(self) -> str:
        return f"{self._desk.name}, {self._desk.prompt()}"

    def toolbar(self) -> list[str]:
        return self._desk.toolbar()

    def offers(self, line: str) -> list[Offer]:
        return commands.offers(self._desk, line)


class _Curtain:
    """Between two players: nothing is shown."""

    def __init__(self) -> None:
        self.whose = ""

    def prompt(self) -> str:
        return f"{self.whose}, press Enter when nobody else looks. "

    def toolbar(self) -> list[str]:
        return []

    def offers(self, line: str) -> list[Offer]:
        return []


def share(desks: Sequence[Sharing], screen: Screen) -> None:
    """Play a game to its end, or until somebody types `quit`: whoever is asked gets the terminal."""
    curtain = _Curtain()
    between = reader_for(curtain)
    while True:
        for desk in desks:
            desk.fetch()
        asked = [desk for desk in desks if desk.session.asks() is not None and not desk.over]
        if any(desk.over for desk in desks):
            break
        if not asked:
            desks[0].fetch(LOOK)
            continue
        desk = asked[0]
        curtain.whose = desk.name
        screen.clear()
        if between.line() is None:
            return
        screen.clear()
        stays = _turn(desk)
        screen.clear()
        if not stays:
            return
    for desk in desks:
        desk.fetch()
        desk.session.finish()
    last = desks[0]
    screen.say(rule(screen.look, screen.width), Text(frame.result(last.view(), last.drawing), style="bold"))


def _turn(desk: Sharing) -> bool:
    """One player at the terminal, until nothing is asked of them; whether the game goes on here."""
    desk.sit()
    while desk.session.asks() is not None and not desk.over:
        with desk.reader.around():
            line = desk.reader.line()
        if line is None:
            return False
        try:
            commands.follow(desk, line)
        except Misread as misread:
            section = f" ({misread.section})" if misread.section else ""
            desk.screen.say(Text(f"{misread.text}{section}", style="bold"))
        except EOFError:
            return False
        desk.fetch()
    return True

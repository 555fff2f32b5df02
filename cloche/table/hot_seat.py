"""Two players at one terminal, which is cleared whenever they hand it over.

Each has a session, a vault and a key of their own; they share only the terminal. A player's view is
printed only while that player has the terminal. Each has an own history of typed lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from client.http import Api
from cloche.table import commands, layout
from cloche.table.live import LOST
from cloche.table.look import rule
from cloche.table.played import PlayedGame, later
from cloche.table.presenter import LineCompletion, Misread, View
from cloche.table.screen import Reader, Screen, reader_for
from player.due import seen
from player.session import Session
from referee import Entry, Game

LOOK = 2.0
"""Seconds to wait for news while neither player is asked."""
ANOTHER = "Another game? (y/n) "


class HotSeatGame(PlayedGame):
    """A game of one of the two, without a thread: its player hears the news on sitting down again."""

    def __init__(self, session: Session, api: Api, screen: Screen, skew: int) -> None:
        super().__init__(session, api, screen, skew)
        self._news: list[tuple[Game | None, Entry, Game]] = []
        self.reader: Reader = reader_for(_Talk(self))
        self.live = self.reader.live

    @property
    def name(self) -> str:
        """The player's name."""
        return layout.seat_names(self.game)[self.seat or 0]

    @property
    def over(self) -> bool:
        return self.game.over

    def begin(self) -> None:
        """Start without a thread."""
        self.follower.watch = self.heard

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        self._news.append((before, entry, after))

    def wait_until(self, come: object) -> None:
        """Fetch once and return. Sent messages reach the record while the players go on."""
        self.fetch()

    def fetch(self, wait: float = 0.0) -> bool:
        """Send what needs no choice and fetch what is new; returns whether the house answered."""

        def fetched() -> None:
            self.session.answer()
            self.session.catch_up(wait)

        return self._try(fetched)

    def sit(self) -> None:
        """Draw what this player may see: the news, the table, the hand."""
        self._shown = None
        self.tell()

    def tell(self) -> None:
        """Print the news, and the table if something new is asked."""
        for before, entry, after in self._news:
            self._mark(before, entry, after)
            self.print_entry(before, entry, self.view(after))
        self._news = []
        self.look()

    def aloud(self, game: Game | None = None) -> View:
        """The game as anybody may see it, for both to read: nobody is "you"."""
        shown = game or self.game
        return replace(self.view(shown), game=seen(shown, None), seat=None)

    def heard_last(self) -> list[RenderableType]:
        """List what has happened since this player last had the terminal, for both to read."""
        news = [layout.news(was, entry, self.aloud(game), self.presenter) for was, entry, game in self._news]
        return [line for lines in news for line in lines]


class _Talk:
    """A game, as its reader knows it."""

    def __init__(self, played: HotSeatGame) -> None:
        self._played = played

    def prompt(self) -> str:
        return f"{self._played.name}, {self._played.prompt()}"

    def toolbar(self) -> list[str]:
        return self._played.toolbar()

    def pinned(self) -> list[str]:
        return self._played.pinned()

    def offers(self, line: str) -> list[LineCompletion]:
        return commands.offers(self._played, line)


class _Curtain:
    """Asks questions between two players, when the screen shows nothing else."""

    def __init__(self) -> None:
        self.text = ""
        self._reader = reader_for(self)

    def ask(self, text: str) -> str | None:
        """Ask, and return the typed line; None at the end of input."""
        self.text = text
        return self._reader.line()

    def prompt(self) -> str:
        return self.text

    def toolbar(self) -> list[str]:
        return []

    def pinned(self) -> list[str]:
        return []

    def offers(self, line: str) -> list[LineCompletion]:
        return []


def share(both: Sequence[HotSeatGame], screen: Screen) -> bool:
    """Play a game to its end, or until a player types `quit`. The player who is asked gets the terminal.

    Returns True if the two want to play again.
    """
    curtain, waiting = _Curtain(), ""
    while True:
        if not all(played.fetch() for played in both):
            continue
        if any(played.over for played in both):
            break
        played = next((played for played in both if played.session.asks() is not None), None)
        if played is None:
            waiting = _wait(both[0], waiting)
            continue
        screen.clear()
        if curtain.ask(f"{played.name}, press Enter when nobody else looks. ") is None:
            return False
        screen.clear()
        try:
            stays = _turn(played)
        finally:
            screen.clear()
        if not stays:
            return False
        if played.away():
            screen.say(Text(LOST))
    _end(both, screen)
    return _another(curtain)


def _wait(played: HotSeatGame, said: str) -> str:
    """Wait for news while neither player is asked, and say for whom; returns what was said last."""
    seq = played.game.seq
    played.fetch(LOOK)
    if played.game.seq != seq:
        return ""
    waits = layout.asked(played.aloud(), played.presenter)
    if waits != said:
        played.screen.say(Text(f"{waits[0].upper()}{waits[1:]}."))
    return waits


def _turn(played: HotSeatGame) -> bool:
    """Let one player type until that player is not asked; returns whether the game goes on here."""
    played.fetch()  # the time may have passed before Enter was pressed
    played.sit()
    while played.session.asks() is not None and not played.over:
        with played.reader.around():
            line = played.reader.line()
        if line is None:
            return False
        try:
            played.screen.typed()
            commands.follow(played, line)
        except Misread as misread:
            commands.refuse(played, misread)
        except EOFError:
            return False
        played.fetch()
        if played.session.asks() is not None:
            played.tell()
    return True


def _end(both: Sequence[HotSeatGame], screen: Screen) -> None:
    """Print what happened last, who has won, and where the record is."""
    for played in both:
        played.fetch()
        played.session.finish()
    told = next(played for played in both if played.over)
    screen.say(
        *max((played.heard_last() for played in both), key=len),
        rule(screen.look, screen.width),
        Text(layout.result(told.aloud(), told.presenter), style="bold"),
        *later(told.session.game_id),
    )


def _another(curtain: _Curtain) -> bool:
    """Ask whether the two want to play again. The end of input is a no."""
    while True:
        line = curtain.ask(ANOTHER)
        answer = "no" if line is None else line.strip().casefold()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no", "quit"):
            return False

"""A game that is followed in a thread, and what is always to be seen of it: for players and spectators."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from cloche.commands.errors import plain
from cloche.table import layout
from cloche.table.presenter import Presenter, View
from cloche.table.screen import Screen
from player.follow import Follower
from player.house import ApiProblem, HouseFault, Unreachable
from referee import Entry, Game

FIRST_PAUSE, LONGEST_PAUSE = 0.3, 3.0
"""Seconds between two tries while the house is away."""
LOST = "The house does not answer. Nothing is lost: this goes on when it is back."


class LiveGame:
    """Follows a game until it is over; what arrives is printed, and a house that is away is outlasted."""

    presenter: Presenter
    follower: Follower

    def __init__(self, screen: Screen, skew: int) -> None:
        """`skew` is the house's clock less ours, in milliseconds."""
        self.screen = screen
        self.skew = skew
        self.live = True
        """Whether somebody sees the toolbar."""
        self.fault: Exception | None = None
        """What ended the following before the game's end."""
        self.news = threading.Condition()
        """Notified whenever something has arrived."""
        self._away_since: float | None = None
        self._ended = False
        self._stop = threading.Event()

    def begin(self) -> None:
        """Follow from now on, in a thread of its own."""
        self.follower.watch = self.heard
        threading.Thread(target=self._run, name="follow", daemon=True).start()

    def stop(self) -> None:
        """Follow no longer."""
        self._stop.set()

    # What others refine

    @property
    def seat(self) -> int | None:
        """Whose eyes it is seen with."""
        return None

    def turn(self) -> None:
        """One turn: send what goes by itself, wait for news."""
        raise NotImplementedError

    def look(self) -> None:
        """After a turn: draw what is new."""

    def end(self) -> None:
        """The game is over."""

    def after(self) -> None:
        """After the end, until somebody leaves."""

    # What is seen

    @property
    def game(self) -> Game:
        """The fold of the record so far."""
        return self.follower.game

    @property
    def over(self) -> bool:
        """Whether there is nothing more to come, and the end was told."""
        return self._ended or self.fault is not None

    def view(self, game: Game | None = None) -> View:
        """The game as it may be shown here, now or at another moment."""
        shown = game or self.game
        state = shown.state.seen(shown.rules.sees(shown.state, self.seat))
        names = layout.seat_names(shown)
        return View(replace(shown, state=state), self.seat, names, self.screen.look, self.screen.width)

    def left(self) -> int | None:
        """Milliseconds until the deadline by the house's clock: our own, if something is asked of us."""
        asking = self.game.asking
        if asking is None or self.game.over:
            return None
        ours = self.seat is not None and self.seat in asking.seats
        deadline = asking.deadline_of(self.seat or 0) if ours else asking.deadline
        return deadline - self.now()

    def now(self) -> int:
        """The house's time, in milliseconds since 1970."""
        return int(time.time() * 1000) + self.skew

    def away(self) -> str:
        """That the house does not answer, and since when."""
        if self._away_since is None:
            return ""
        return f"NO CONNECTION for {int(time.monotonic() - self._away_since)} s"

    def toolbar(self) -> list[str]:
        """The lines that are always visible."""
        return layout.toolbar(self.view(), self.presenter, self.left(), self.away())

    def picture(self) -> list[RenderableType]:
        """The whole table, and what is asked."""
        view = self.view()
        asked = layout.asked(view, self.presenter)
        left = self.left()
        timed = f" {self.screen.look.dot} {layout.clock(left)} left" if left is not None else ""
        return [
            *layout.picture(view, self.presenter),
            Text(f"{asked[0].upper()}{asked[1:]}{timed}", style="bold"),
        ]

    def wait_until(self, come: Callable[[], bool]) -> None:
        """Return once `come` holds, or nothing more will come."""
        with self.news:
            while not come() and not self.over:
                self.news.wait(1.0)

    # The thread

    def _run(self) -> None:
        try:
            self.look()  # what is asked already need not wait for news
            while not self._stop.is_set() and not self.game.over:
                if self._try(self.turn):
                    self.look()
                    self._tell()
            if self.game.over:
                self.end()
                self._ended = True
                self._tell()
                self.after()
        except Exception as fault:  # whatever it is, it is shown where the table is left
            left = self._stop.is_set()  # and the connection closed under what was being asked
            if not left or isinstance(fault, HouseFault):
                self.fault = fault
            if not left:
                self.screen.say(Text(told(fault), style="bold"))
        self._tell()

    def _try(self, how: Callable[[], None]) -> bool:
        """Whether it could be done; else, after a pause, it may be tried again."""
        try:
            how()
        except (Unreachable, ApiProblem) as fault:
            if isinstance(fault, ApiProblem) and fault.status < 500 and fault.status != 429:
                raise
            self.lost()
            gone = time.monotonic() - (self._away_since or 0.0)
            self._stop.wait(min(max(FIRST_PAUSE, gone / 4), LONGEST_PAUSE))
            return False
        if self._away_since is not None:
            self._away_since = None
            self.screen.say(Text("The house is back."))
        return True

    def lost(self) -> None:
        """The house does not answer."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            self.screen.say(Text(LOST))

    def _tell(self) -> None:
        with self.news:
            self.news.notify_all()

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        """An entry has come."""
        self.screen.say(*layout.news(before, entry, self.view(after), self.presenter))


def told(fault: Exception) -> str:
    """Why the following ended, in a line."""
    if isinstance(fault, HouseFault):
        return f"The house broke the protocol, and the game stops here: {plain(fault.text)} [{fault.code}]"
    if isinstance(fault, ApiProblem):
        return f"The house refuses: {plain(fault.detail)} [{fault.code}]"
    return plain(str(fault)) or type(fault).__name__

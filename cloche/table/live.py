"""A running game, followed in a thread: what players and spectators share."""

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
"""Seconds between two tries while the house does not answer."""
LOST = "The house does not answer. Nothing is lost: this goes on when it is back."


class LiveGame:
    """Follows a game until it is over, and prints what arrives. Waits for a house that does not answer."""

    presenter: Presenter
    follower: Follower

    def __init__(self, screen: Screen, skew: int) -> None:
        """`skew`: how many milliseconds the house's clock is ahead of ours."""
        self.screen = screen
        self.skew = skew
        self.live = True
        """True if a player sees the toolbar."""
        self.fault: Exception | None = None
        """The error that stopped the following before the game's end."""
        self.news = threading.Condition()
        """Notified whenever something has arrived."""
        self._away_since: float | None = None
        self._ended = False
        self._stop = threading.Event()

    def begin(self) -> None:
        """Start to follow, in a thread."""
        self.follower.watch = self.heard
        threading.Thread(target=self._run, name="follow", daemon=True).start()

    def stop(self) -> None:
        """Stop following."""
        self._stop.set()

    # Parts that other tables refine

    @property
    def seat(self) -> int | None:
        """The seat that sees the game; None for a spectator."""
        return None

    def turn(self) -> None:
        """Once round the loop: send what needs no choice, then wait for news."""
        raise NotImplementedError

    def look(self) -> None:
        """Draw what is new. The loop calls it after each `turn`."""

    def end(self) -> None:
        """Print how the game ended. The loop calls it once."""

    def after(self) -> None:
        """Do what is left after the end. The loop calls this until the player leaves."""

    # Views

    @property
    def game(self) -> Game:
        """The fold of the record so far."""
        return self.follower.game

    @property
    def over(self) -> bool:
        """True if nothing more will come and the end was printed."""
        return self._ended or self.fault is not None

    def view(self, game: Game | None = None) -> View:
        """The game as this seat may see it, now or as the given `game`."""
        shown = game or self.game
        state = shown.state.seen(shown.rules.sees(shown.state, self.seat))
        names = layout.seat_names(shown)
        return View(replace(shown, state=state), self.seat, names, self.screen.look, self.screen.width)

    def left(self) -> int | None:
        """Milliseconds until the deadline by the house's clock: our own deadline if we are asked."""
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
        """A text for the toolbar while the house does not answer."""
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
        """Wait until `come` holds or nothing more will come."""
        with self.news:
            while not come() and not self.over:
                self.news.wait(1.0)

    # The thread

    def _run(self) -> None:
        try:
            self.look()  # what is asked already needs no news first
            while not self._stop.is_set() and not self.game.over:
                if self._try(self.turn):
                    self.look()
                    self._tell()
            if self.game.over:
                self.end()
                self._ended = True
                self._tell()
                self.after()
        except Exception as fault:  # any error is shown when the player leaves the table
            left = self._stop.is_set()  # then the error may be only the closed connection
            if not left or isinstance(fault, HouseFault):
                self.fault = fault
            if not left:
                self.screen.say(Text(told(fault), style="bold"))
        self._tell()

    def _try(self, how: Callable[[], None]) -> bool:
        """Try something; returns whether it worked. If not, a pause has passed and it may be tried again."""
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
        """Note and say that the house does not answer."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            self.screen.say(Text(LOST))

    def _tell(self) -> None:
        with self.news:
            self.news.notify_all()

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        """Print what an entry tells. The follower calls it for each new entry."""
        self.screen.say(*layout.news(before, entry, self.view(after), self.presenter))


def told(fault: Exception) -> str:
    """Say in a line why the following stopped."""
    if isinstance(fault, HouseFault):
        return f"The house broke the protocol, and the game stops here: {plain(fault.text)} [{fault.code}]"
    if isinstance(fault, ApiProblem):
        return f"The house refuses: {plain(fault.detail)} [{fault.code}]"
    return plain(str(fault)) or type(fault).__name__

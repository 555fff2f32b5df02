"""A running game, followed in a thread: what players and spectators share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from cards.games.contract import LONGEST_CLOCK, Line
from cloche.commands.errors import plain
from cloche.table import layout
from cloche.table.folding import height
from cloche.table.presenter import Presenter, View
from cloche.table.screen import Screen
from player.due import seen
from player.follow import Follower
from player.house import ApiProblem, HouseFault, Unreachable
from referee import Entry, Game
from referee.header import AWAY

FIRST_PAUSE, LONGEST_PAUSE = 0.3, 3.0
"""Seconds between two tries while the house does not answer."""
HAND_SHARE, ACCOUNT_SHARE = 3, 4
"""The hand may take a third of the screen's lines, an account that is pinned a quarter."""
DAY = 86_400_000
"""Milliseconds. The longest clock is shown on its last day."""
ASKED = 2
"""Lines that a drawing of the table leaves for what is asked."""
LEAST = 4
"""Lines that an account may take on the smallest screen."""
LOST = (
    "The house does not answer. If it is away, all clocks stand still until it is back."
    " If only your connection is down, they run on. Either way this goes on by itself."
)
LOST_BEFORE = "The house does not answer, and the clocks of this game run on. This goes on when it is back."
"""For games that were begun before absences of the house were entered."""


class FollowedGame:
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
        self._account: tuple[Sequence[Line], int] | None = None
        """The newest account, and how many lines had been printed before it."""
        self._pinned: tuple[Any, list[str]] = (None, [])
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
        shown = self.as_seen(game or self.game)
        names = layout.seat_names(shown)
        return View(shown, self.seat, names, self.screen.look, self.screen.width)

    def as_seen(self, game: Game) -> Game:
        """A game with the faces that this seat may see, and no others."""
        return seen(game, self.seat)

    def left(self) -> int | None:
        """Milliseconds until the deadline by the house's clock: our own deadline if we are asked.

        None without a clock that matters: nothing is asked, or of the longest clock more than a day is left.
        """
        asking = self.game.asking
        if asking is None or self.game.over:
            return None
        ours = self.seat is not None and self.seat in asking.seats
        deadline = asking.deadline_of(self.seat or 0) if ours else asking.deadline
        left = deadline - self.now()
        patient = deadline - asking.since >= LONGEST_CLOCK * 1000 and left > DAY
        return None if patient else left

    def now(self) -> int:
        """The house's time, in milliseconds since 1970."""
        return int(time.time() * 1000) + self.skew

    def away(self) -> str:
        """A text for the toolbar while the house does not answer."""
        if self._away_since is None:
            return ""
        return f"NO CONNECTION for {int(time.monotonic() - self._away_since)} s"

    def toolbar(self) -> list[str]:
        """The bar that is always visible."""
        return layout.toolbar(self.view(), self.presenter, self.left(), self.away())

    def pinned(self) -> list[str]:
        """The lines below the bar: the hand, and the newest account once it is no more on the screen."""
        screen = self.screen
        now = (self.game.seq, screen.width, screen.rows, screen.printed)
        if self._pinned[0] != now:
            hand = self._folded(self.presenter.hand, screen.rows // HAND_SHARE, "hand")
            area = screen.rows - len(self.toolbar()) - 1 - len(hand)
            told = self._account
            gone = told is not None and screen.printed - told[1] >= area
            self._pinned = (now, [*hand, *(self._newest() if gone else ())])
        return self._pinned[1]

    def _newest(self) -> list[str]:
        """The newest account in few lines."""
        if self._account is None:
            return []
        lines = self._account[0]
        rows = max(self.screen.rows // ACCOUNT_SHARE, LEAST)
        return self._folded(lambda view: self.presenter.account(view, lines), rows, "history")

    def _folded(self, draw: Callable[[View], Sequence[RenderableType]], rows: int, command: str) -> list[str]:
        """A drawing in at most so many lines; where it is cut, the last one names the `command` for all."""
        found = self.screen.lines(draw(replace(self.view(), room=rows)))
        return found if len(found) <= rows else [*found[: rows - 1], f"... `{command}` shows all"]

    def area(self) -> int:
        """Count the lines above the prompt, where printed texts can be seen."""
        if not self.live:
            return self.screen.rows
        return max(self.screen.rows - len(self.toolbar()) - len(self.pinned()) - 1, LEAST)

    def picture(self, *, whole: bool = False) -> list[RenderableType]:
        """The table, and what is asked; unless it is to be `whole`, folded to the room on the screen."""
        view = self.view()
        if self.live and not whole:
            since = 0 if self._account is None else self.screen.printed - self._account[1]
            area = self.area() - ASKED
            view = replace(view, room=area - since if since < area else area)
        asked = layout.asked(view, self.presenter)
        left = self.left()
        timed = f" {self.screen.look.dot} {layout.clock(left)} left" if left is not None else ""
        return [
            *layout.picture(view, self.presenter, hand=whole or not self.live),
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
            stands = AWAY in self.game.header.clauses
            self.screen.say(Text(LOST if stands else LOST_BEFORE))

    def _tell(self) -> None:
        with self.news:
            self.news.notify_all()

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        """Print what an entry tells. The follower calls it for each new entry."""
        self.print_entry(before, entry, self.view(after))

    def print_entry(self, before: Game | None, entry: Entry, view: View) -> None:
        """Print what an entry tells, an account so that the table drawn after it fits the screen too."""
        if entry.kind == "account":
            if self.live:
                table = layout.picture(replace(view, room=0), self.presenter, hand=False)
                used = height(table, view.width) + ASKED + (self.screen.rows // HAND_SHARE)
                view = replace(view, room=max(self.screen.rows - used - 2, LEAST))
            self._account = (entry.body["lines"], self.screen.printed)
        self.screen.say(*layout.news(before, entry, view, self.presenter))


def told(fault: Exception) -> str:
    """Say in a line why the following stopped."""
    if isinstance(fault, HouseFault):
        return f"The house broke the protocol, and the game stops here: {plain(fault.text)} [{fault.code}]"
    if isinstance(fault, ApiProblem):
        return f"The house refuses: {plain(fault.detail)} [{fault.code}]"
    return plain(str(fault)) or type(fault).__name__

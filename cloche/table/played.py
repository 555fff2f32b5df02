"""A game as one player plays it: follows the record, sends what the player chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from cards.games.contract import IllegalMove, Move
from client.http import LONGEST_WAIT, Api
from cloche.commands.errors import plain
from cloche.commands.words import listed
from cloche.table import layout
from cloche.table.live import LiveGame
from cloche.table.look import rule
from cloche.table.presenter import LineCompletion, Misread
from cloche.table.presenters import presenter_of
from cloche.table.screen import Screen
from player.due import Wanted
from player.house import ApiProblem, TableInfo, Unreachable
from player.session import NotNow, SendResult, Session
from referee import Entry, Game

TRIES = 4
"""The number of times that a message is sent again if it was refused because the game had gone on."""
HINTS = 2
"""The number of times that the hint for each kind of question is shown."""
REMATCH_POLL = 3.0
"""Seconds between two checks whether another player asks for a rematch."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question to the player, and what a yes does."""

    text: str
    yes: Callable[[], None]


class PlayedGame(LiveGame):
    """A game as one player plays it."""

    def __init__(
        self, session: Session, api: Api, screen: Screen, skew: int, *, teaching: bool = False
    ) -> None:
        super().__init__(screen, skew)
        self.teaching = teaching
        """True if the player learns the game: refusals keep their reasons back, and lessons are announced."""
        self.why: Misread | None = None
        """The last refusal that was answered by a plain no."""
        self.session = session
        self.api = api
        self.question: Question | None = None
        """The open question, which the next line answers."""
        self.again = False
        """True if the player leaves for a rematch."""
        self._shown: Wanted | None = None
        self._step = -1
        self._locked_out = False
        self._hinted: Counter[str] = Counter()

    def start(self) -> None:
        """Sit down (see `Session.start`), then follow the game."""
        self.session.watch = lambda before, entry, after: None
        game = self.session.start()
        self.follower = self.session.follower
        self.presenter = presenter_of(game.rules)
        self.presenter.teaching = self.teaching
        if game.deals:
            self.screen.say(Text("You are back at the table. `history` shows what has happened."))
        else:
            others = [name for i, name in enumerate(layout.seat_names(game)) if i != self.seat]
            who = f"with {listed(others)}" if others else "alone"
            self.screen.say(Text(f"{game.rules.facts.title} {who}, game {self.session.game_id}."))
        self.begin()

    @property
    def seat(self) -> int | None:
        return self.session.seat.number

    def prompt(self) -> str:
        """The text before a line."""
        if self.question is not None:
            return f"{self.question.text} [y/N] "
        asking = self.game.asking
        return f"{asking.topic}> " if self.is_asked() and asking is not None else "> "

    def offers(self, line: str) -> list[LineCompletion]:
        """List what the mode offers to complete a line."""
        return [] if self.question is not None else self.presenter.offers(self.view(), line.lstrip())

    # Arriving entries

    def turn(self) -> None:
        sent = self.session.answer()
        self.session.catch_up(0.0 if sent is SendResult.GONE_ON else LONGEST_WAIT)

    def look(self) -> None:
        """Draw the table whenever the player is asked for something new."""
        session = self.session
        if session.game.step != self._step:
            self._step = session.game.step
            self.presenter.forget()
        asks = session.asks()
        if asks is not None and asks != self._shown:
            self.question = None
            self.screen.say(*self.picture(), *self._hint())
        self._shown = asks
        if session.locked_out() and not self._locked_out:
            self.screen.say(
                Text("Your choice was sealed on another device, and only that device can open it.")
            )
        self._locked_out = session.locked_out()

    def _hint(self) -> list[RenderableType]:
        """The hint, the first times that something is asked."""
        topic = self.game.asking.topic if self.game.asking else ""
        self._hinted[topic] += 1
        fresh = self._hinted[topic] <= HINTS
        return [Text(self.presenter.hint(self.view()), style="dim")] if fresh else []

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        """Print what an entry tells, and for a learner what is seen for the first time."""
        super().heard(before, entry, after)
        if self.teaching and before is not None:
            known = [seen for _, seen in self.presenter.lessons(self.view(before))]
            now = self.presenter.lessons(self.view(after))
            fresh = [text for was, (text, seen) in zip(known, now, strict=True) if seen and not was]
            seen = sum(seen for _, seen in now)
            if fresh:
                self.screen.say(Text(f"Seen for the first time: {listed(fresh)} ({seen} of {len(now)})."))

    def end(self) -> None:
        self.session.finish()
        self.question = None
        self.screen.say(
            rule(self.screen.look, self.screen.width),
            Text(layout.result(self.view(), self.presenter), style="bold"),
            Text("`rematch` plays again; `record` writes the record to a file. Later you can type"),
            Text(f"  cloche record {self.session.game_id}"),
            Text("  cloche verify FILE   to check the record offline"),
            Text("  cloche replay FILE   to see it step by step"),
        )

    def after(self) -> None:
        """Say so when another player asks for a rematch."""
        while not self._stop.wait(REMATCH_POLL):
            try:
                table = self.api.rematch_of(self.session.game_id)
            except (Unreachable, ApiProblem):
                continue
            handle = self.session.vault.identity.handle
            if table is not None and table.state == "open" and table.opened_by != handle:
                self.screen.say(Text(f"{plain(table.opened_by)} asks for a rematch: `rematch` joins."))
                return

    # Answers

    def is_asked(self) -> bool:
        """Tell whether the player is asked for a choice and has seen the table for it."""
        asks = self.session.asks()
        return asks is not None and asks == self._shown and not self.over

    def send(self, move: Move) -> None:
        """Send a choice, and say if it had no effect. Raises `Misread`."""
        try:
            sent = self._again(lambda: self.session.choose(move))
        except IllegalMove as illegal:
            raise Misread.of(illegal.refusal) from None
        if sent is SendResult.ALREADY:
            self.screen.say(
                Text("You have answered this already, here or on another device. That answer stands.")
            )
        elif sent is SendResult.GONE_ON:
            raise Misread("That was too late: the game has gone on.")

    def resign(self) -> None:
        """Give up."""
        self._again(self.session.resign)
        if not self.live:
            self.wait_until(lambda: self.over)

    def draw(self) -> None:
        """Offer a draw or agree to one."""
        self._again(self.session.offer_draw)

    def _again(self, how: Callable[[], SendResult]) -> SendResult:
        """Send, and send again if the game had gone on."""
        sent = SendResult.NOTHING
        for _ in range(TRIES):
            try:
                sent = how()
            except NotNow as late:
                raise Misread(late.text) from None
            except ApiProblem as problem:
                raise Misread(f"The house refuses: {plain(problem.detail)}") from None
            except Unreachable:
                self.lost()
                kept = (
                    "Your choice is kept, and is sent when it answers again." if self.session.chosen else ""
                )
                raise Misread(f"The house does not answer now. {kept}".strip()) from None
            if sent is not SendResult.GONE_ON:
                break
        return sent


def waiting_at(table: TableInfo) -> list[RenderableType]:
    """Say how others can sit down at an open table."""
    if table.rematch_of is not None:
        return [Text("Waiting for the others. They join by `rematch` too.")]
    free = table.seats.count(None)
    wanted = "One seat is free." if free == 1 else f"{free} of {len(table.seats)} seats are free."
    if table.invitation is not None:
        how = f"  cloche play --invitation {table.invitation}"
        return [Text(f"The table is private. {wanted} Anybody with this invitation sits down by:"), Text(how)]
    return [
        Text(f"The table is open. {wanted} Others sit down by:"),
        Text(f"  cloche play --table {table.id}"),
    ]


def sitting_at(table: TableInfo) -> list[str]:
    """The names of the players at a table."""
    return [plain(str(seat["name"])) for seat in table.seats if seat is not None]
